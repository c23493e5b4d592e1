// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.lruc;

import io.clockhand.policy.Policies;
import io.clockhand.workbench.experiment.options.Names;
import io.clockhand.workbench.experiment.options.PolicyNames;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * A published scheme: how a {@link ListPool} finds a frame for a miss, and which pages its flusher writes.
 *
 * @param scanDepth the most frames that a miss scans from the tail for a clean one; not used with a dirty region
 * @param remembersFailedScan whether misses stop such scans after one that failed, until the flusher has cleaned a page
 * @param bufferSlots pages of the temporary write buffer; 0 if there is none
 * @param twoMutexes whether the dirty region has a mutex of its own
 * @param serialFlush whether readers write their victims one after the other, under a lock
 * @param pagesPerPeriod the most pages that the flusher writes or frees in a period, and the most free frames that it
 *     provides for; not used for a whole region
 */
record Scheme(
        int scanDepth,
        boolean remembersFailedScan,
        int bufferSlots,
        Flush flush,
        boolean twoMutexes,
        boolean serialFlush,
        int pagesPerPeriod,
        long periodNanos) {
    static final String VANILLA = "vanilla";
    /** {@link #VANILLA} with the best rate of a sweep. */
    static final String VANILLA_BEST = "vanilla-best";
    /** Clockhand's page pool. */
    static final String CLOCK = "clock-c";
    /** Before the name of a policy, which Clockhand's page pool then has. */
    static final String POOL = "pool:";

    private static final List<String> NAMES = List.of(
            VANILLA,
            "vanilla-8192",
            "vanilla-serial",
            "vanilla-no-stall",
            "cf-lru",
            "war",
            "lru-c",
            "lru-c-batch",
            "lru-c-full");

    /** Those that are compared by default. */
    static final List<String> COMPARED = List.of(
            VANILLA, "vanilla-8192", VANILLA_BEST, "cf-lru", "war", "lru-c", "lru-c-batch", "lru-c-full", CLOCK);

    /** How far InnoDB scans for a clean page. */
    private static final int INNODB_SCAN = 100;
    /** InnoDB's {@code lru_scan_depth} as pages a second for each frame, where 16,384 frames have the default. */
    private static final double INNODB_RATE = 1024.0 / 16_384;

    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);
    /** Between two writes of the whole region: less than the time of a write, so that these make no waves. */
    private static final double BATCH_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

    /** The pages that a flusher writes. */
    enum Flush {
        /** A fixed number from the tail of the list; clean frames there are freed. */
        TAIL,
        /** A fixed number of the dirty region. So there is one: the scheme has a pointer to the oldest clean page. */
        REGION,
        /** All of the dirty region, as soon as there is one. */
        WHOLE_REGION
    }

    /**
     * The scheme of a list by its name.
     *
     * @param name one of those that can be typed; {@code NAME:N} has a flusher that writes N pages a second
     * @param slowness how much slower the device writes than SSD-A at its own speed: rates that the name does not state
     *     are divided by it
     * @throws IllegalArgumentException if there is no such scheme
     */
    static Scheme of(String name, int frames, double slowness) {
        int colon = name.indexOf(':');
        String base = colon < 0 ? name : name.substring(0, colon);
        if (!NAMES.contains(base)) {
            throw new IllegalArgumentException("no scheme " + name + "; there are " + String.join(", ", NAMES)
                    + ", and NAME:N, with N pages a second");
        }
        Flush flush = !base.startsWith("lru-c") ? Flush.TAIL : base.equals("lru-c") ? Flush.REGION : Flush.WHOLE_REGION;
        double pages = INNODB_RATE * frames / slowness;
        pages = base.equals("vanilla-8192") ? pages * 8 : pages;
        long period = flush == Flush.WHOLE_REGION ? Math.max(1, (long) (BATCH_NANOS * slowness)) : SECOND;
        if (colon >= 0) {
            double rate = rate(base, flush, name.substring(colon + 1));
            int parts = rate >= 100 ? 10 : 1; // many pages come evenly
            pages = rate / parts;
            period = SECOND / parts;
        }
        int scan = switch (base) {
            case "vanilla-no-stall" -> frames;
            case "cf-lru" -> Math.max(1, frames / 4);
            default -> 0;
        };
        return new Scheme(
                scan == 0 ? INNODB_SCAN : scan,
                scan == 0,
                base.equals("war") ? 128 : 0,
                flush,
                base.equals("lru-c-full"),
                base.equals("vanilla-serial"),
                (int) Math.max(1, Math.round(pages)),
                period);
    }

    private static double rate(String base, Flush flush, String number) {
        if (flush == Flush.WHOLE_REGION) {
            throw new IllegalArgumentException(base + " has no rate: it writes the whole region");
        }
        if (!number.matches("[1-9][0-9]{0,6}")) {
            throw new IllegalArgumentException(
                    "the N of " + base + ":N is a number of pages a second from 1 to 9999999, not '" + number + "'");
        }
        return Integer.parseInt(number);
    }

    static String vanilla(long pagesPerSecond) {
        return VANILLA + ":" + pagesPerSecond;
    }

    /** All that can be typed. */
    static List<String> possible() {
        return Stream.concat(NAMES.stream(), Stream.of(VANILLA_BEST, CLOCK, VANILLA + ":N", "lru-c:N", POOL + "POLICY"))
                .toList();
    }

    /** Throws {@link IllegalArgumentException}, with the possible names and the nearest, if there is no such scheme. */
    static void check(String name) {
        if (name.startsWith(POOL)) {
            PolicyNames.normalized(name.substring(POOL.length()), Policies.names());
        } else if (name.contains(":")) {
            of(name, 1, 1);
        } else if (!possible().contains(name)) {
            throw new IllegalArgumentException(Names.unknown("scheme", name, possible()));
        }
    }

    /** The pages that a scheme writes in a second; null if that number is not fixed, or not known yet. */
    static Long rate(String name, int frames, double slowness) {
        if (name.equals(VANILLA_BEST) || name.equals(CLOCK) || name.startsWith(POOL)) {
            return null;
        }
        Scheme scheme = of(name, frames, slowness);
        return scheme.flush == Flush.WHOLE_REGION
                ? null
                : Long.valueOf(Math.round((double) scheme.pagesPerPeriod * SECOND / scheme.periodNanos));
    }

    /** Whether the scheme has a pointer to the oldest clean page, and a region of dirty pages behind it. */
    boolean hasRegion() {
        return flush != Flush.TAIL;
    }
}
