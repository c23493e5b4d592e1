// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.derby;

import io.clockhand.policy.Policies;
import io.clockhand.workbench.derby.driver.CacheProbe.RequiredCache;
import io.clockhand.workbench.options.Names;
import io.clockhand.workbench.options.PolicyNames;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
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

    /** The jars of another version of Clockhand, which a child JVM loads instead of those of the workbench. */
    static final class VersionJars {
        /**
         * A class of each module that a version consists of. If one were missing, a child would run classes of two
         * versions together.
         */
        private static final List<String> CLASSES =
                List.of("io.clockhand.derby.ClockhandCacheFactory", "io.clockhand.policy.ReplacementPolicy");

        private VersionJars() {}

        /** The jars, and directories of classes, of a class path; they need not exist. */
        static List<Path> parse(String classPath) {
            return Stream.of(classPath.split(File.pathSeparator, -1))
                    .filter(entry -> !entry.isEmpty())
                    .map(Path::of)
                    .toList();
        }

        /** Why these jars are not a version of Clockhand, in words that continue a sentence. */
        static Optional<String> fault(List<Path> jars) {
            Optional<String> absent = jars.stream()
                    .filter(jar -> !Files.exists(jar))
                    .map(jar -> "there is no " + jar)
                    .findFirst();
            return absent.or(() -> CLASSES.stream()
                    .filter(name -> !contain(jars, name))
                    .map(name -> "none of its jars contains " + name + "; it needs those of core and of the adapter")
                    .findFirst());
        }

        private static boolean contain(List<Path> jars, String className) {
            URL[] urls = jars.stream().map(VersionJars::url).toArray(URL[]::new);
            try (URLClassLoader loader = new URLClassLoader(urls, null)) {
                return loader.findResource(className.replace('.', '/') + ".class") != null;
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        private static URL url(Path jar) {
            try {
                return jar.toUri().toURL();
            } catch (MalformedURLException e) {
                throw new UncheckedIOException(e);
            }
        }

        /** As a class loader names them: absolute and without links. */
        static List<String> realPaths(List<Path> jars) {
            return jars.stream().map(VersionJars::realPath).toList();
        }

        private static String realPath(Path jar) {
            try {
                return jar.toRealPath().toString();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }
}
