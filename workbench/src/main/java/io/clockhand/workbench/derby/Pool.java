// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.derby;

import io.clockhand.workbench.environment.CommandFailure;
import io.clockhand.workbench.environment.Disk;
import io.clockhand.workbench.experiment.options.Usage;
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

    /** A cache that holds more pages than this times its pool buys its hits with memory. */
    private static final double TOLERATED_GROWTH = 1.02;
    /** A pool that held less than this share of its pages was still filling. */
    private static final double FULL = 0.95;

    public static void checkPercent(Usage usage, double percent) {
        usage.require(percent > 0 && percent <= 1000, "--pool-percent must lie in 0 … 1000, not " + percent);
    }

    /** A share of the data, but no fewer pages than Derby takes. */
    public static int share(double percent, long allocatedPages) {
        return (int) Math.max(FEWEST_PAGES, Math.round(allocatedPages * percent / 100));
    }

    /**
     * Fails, in one sentence, if the heap is larger than the memory of the machine.
     *
     * @param heap as typed, or null for one that suits the pool
     * @param bytesBesides for the terminals and the checks of the run
     * @param contenders that live at once, each with a heap of its own
     * @param remedy the options to lower, such as {@code --pool-percent}
     */
    public static Pool of(
            int pages,
            long allocatedPages,
            String heap,
            long bytesBesides,
            int contenders,
            long memoryBytes,
            String remedy) {
        int fill = (int) Math.min(pages, allocatedPages);
        if (heap != null) {
            require(bytes(heap) * contenders <= memoryBytes, heap, contenders, memoryBytes, "lower --heap");
            return new Pool(pages, fill, heap);
        }
        long bytes = HEAP_WITHOUT_POOL + pages * HEAP_PER_PAGE + bytesBesides;
        long steps = (bytes + HEAP_STEP - 1) / HEAP_STEP;
        require(
                bytes * contenders <= memoryBytes,
                Disk.megabytes(bytes),
                contenders,
                memoryBytes,
                String.format(Locale.ROOT, "most of it is for the pool of %,d pages, so lower %s", pages, remedy));
        return new Pool(pages, fill, steps * HEAP_STEP / MEBIBYTE + "m");
    }

    /** Whether a run kept within the pool; true if that was not seen. */
    public boolean holds(Integer maxResidentPages) {
        return maxResidentPages == null || maxResidentPages <= TOLERATED_GROWTH * pages;
    }

    public String overfull(Object run, int maxResidentPages) {
        return String.format(
                Locale.ROOT,
                "Warning: %s held %,d pages, more than 2 %% over its pool of %,d: not valid.",
                run,
                maxResidentPages,
                pages);
    }

    /** Whether measuring began before the pool was full; true if that was not seen. */
    public boolean wasFilling(Integer residentAtStart) {
        return residentAtStart != null && residentAtStart < FULL * fill;
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

    private static void require(boolean holds, String heap, int contenders, long memoryBytes, String remedy) {
        if (!holds) {
            String runs = contenders == 1 ? "a run needs" : contenders + " contenders live at once and each needs";
            throw new CommandFailure(runs + " a heap of " + heap + ", this machine has " + Disk.megabytes(memoryBytes)
                    + " of memory: " + remedy + (contenders == 1 ? "" : ", or compare fewer --caches"));
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
