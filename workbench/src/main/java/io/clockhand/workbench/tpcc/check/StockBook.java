// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.tpcc.check;

import io.clockhand.workbench.tpcc.load.Scale;

/** How much of each warehouse's stock of each item was taken since the load: pieces, order lines, remote lines. */
final class StockBook {
    /*
     * One word for each row of STOCK, to which every line adds
     *
     *     pieces        lines      remote lines
     *     63 ... 32     31 ... 16  15 ... 0
     *
     * A field that overflows carries into the next one in the same way whatever the order of the additions: two books
     * with the same additions are equal in any case, and only the description of a difference may then be wrong.
     */
    private static final int PIECES_SHIFT = 32;
    private static final int LINES_SHIFT = 16;
    private static final int FIELD_MASK = 0b1111_1111_1111_1111;

    private final int items;
    private final long[] taken;

    StockBook(Scale scale) {
        items = scale.items();
        taken = new long[Math.multiplyExact(scale.warehouses(), items)];
    }

    void add(int warehouse, int item, int pieces, int lines, int remoteLines) {
        taken[index(warehouse, item)] += ((long) pieces << PIECES_SHIFT) + ((long) lines << LINES_SHIFT) + remoteLines;
    }

    boolean agrees(StockBook other, int warehouse, int item) {
        return taken[index(warehouse, item)] == other.taken[index(warehouse, item)];
    }

    String describe(int warehouse, int item) {
        long word = taken[index(warehouse, item)];
        return (word >> PIECES_SHIFT) + " pieces in " + (word >> LINES_SHIFT & FIELD_MASK) + " lines, "
                + (word & FIELD_MASK) + " of them remote";
    }

    private int index(int warehouse, int item) {
        return (warehouse - 1) * items + item - 1;
    }
}
