// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.derby;

import io.clockhand.policy.Policies;
import io.clockhand.workbench.derby.driver.RequiredCache;
import io.clockhand.workbench.options.Names;
import io.clockhand.workbench.options.PolicyNames;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * A page cache of Derby.
 *
 * @param name as typed, repeated in every report
 * @param policy for Clockhand's adapter, or null for Derby's own cache
 * @param jars of another version of Clockhand, with their real paths; empty for the version of the workbench
 */
public record Contender(String name, String policy, List<String> jars) {
    public static final String DERBY = "derby";

    /** Separates the policy from the name of a version, as in {@code nb-gclock3@before}. */
    private static final char VERSION = '@';

    /** Throws with the possible names and the nearest if the workbench has no such cache. */
    public static Contender of(String name) {
        return of(name, Map.of());
    }

    /**
     * Throws with the possible names and the nearest if there is no such cache or version.
     *
     * @param versions the jars of each version besides the workbench's own
     */
    static Contender of(String name, Map<String, List<String>> versions) {
        String cache = cacheOf(name);
        requirePossible(cache);
        if (cache.equals(name)) {
            return new Contender(name, name.equals(DERBY) ? null : name, List.of());
        }
        if (cache.equals(DERBY)) {
            throw new IllegalArgumentException(name + ": Derby's own cache has no version of Clockhand");
        }
        String version = name.substring(cache.length() + 1);
        if (versions.isEmpty()) {
            throw new IllegalArgumentException(name + " needs an option --jars " + version + "=PATH");
        }
        if (!versions.containsKey(version)) {
            throw new IllegalArgumentException(Names.unknown("version", version, versions.keySet()));
        }
        return new Contender(name, cache, versions.get(version));
    }

    /** Throws with the names that people choose from, and the nearest, if there is no such cache. */
    static void requirePossible(String cache) {
        if (!possible().contains(cache)) {
            throw new IllegalArgumentException(
                    Names.unknown("cache", cache, possible(), String.join(", ", chosen()) + PolicyNames.FORMS));
        }
    }

    /** The part of a name that is to be found among the {@link #possible}. */
    static String cacheOf(String name) {
        int end = name.indexOf(VERSION);
        return end < 0 ? name : name.substring(0, end);
    }

    /** Derby's own, and the policies of Clockhand. */
    public static List<String> possible() {
        return Stream.concat(Stream.of(DERBY), Policies.names().stream()).toList();
    }

    /** Those of them that help and errors show. */
    static List<String> chosen() {
        return Stream.concat(Stream.of(DERBY), PolicyNames.chosen(Policies.names()).stream())
                .toList();
    }

    public boolean isDerby() {
        return policy == null;
    }

    /** The cache that a child JVM must find in force before it runs. */
    public RequiredCache required(int pages) {
        return new RequiredCache(policy, jars, pages);
    }

    @Override
    public String toString() {
        return name;
    }
}
