// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.lruc;

import io.clockhand.policy.Policies;
import io.clockhand.workbench.lruc.pool.Pools;
import io.clockhand.workbench.options.Names;
import java.util.List;
import java.util.stream.Stream;

/** The schemes by name, and how many pages a second those write whose number is fixed. */
final class Schemes {
    static final String VANILLA = "vanilla";
    static final String VANILLA_BEST = "vanilla-best";

    private static final String VANILLA_FAST = "vanilla-8192";
    private static final String WITH_RATE = VANILLA + ":";

    /** Of vanilla, with 16,384 frames, on the device of the paper at its own speed. */
    private static final double PAGES_PER_SECOND = 1024;

    private static final double FRAMES = 16_384;
    private static final int FAST = 8;

    /** Those that are compared by default. */
    static final List<String> COMPARED = List.of(
            VANILLA, VANILLA_FAST, VANILLA_BEST, "cf-lru", "war", "lru-c", "lru-c-batch", "lru-c-full", Pools.CLOCK);

    /** Vanilla without one of its effects. */
    private static final List<String> PARTS = List.of("vanilla-serial", "vanilla-no-stall");

    private Schemes() {}

    /** All that can be typed. */
    static List<String> possible() {
        return Stream.of(COMPARED, PARTS, List.of(WITH_RATE + "N", Pools.POOL + "POLICY"))
                .flatMap(List::stream)
                .toList();
    }

    /** Throws {@link IllegalArgumentException}, with the possible names and the nearest, if there is no such scheme. */
    static void check(String name) {
        if (name.startsWith(WITH_RATE)) {
            if (!name.substring(WITH_RATE.length()).matches("[1-9][0-9]{0,6}")) {
                throw new IllegalArgumentException(
                        "the N of vanilla:N is a number of pages a second from 1 to 9999999, not '"
                                + name.substring(WITH_RATE.length()) + "'");
            }
        } else if (name.startsWith(Pools.POOL)) {
            String policy = name.substring(Pools.POOL.length());
            if (!Policies.names().contains(policy)) {
                throw new IllegalArgumentException(Names.unknown("policy", policy, Policies.names()));
            }
        } else if (!COMPARED.contains(name) && !PARTS.contains(name)) {
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
     * @param timeScale of the device
     */
    static long vanillaRate(int frames, double timeScale) {
        return Math.max(1, Math.round(PAGES_PER_SECOND / timeScale * frames / FRAMES));
    }

    /** The pages that a vanilla writes in a second; null for other schemes, and for one whose best is not found yet. */
    static Long rate(String name, int frames, double timeScale) {
        if (name.startsWith(WITH_RATE)) {
            return Long.valueOf(name.substring(WITH_RATE.length()));
        }
        return switch (name) {
            case VANILLA -> Long.valueOf(vanillaRate(frames, timeScale));
            case VANILLA_FAST -> Long.valueOf(Math.round(FAST * PAGES_PER_SECOND / timeScale * frames / FRAMES));
            default -> null;
        };
    }
}
