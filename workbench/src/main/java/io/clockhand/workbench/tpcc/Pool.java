// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.tpcc;

import io.clockhand.workbench.CommandFailure;
import io.clockhand.workbench.environment.Disk;
import java.util.Locale;

/**
 * The page cache of every run, and the heap that holds it.
 *
 * @param fill the pages it can hold in the end: it may be larger than the data
 * @param heap in Java's notation
 */
record Pool(int pages, int fill, String heap) {
    /** Derby takes no fewer. */
    static final int FEWEST_PAGES = 40;

    private static final long MEBIBYTE = 1L << 20;
    private static final long HEAP_WITHOUT_POOL = 384 * MEBIBYTE;
    private static final long HEAP_STEP = 128 * MEBIBYTE;

    /** Its connection with twenty prepared statements, its latencies, and its share of a delivery worker. */
    private static final long HEAP_PER_TERMINAL = 3 * MEBIBYTE / 2;
    /** What the check after the run adds up. */
    private static final long HEAP_PER_WAREHOUSE = 4 * MEBIBYTE;
    /** 4 KiB of bytes, and the record headers and keys that Derby parses out of them. */
    private static final long HEAP_PER_PAGE = 16L << 10;

    /** Fails, in one sentence, if the heap is larger than the memory of the machine. */
    static Pool of(Settings settings, long allocatedPages, long memoryBytes) {
        int pages = settings.poolPages() != null
                ? settings.poolPages()
                : (int) Math.max(FEWEST_PAGES, Math.round(allocatedPages * settings.poolPercent() / 100));
        int fill = (int) Math.min(pages, allocatedPages);
        if (settings.heap() != null) {
            require(bytes(settings.heap()) <= memoryBytes, settings.heap(), memoryBytes, "lower --heap");
            return new Pool(pages, fill, settings.heap());
        }
        long bytes = HEAP_WITHOUT_POOL
                + pages * HEAP_PER_PAGE
                + settings.terminals().stream().mapToInt(n -> n).max().orElse(0) * HEAP_PER_TERMINAL
                + settings.warehouses() * HEAP_PER_WAREHOUSE;
        long steps = (bytes + HEAP_STEP - 1) / HEAP_STEP;
        require(
                bytes <= memoryBytes,
                Disk.megabytes(bytes),
                memoryBytes,
                String.format(
                        Locale.ROOT,
                        "most of it is for the pool of %,d pages, so lower %s or --warehouses",
                        pages,
                        settings.poolPages() == null ? "--pool-percent" : "--pool-pages"));
        return new Pool(pages, fill, steps * HEAP_STEP / MEBIBYTE + "m");
    }

    private static void require(boolean holds, String heap, long memoryBytes, String remedy) {
        if (!holds) {
            throw new CommandFailure("a run needs a heap of " + heap + ", this machine has "
                    + Disk.megabytes(memoryBytes) + " of memory: " + remedy);
        }
    }

    /** A size in Java's notation. */
    private static long bytes(String heap) {
        long number = Long.parseLong(heap.substring(0, heap.length() - 1));
        return switch (Character.toLowerCase(heap.charAt(heap.length() - 1))) {
            case 'k' -> number << 10;
            case 'm' -> number << 20;
            default -> number << 30;
        };
    }
}
