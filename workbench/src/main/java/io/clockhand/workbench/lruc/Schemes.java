// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.lruc;

import io.clockhand.policy.Policies;
import io.clockhand.workbench.lruc.pool.Pools;
import io.clockhand.workbench.lruc.pool.Scheme;
import io.clockhand.workbench.options.Names;
import io.clockhand.workbench.options.PolicyNames;
import java.util.List;
import java.util.stream.Stream;

/** The schemes by name, and how many pages a second those write whose number is fixed. */
final class Schemes {
    static final String VANILLA = "vanilla";
    static final String VANILLA_BEST = "vanilla-best";

    private static final String WITH_RATE = VANILLA + ":";

    /** Those that are compared by default. */
    static final List<String> COMPARED = List.of(
            VANILLA, "vanilla-8192", VANILLA_BEST, "cf-lru", "war", "lru-c", "lru-c-batch", "lru-c-full", Pools.CLOCK);

    private Schemes() {}

    /** All that can be typed. */
    static List<String> possible() {
        return Stream.of(
                        Scheme.names(),
                        List.of(VANILLA_BEST, Pools.CLOCK, WITH_RATE + "N", "lru-c:N", Pools.POOL + "POLICY"))
                .flatMap(List::stream)
                .toList();
    }

    /** Throws {@link IllegalArgumentException}, with the possible names and the nearest, if there is no such scheme. */
    static void check(String name) {
        if (name.startsWith(Pools.POOL)) {
            String policy = name.substring(Pools.POOL.length());
            PolicyNames.normalized(policy, Policies.names());
        } else if (name.contains(":")) {
            Scheme.of(name, 1, 1);
        } else if (!possible().contains(name)) {
            throw new IllegalArgumentException(Names.unknown("scheme", name, possible()));
        }
    }

    /** The name of vanilla with another number of pages a second. */
    static String vanilla(long pagesPerSecond) {
        return WITH_RATE + pagesPerSecond;
    }

    /**
     * The pages that vanilla writes in a second by default: less of a small pool, and on a slow device.
     *
     * @param slowness of the device's writes, against those of the preset SSD-A
     */
    static long vanillaRate(int frames, double slowness) {
        return Scheme.of(VANILLA, frames, slowness).pagesPerSecond();
    }

    /** The pages that a scheme writes in a second; null if that number is not fixed, or not known yet. */
    static Long rate(String name, int frames, double slowness) {
        if (name.equals(VANILLA_BEST) || name.equals(Pools.CLOCK) || name.startsWith(Pools.POOL)) {
            return null;
        }
        Scheme scheme = Scheme.of(name, frames, slowness);
        return scheme.flush() == Scheme.Flush.WHOLE_REGION ? null : Long.valueOf(scheme.pagesPerSecond());
    }
}
