// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.tpcc;

/**
 * The page cache of every run, and the heap that holds it.
 *
 * @param heap in Java's notation
 */
record Pool(int pages, String heap) {
    /** Derby takes no fewer. */
    static final int FEWEST_PAGES = 40;

    private static final long MEBIBYTE = 1L << 20;
    private static final long HEAP_WITHOUT_POOL = 384 * MEBIBYTE;
    private static final long HEAP_STEP = 128 * MEBIBYTE;

    /** 4 KiB of bytes, and the record headers and keys that Derby parses out of them. */
    private static final long HEAP_PER_PAGE = 16L << 10;

    static Pool of(Settings settings, long allocatedPages) {
        int pages = settings.poolPages() != null
                ? settings.poolPages()
                : (int) Math.max(FEWEST_PAGES, Math.round(allocatedPages * settings.poolPercent() / 100));
        if (settings.heap() != null) {
            return new Pool(pages, settings.heap());
        }
        long bytes = HEAP_WITHOUT_POOL + pages * HEAP_PER_PAGE;
        long steps = (bytes + HEAP_STEP - 1) / HEAP_STEP;
        return new Pool(pages, steps * HEAP_STEP / MEBIBYTE + "m");
    }
}
