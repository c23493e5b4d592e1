// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.space;

import io.clockhand.io.ByteRange;
import io.clockhand.page.PageView;
import io.clockhand.page.PagedFile;

/** Finds rows in a page of a map, eight at a time where none of them can be the one. Without state. */
final class RowScan {
    /** Where the rows of a map page begin: behind the cache line of its LSN. */
    static final int HEADER = 64;
    /** Bytes behind the rows, for a checksum. */
    static final int TRAILER = 64;

    /** {@link PageSpace#ALLOCATED} in each of eight bytes. */
    private static final long EIGHT_ALLOCATED = 0x0202_0202_0202_0202L;

    private RowScan() {}

    /** {@return the first row from one on that a search of a kind finds, or the number of rows} */
    static int next(PageView map, int from, int rows, int kind) {
        int row = from;
        while (row < rows) {
            if ((row & (Long.BYTES - 1)) == 0 && hasNothing(map.getLong(HEADER + row), kind)) {
                row += Long.BYTES;
            } else if (finds(kind, map.getUnsignedByte(HEADER + row))) {
                return row;
            } else {
                row++;
            }
        }
        return rows;
    }

    private static boolean hasNothing(long eight, int kind) {
        return (eight & EIGHT_ALLOCATED) == (kind == ScanHints.FREE ? EIGHT_ALLOCATED : 0);
    }

    private static boolean finds(int kind, int bits) {
        boolean allocated = (bits & PageSpace.ALLOCATED) != 0;
        return kind == ScanHints.FREE
                ? !allocated
                : allocated && (bits & PageSpace.MAP_PAGE) == 0 && bits >>> PageSpace.FULLNESS_SHIFT < kind;
    }

    /** Throws if the store of a map's file writes where the map keeps its rows or its LSN. */
    static void checkApart(PagedFile file, int rows, int lsnOffset) {
        for (ByteRange own : file.ownBytes()) {
            if (own.overlaps(HEADER, rows) || own.overlaps(lsnOffset, Long.BYTES)) {
                throw new IllegalArgumentException("a free-space map in " + file.name() + " keeps its LSN at bytes "
                        + lsnOffset + " to " + (lsnOffset + Long.BYTES - 1) + " of each page and rows at bytes "
                        + HEADER
                        + " to " + (HEADER + rows - 1) + ", where " + own + " of the store lies: put that into the rest"
                        + " of the first " + HEADER + " bytes, or into the last " + TRAILER);
            }
        }
    }
}
