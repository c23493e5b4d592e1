// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.jcstress;

import io.clockhand.internal.table.ArrayPageTable;

/** In a table of core: a chunk of two pages. The hand has just visited every node, and its next is the chunk. */
final class CoreUnlinkedChunk implements UnlinkedChunk {
    private static final long A = 0;
    /** All nodes on the way to the chunk, which was created last, and the root. */
    private static final int NODES = 3;

    private final ArrayPageTable table = new ArrayPageTable(2, frame -> A, 1 << 20, 1, 0);

    CoreUnlinkedChunk() {
        table.putIfAbsent(A, 1);
        table.remove(A, 1);
        long before = table.bytes();
        for (int visit = 0; visit < 2 * NODES - 1; visit++) {
            table.sweep();
        }
        if (table.bytes() != before) {
            throw new IllegalStateException("a node was unlinked too early");
        }
    }

    @Override
    public void map() {
        table.putIfAbsent(A, 1);
    }

    @Override
    public void visit() {
        table.sweep();
    }

    @Override
    public boolean find() {
        return table.find(A) == 1;
    }
}
