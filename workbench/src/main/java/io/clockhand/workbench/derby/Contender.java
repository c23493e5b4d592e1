// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.derby;

import io.clockhand.policy.Policies;
import io.clockhand.workbench.experiment.options.Choice;
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
import java.util.Iterator;
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

    /** Throws with the possible names and the nearest if the workbench has no such cache. */
    public static Contender of(String name) {
        return of(name, Map.of());
    }

    /**
     * Throws with the possible names and the nearest if there is no such cache or version.
     *
     * @param name such as {@code nb-gclock3}, or {@code nb-gclock3@before} of a version
     * @param versions the jars of each version besides the workbench's own
     */
    public static Contender of(String name, Map<String, List<String>> versions) {
        String cache = requirePossible(name);
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

    /** The name without its version; throws with the names that people choose from, and the nearest, if unknown. */
    private static String requirePossible(String name) {
        String cache = name.replaceFirst("@.*", "");
        List<String> possible = possible();
        if (!possible.contains(cache)) {
            throw new IllegalArgumentException(
                    Names.unknown("cache", cache, possible, String.join(", ", chosen()) + PolicyNames.FORMS));
        }
        return cache;
    }

    /** Derby's own, and the policies of Clockhand. */
    private static List<String> possible() {
        return withDerby(Policies.names());
    }

    /** Those of them that help and errors show. */
    private static List<String> chosen() {
        return withDerby(PolicyNames.chosen(Policies.names()));
    }

    private static List<String> withDerby(List<String> policies) {
        return Stream.concat(Stream.of(DERBY), policies.stream()).toList();
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
    public static List<String> versionJars(String classPath) {
        try {
            List<URL> urls = new ArrayList<>();
            List<String> realPaths = new ArrayList<>();
            for (String jar : classPath.split(File.pathSeparator, -1)) {
                Path path = Path.of(jar);
                if (jar.isEmpty() || !Files.exists(path)) {
                    throw new IllegalArgumentException("there is no " + path);
                }
                urls.add(path.toUri().toURL());
                realPaths.add(path.toRealPath().toString());
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

    /** The values of an option {@code --caches}, which may name a version after the cache. */
    public static final class Choices extends Choice<String> {
        Choices() {
            super("cache", possible(), name -> name);
        }

        /** Refuses an unknown cache; versions are checked when all options are known. */
        @Override
        protected String value(String name) {
            requirePossible(name);
            return name;
        }

        @Override
        public Iterator<String> iterator() {
            return chosen().iterator();
        }
    }
}
