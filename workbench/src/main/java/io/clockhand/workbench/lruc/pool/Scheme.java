// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.lruc.pool;

import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * How a {@link ListPool} finds victims and writes dirty pages. Contenders differ in these parameters only.
 *
 * @param name as reports show it
 * @param scanDepth the most frames that a miss scans from the tail for a clean one; not used with a dirty region
 * @param remembersFailedScan whether misses stop such scans after one that failed, until the flusher has cleaned a page
 * @param bufferSlots pages of the temporary write buffer; 0 if there is none
 * @param flush which pages the flusher writes
 * @param twoMutexes whether the dirty region has a mutex of its own
 * @param serialFlush whether readers write their victims one after the other, under a lock that they hold meanwhile
 * @param pagesPerPeriod the most pages that the flusher writes or frees in a period, and the most free frames that it
 *     provides for; 0 if it does nothing; not used for a whole region
 * @param periodNanos the length of that period
 * @param writes how many writes may be in flight in the background
 */
public record Scheme(
        String name,
        int scanDepth,
        boolean remembersFailedScan,
        int bufferSlots,
        Flush flush,
        boolean twoMutexes,
        boolean serialFlush,
        int pagesPerPeriod,
        long periodNanos,
        int writes) {
    /** How far InnoDB scans for a clean page. */
    private static final int INNODB_SCAN = 100;
    /** InnoDB's {@code lru_scan_depth}, and the frames for which the default is taken here. */
    private static final double INNODB_PAGES_PER_SECOND = 1024;

    private static final double USUAL_FRAMES = 16_384;
    private static final int FAST = 8;
    /** A stated rate from here on comes in parts of a second. */
    private static final double MANY_PAGES = 100;

    private static final int SHORT_PERIODS = 10;
    /** Between two writes of the whole region: less than the time of a write, so that these make no waves. */
    private static final double BATCH_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

    private static final int WRITE_BUFFER_SLOTS = 128;
    /** As many as Clockhand's own flusher may have in such a pool. */
    private static final int WRITES = 256;

    private static final int CLEAN_FIRST_PART = 4;

    private static final List<String> NAMES = List.of(
            "vanilla",
            "vanilla-8192",
            "vanilla-serial",
            "vanilla-no-stall",
            "cf-lru",
            "war",
            "lru-c",
            "lru-c-batch",
            "lru-c-full");

    /** The pages that a flusher writes. */
    public enum Flush {
        /** A fixed number from the tail of the list; clean frames there are freed. */
        TAIL,
        /** A fixed number of the dirty region. So there is one: the scheme has a pointer to the oldest clean page. */
        REGION,
        /** All of the dirty region that is not being written yet, in each period in which there is one. */
        WHOLE_REGION
    }

    /** Throws {@link IllegalArgumentException} if a number is impossible. */
    public Scheme {
        if (scanDepth < 1 || bufferSlots < 0 || pagesPerPeriod < 0 || periodNanos < 1 || writes < 1) {
            throw new IllegalArgumentException("no scheme: scans of " + scanDepth + " frames, " + bufferSlots
                    + " slots, " + pagesPerPeriod + " pages in " + periodNanos + " ns, " + writes + " writes");
        }
        if (hasRegion(flush) ? bufferSlots > 0 : twoMutexes) {
            throw new IllegalArgumentException("a write buffer goes with the tail, a second mutex with a dirty region");
        }
    }

    /** {@return the names of the contenders} Each may be followed by a rate: {@code vanilla:N} flushes N pages/s. */
    public static List<String> names() {
        return NAMES;
    }

    /**
     * The parameters of a contender.
     *
     * @param name one of {@link #names}; or such a name, a colon, and the pages that the flusher writes in a second
     * @param frames of the pool
     * @param slowness how much slower the device writes than the one for which InnoDB's default of 1,024 pages a second
     *     is taken; the rate is divided by it, and is in proportion to the frames, unless the name states the rate; the
     *     period of a whole region is that number of milliseconds
     * @throws IllegalArgumentException if there is no such contender
     */
    public static Scheme of(String name, int frames, double slowness) {
        int colon = name.indexOf(':');
        String base = colon < 0 ? name : name.substring(0, colon);
        double pages = INNODB_PAGES_PER_SECOND / slowness * frames / USUAL_FRAMES;
        Scheme vanilla = new Scheme(
                name,
                INNODB_SCAN,
                true,
                0,
                Flush.TAIL,
                false,
                false,
                perPeriod(pages),
                TimeUnit.SECONDS.toNanos(1),
                WRITES);
        long soon = Math.max(1, (long) (BATCH_NANOS * slowness));
        Scheme scheme = switch (base) {
            case "vanilla" -> vanilla;
            case "vanilla-8192" -> vanilla.flushing(perPeriod(pages * FAST));
            case "vanilla-serial" -> vanilla.writing(0, true);
            case "vanilla-no-stall" -> vanilla.scanning(frames);
            case "cf-lru" -> vanilla.scanning(Math.max(1, frames / CLEAN_FIRST_PART));
            case "war" -> vanilla.writing(WRITE_BUFFER_SLOTS, false);
            case "lru-c" -> vanilla.cleanPointer(Flush.REGION, false, vanilla.periodNanos);
            case "lru-c-batch" -> vanilla.cleanPointer(Flush.WHOLE_REGION, false, soon);
            case "lru-c-full" -> vanilla.cleanPointer(Flush.WHOLE_REGION, true, soon);
            default -> throw unknown(name);
        };
        if (colon >= 0 && scheme.flush == Flush.WHOLE_REGION) {
            throw new IllegalArgumentException(base + " has no rate: it writes the whole region");
        }
        return colon < 0 ? scheme : scheme.withRate(rate(base, name.substring(colon + 1)));
    }

    /** In short periods, if it is many pages: so the pool keeps few frames free, and the writes come evenly. */
    private Scheme withRate(double pagesPerSecond) {
        int parts = pagesPerSecond >= MANY_PAGES ? SHORT_PERIODS : 1;
        return flushing(perPeriod(pagesPerSecond / parts), TimeUnit.SECONDS.toNanos(1) / parts);
    }

    /** {@return the most pages that the flusher writes in a second; not used for a whole region} */
    public long pagesPerSecond() {
        return Math.round((double) pagesPerPeriod * TimeUnit.SECONDS.toNanos(1) / periodNanos);
    }

    private static double rate(String base, String number) {
        if (!number.matches("[1-9][0-9]{0,6}")) {
            throw new IllegalArgumentException(
                    "the N of " + base + ":N is a number of pages a second from 1 to 9999999, not '" + number + "'");
        }
        return Integer.parseInt(number);
    }

    private static IllegalArgumentException unknown(String name) {
        return new IllegalArgumentException("no scheme " + name + "; there are " + String.join(", ", NAMES)
                + ", and NAME:N, with N pages a second");
    }

    private static int perPeriod(double pagesPerSecond) {
        return (int) Math.max(1, Math.round(pagesPerSecond));
    }

    /** The same scheme whose flusher writes this number of pages in a period. */
    public Scheme flushing(int pages) {
        return flushing(pages, periodNanos);
    }

    /** The same scheme whose flusher writes this number of pages in periods of this length. */
    public Scheme flushing(int pages, long nanos) {
        return new Scheme(
                name,
                scanDepth,
                remembersFailedScan,
                bufferSlots,
                flush,
                twoMutexes,
                serialFlush,
                pages,
                nanos,
                writes);
    }

    /** The same scheme, whose misses always scan this number of frames. */
    public Scheme scanning(int depth) {
        return new Scheme(
                name, depth, false, bufferSlots, flush, twoMutexes, serialFlush, pagesPerPeriod, periodNanos, writes);
    }

    private Scheme writing(int slots, boolean serial) {
        return new Scheme(
                name,
                scanDepth,
                remembersFailedScan,
                slots,
                flush,
                twoMutexes,
                serial,
                pagesPerPeriod,
                periodNanos,
                writes);
    }

    private Scheme cleanPointer(Flush which, boolean two, long period) {
        return new Scheme(
                name,
                scanDepth,
                remembersFailedScan,
                bufferSlots,
                which,
                two,
                serialFlush,
                pagesPerPeriod,
                period,
                writes);
    }

    /** Whether the scheme has a pointer to the oldest clean page, and a region of dirty pages behind it. */
    boolean hasRegion() {
        return hasRegion(flush);
    }

    private static boolean hasRegion(Flush flush) {
        return flush != Flush.TAIL;
    }
}
