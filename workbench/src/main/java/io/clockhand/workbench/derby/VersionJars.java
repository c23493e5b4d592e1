// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.derby;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** The jars of another version of Clockhand, which a child JVM loads instead of those of the workbench. */
final class VersionJars {
    /**
     * A class of each module that a version consists of. If one were missing, a child would run classes of two versions
     * together.
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
