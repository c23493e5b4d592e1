// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.policy;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BiFunction;

/**
 * The replacement policies by name. All of them are thread-safe.
 *
 * <table>
 * <caption>Names</caption>
 * <tr><th>name</th><th>policy</th></tr>
 * <tr><td>{@code nb-gclock3}</td><td>Nb-GCLOCK with weights capped at 3, the default</td></tr>
 * <tr><td>{@code nb-gclock}</td><td>Nb-GCLOCK as published, weights unbounded</td></tr>
 * <tr><td>{@code locked:lru}, {@code lru}</td><td>least recently used, under a lock</td></tr>
 * </table>
 */
public final class Policies {
    /** The policy that is used where none is named. */
    public static final String DEFAULT = "nb-gclock3";

    /** As good as unbounded: 20 bits, saturating. */
    private static final int UNBOUNDED = (1 << 20) - 1;

    private static final Map<String, BiFunction<Integer, ClockHand, ReplacementPolicy>> BY_NAME = new TreeMap<>(Map.of(
            "nb-gclock3", (frames, hand) -> new NbGclock(frames, 3, hand),
            "nb-gclock", (frames, hand) -> new NbGclock(frames, UNBOUNDED, hand),
            "lru", (frames, hand) -> new Locked(new Lru(frames)),
            "locked:lru", (frames, hand) -> new Locked(new Lru(frames))));

    private Policies() {}

    /** {@return the names of all policies, sorted} */
    public static List<String> names() {
        return List.copyOf(BY_NAME.keySet());
    }

    /**
     * Makes a policy with the default hand.
     *
     * @param name one of {@link #names()}
     * @param frames how many frames the pool has
     * @return a new policy
     * @throws IllegalArgumentException if no policy has that name; the message lists the names
     */
    public static ReplacementPolicy create(String name, int frames) {
        return create(name, ClockHand.DEFAULT, frames);
    }

    /**
     * Makes a policy.
     *
     * @param name one of {@link #names()}
     * @param hand how policies of the clock family move their hand; others ignore it
     * @param frames how many frames the pool has
     * @return a new policy
     * @throws IllegalArgumentException if no policy has that name; the message lists the names
     */
    public static ReplacementPolicy create(String name, ClockHand hand, int frames) {
        BiFunction<Integer, ClockHand, ReplacementPolicy> maker = BY_NAME.get(name);
        if (maker == null) {
            throw new IllegalArgumentException(
                    "there is no policy '" + name + "'; possible are " + String.join(", ", names()));
        }
        return maker.apply(frames, hand);
    }
}
