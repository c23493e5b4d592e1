// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.derby;

import io.clockhand.policy.Policies;
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

    /** The names that help and errors show; all other policies are accepted, too. */
    public static final class Shown extends ArrayList<String> {
        private static final long serialVersionUID = 1;

        Shown() {
            super(PolicyNames.chosen(Policies.names()));
            add(0, DERBY);
        }
    }

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
        String[] parts = name.split("@", 2);
        String cache = parts[0];
        List<String> possible = new ArrayList<>(Policies.names());
        possible.add(0, DERBY);
        if (!possible.contains(cache)) {
            throw new IllegalArgumentException(
                    Names.unknown("cache", cache, possible, String.join(", ", new Shown()) + PolicyNames.FORMS));
        }
        String policy = cache.equals(DERBY) ? null : cache;
        if (parts.length == 1) {
            return new Contender(name, policy, List.of());
        }
        String version = parts[1];
        if (policy == null) {
            throw new IllegalArgumentException(name + ": Derby's own cache has no version of Clockhand");
        }
        if (versions.isEmpty()) {
            throw new IllegalArgumentException(name + " needs an option --jars " + version + "=PATH");
        }
        if (!versions.containsKey(version)) {
            throw new IllegalArgumentException(Names.unknown("version", version, versions.keySet()));
        }
        return new Contender(name, policy, versions.get(version));
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
        List<URL> urls = new ArrayList<>();
        List<String> realPaths = new ArrayList<>();
        try {
            for (String jar : classPath.split(File.pathSeparator, -1)) {
                if (jar.isEmpty() || !Files.exists(Path.of(jar))) {
                    throw new IllegalArgumentException("there is no " + jar);
                }
                Path path = Path.of(jar).toRealPath();
                urls.add(path.toUri().toURL());
                realPaths.add(path.toString());
            }
            try (URLClassLoader loader = new URLClassLoader(urls.toArray(URL[]::new), null)) {
                for (String name : CLASSES_OF_A_VERSION) {
                    if (loader.findResource(name.replace('.', '/') + ".class") == null) {
                        throw new IllegalArgumentException(
                                "none of its jars contains " + name + "; it needs those of core and of the adapter");
                    }
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return realPaths;
    }
}
