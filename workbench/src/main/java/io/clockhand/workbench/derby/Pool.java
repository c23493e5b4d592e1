// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.derby;

import io.clockhand.workbench.environment.CommandFailure;
import io.clockhand.workbench.environment.Disk;
import java.util.Locale;

/**
 * The page cache of every run, and the heap that holds it.
 *
 * @param fill the pages it can hold in the end: it may be larger than the data
 * @param heap in Java's notation
 */
public record Pool(int pages, int fill, String heap) {
    /** Derby takes no fewer. */
    public static final int FEWEST_PAGES = 40;

    private static final long MEBIBYTE = 1L << 20;
    private static final long HEAP_STEP = 128 * MEBIBYTE;

    /** A share of the data, but no fewer pages than Derby takes. */
    public static int share(double percent, long allocatedPages) {
        return (int) Math.max(FEWEST_PAGES, Math.round(allocatedPages * percent / 100));
    }

    /**
     * Fails, in one sentence, if the heaps are larger than the memory of the machine.
     *
     * @param percent of the data
     * @param bytesBesides for the terminals and the checks of the run
     * @param contenders that live at once, each with a heap of its own
     */
    public static Pool of(double percent, long allocatedPages, long bytesBesides, int contenders, long memoryBytes) {
        int pages = share(percent, allocatedPages);
        // 4 KiB of bytes, and the record headers and keys that Derby parses out of them, take up to 16 KiB a page.
        long bytes = 384 * MEBIBYTE + pages * (16L << 10) + bytesBesides;
        if (bytes * contenders > memoryBytes) {
            throw new CommandFailure(String.format(
                    Locale.ROOT,
                    "a heap of %s for each cache, %d in all, does not fit into the %s of memory of this machine: most"
                            + " of it is for the pool of %,d pages, so lower --pool-percent or --warehouses, or"
                            + " compare fewer --caches",
                    Disk.megabytes(bytes),
                    contenders,
                    Disk.megabytes(memoryBytes),
                    pages));
        }
        long steps = (bytes + HEAP_STEP - 1) / HEAP_STEP;
        return new Pool(pages, (int) Math.min(pages, allocatedPages), steps * HEAP_STEP / MEBIBYTE + "m");
    }

    /** Whether a run kept within the pool: a cache that holds more buys its hits with memory. */
    public boolean holds(int maxResidentPages) {
        return maxResidentPages <= 1.02 * pages;
    }

    /** Whether measuring began before the pool was full. */
    public boolean wasFilling(int residentAtStart) {
        return residentAtStart < 0.95 * fill;
    }
}
