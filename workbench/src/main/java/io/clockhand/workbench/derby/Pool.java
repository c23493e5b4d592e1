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
    private static final long HEAP_WITHOUT_POOL = 384 * MEBIBYTE;
    private static final long HEAP_STEP = 128 * MEBIBYTE;
    /** 4 KiB of bytes, and the record headers and keys that Derby parses out of them. */
    private static final long HEAP_PER_PAGE = 16L << 10;

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
        long bytes = HEAP_WITHOUT_POOL + pages * HEAP_PER_PAGE + bytesBesides;
        if (bytes * contenders > memoryBytes) {
            String runs = contenders == 1 ? "a run needs" : contenders + " contenders live at once and each needs";
            throw new CommandFailure(String.format(
                    Locale.ROOT,
                    "%s a heap of %s, this machine has %s of memory: most of it is for the pool of %,d pages,"
                            + " so lower --pool-percent or --warehouses%s",
                    runs,
                    Disk.megabytes(bytes),
                    Disk.megabytes(memoryBytes),
                    pages,
                    contenders == 1 ? "" : ", or compare fewer --caches"));
        }
        long steps = (bytes + HEAP_STEP - 1) / HEAP_STEP;
        return new Pool(pages, (int) Math.min(pages, allocatedPages), steps * HEAP_STEP / MEBIBYTE + "m");
    }

    /** Whether a run kept within the pool: a cache that holds more buys its hits with memory. */
    public boolean holds(int maxResidentPages) {
        return maxResidentPages <= 1.02 * pages;
    }

    public String overfull(Object run, int maxResidentPages) {
        return String.format(
                Locale.ROOT,
                "Warning: %s held %,d pages, more than 2 %% over its pool of %,d: not valid.",
                run,
                maxResidentPages,
                pages);
    }

    /** Whether measuring began before the pool was full. */
    public boolean wasFilling(int residentAtStart) {
        return residentAtStart < 0.95 * fill;
    }

    public String filling(Object run, int residentAtStart) {
        return String.format(
                Locale.ROOT,
                "Warning: %s: the pool was still filling when measuring began, %,d of %,d pages were resident;"
                        + " a longer --warmup fills it.",
                run,
                residentAtStart,
                fill);
    }
}
