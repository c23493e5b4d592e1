// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.jcstress;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import io.clockhand.internal.table.ChainedPageTable;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLongArray;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.I_Result;

/**
 * Page A, which is mapped all the time, is found, though the frame of B, which is in front of A in its chain, goes to
 * page C in another chain. D may be in front of both: then B leaves the middle of the chain.
 */
@JCStressTest
@Outcome(id = "0", expect = ACCEPTABLE, desc = "Found.")
@Outcome(expect = FORBIDDEN, desc = "The walk went astray.")
@State
public class PageTableTest {
    /** A bucket is chosen by the upper bits of a product; with this factor they are those of the other factor. */
    private static final long INVERSE = 0xF1DE_83E1_9937_733DL;

    private static final long A = INVERSE;
    private static final long B = 2 * INVERSE;
    private static final long C = INVERSE << 62;
    private static final long D = 3 * INVERSE;

    private final AtomicLongArray bound = new AtomicLongArray(3);
    private final ChainedPageTable table = new ChainedPageTable(3, bound::get);

    public PageTableTest() {
        map(A, 0);
        map(B, 1);
        if (ThreadLocalRandom.current().nextBoolean()) {
            map(D, 2);
        }
    }

    private void map(long id, int frame) {
        bound.set(frame, id);
        table.putIfAbsent(id, frame);
    }

    @Actor
    public void finder(I_Result r) {
        r.r1 = table.find(A);
    }

    @Actor
    public void owner() {
        table.remove(B, 1);
        map(C, 1);
    }
}
