// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.derby;

import io.clockhand.policy.Policies;
import io.clockhand.workbench.derby.driver.CacheProbe.RequiredCache;
import io.clockhand.workbench.experiment.options.Names;
import io.clockhand.workbench.experiment.options.PolicyNames;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
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

    /** One of each module: if one were missing, a child would run classes of two versions together. */
    private static final List<String> CLASSES_OF_A_VERSION =
            List.of("io.clockhand.derby.ClockhandCacheFactory", "io.clockhand.policy.ReplacementPolicy");

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

    /**
     * The jars, and directories of classes, of a class path that is another version of Clockhand: with their real
     * paths, as a class loader names them. A child JVM loads them instead of those of the workbench.
     *
     * @throws IllegalArgumentException if they are no version, in words that continue a sentence
     */
    static List<String> versionJars(String classPath) {
        List<Path> jars = Stream.of(classPath.split(File.pathSeparator, -1))
                .filter(entry -> !entry.isEmpty())
                .map(Path::of)
                .toList();
        jars.stream().filter(jar -> !Files.exists(jar)).findFirst().ifPresent(absent -> {
            throw new IllegalArgumentException("there is no " + absent);
        });
        try {
            List<URL> urls = new ArrayList<>();
            List<String> realPaths = new ArrayList<>();
            for (Path jar : jars) {
                urls.add(jar.toUri().toURL());
                realPaths.add(jar.toRealPath().toString());
            }
            try (URLClassLoader loader = new URLClassLoader(urls.toArray(URL[]::new), null)) {
                for (String name : CLASSES_OF_A_VERSION) {
                    if (loader.findResource(name.replace('.', '/') + ".class") == null) {
                        throw new IllegalArgumentException(
                                "none of its jars contains " + name + "; it needs those of core and of the adapter");
                    }
                }
            }
            return realPaths;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
