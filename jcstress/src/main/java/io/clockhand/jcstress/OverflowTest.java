// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.jcstress;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import io.clockhand.internal.table.ArrayPageTable;
import io.clockhand.internal.table.PageTable;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZZ_Result;

/** A page is mapped once, though one thread finds no space for its chunk, and another does. */
@JCStressTest
@Outcome(
        id = {"true, false", "false, true"},
        expect = ACCEPTABLE,
        desc = "Mapped once.")
@Outcome(expect = FORBIDDEN, desc = "Mapped in the overflow and in the chunk.")
@State
public class OverflowTest {
    private static final long PAGE = 0;
    private static final long OTHER = 2;
    private static final int OTHERS_FRAME = 3;
    private static final int FRAMES = 4;
    private static final long HINTS = 1024 * Integer.BYTES;
    /** All nodes on the way to the chunk, which was created last, and the root. */
    private static final int NODES = 3;

    private static final long MAX_BYTES = bytesWithAChunk();

    /** Has chunks of two pages, and space for one of them, which belongs to other pages until the hand unlinks it. */
    private final ArrayPageTable table =
            new ArrayPageTable(FRAMES, frame -> frame == OTHERS_FRAME ? OTHER : PAGE, MAX_BYTES, 1, 0);

    public OverflowTest() {
        table.putIfAbsent(OTHER, OTHERS_FRAME);
        table.remove(OTHER, OTHERS_FRAME);
        if (table.bytes() != MAX_BYTES + HINTS) {
            throw new IllegalStateException("the other pages have no chunk: " + table.bytes());
        }
        for (int visit = 0; visit < 2 * NODES - 1; visit++) {
            table.sweep();
        }
        table.putIfAbsent(PAGE, 0);
        table.remove(PAGE, 0);
        if (table.bytes() <= MAX_BYTES + HINTS) {
            throw new IllegalStateException("the page has not overflowed: " + table.bytes());
        }
    }

    private static long bytesWithAChunk() {
        ArrayPageTable large = new ArrayPageTable(FRAMES, frame -> OTHER, 1 << 20, 1, 0);
        large.putIfAbsent(OTHER, OTHERS_FRAME);
        return large.bytes() - HINTS;
    }

    private boolean map(int frame) {
        return table.putIfAbsent(PAGE, frame) == PageTable.NONE;
    }

    @Actor
    public void early(ZZ_Result r) {
        r.r1 = map(1);
    }

    @Actor
    public void late(ZZ_Result r) {
        table.sweep(); // makes space
        r.r2 = map(2);
    }
}
