// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.jcstress;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import io.clockhand.internal.table.ArrayPageTable;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.Z_Result;

/** A page that is mapped while the hand unlinks its chunk is found. */
@JCStressTest
@Outcome(id = "true", expect = ACCEPTABLE, desc = "Found.")
@Outcome(expect = FORBIDDEN, desc = "Mapped in a chunk that is no longer linked.")
@State
public class ChunkUnlinkTest {
    private static final long PAGE = 0;
    /** All nodes on the way to the chunk, which was created last, and the root. */
    private static final int NODES = 3;

    /** Has chunks of two pages. That of the page is empty, and the hand comes to it next, for the second time. */
    private final ArrayPageTable table = new ArrayPageTable(2, frame -> PAGE, 1 << 20, 1, 0);

    public ChunkUnlinkTest() {
        table.putIfAbsent(PAGE, 1);
        table.remove(PAGE, 1);
        long before = table.bytes();
        for (int visit = 0; visit < 2 * NODES - 1; visit++) {
            table.sweep();
        }
        if (table.bytes() != before) {
            throw new IllegalStateException("a node was unlinked too early");
        }
    }

    @Actor
    public void mapper(Z_Result r) {
        table.putIfAbsent(PAGE, 1);
        r.r1 = table.find(PAGE) == 1;
    }

    @Actor
    public void hand() {
        table.sweep();
    }
}
