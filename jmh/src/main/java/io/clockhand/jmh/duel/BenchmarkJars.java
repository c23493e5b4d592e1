// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.jmh.duel;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.openjdk.jmh.runner.BenchmarkListEntry;

/**
 * Jars and folders of classes that hold benchmarks and all that they need.
 *
 * @param classPath separated as the platform does
 */
public record BenchmarkJars(String classPath) {
    private static final String BENCHMARKS = "META-INF/BenchmarkList";
    private static final String HINTS = "META-INF/CompilerHints";
    /** The hints that JMH itself adds, with compiler blackholes, which every JDK since 17 has. */
    private static final List<String> JMH_HINTS = List.of(
            "quiet",
            "inline,org/openjdk/jmh/infra/Blackhole.consume",
            "dontinline,org/openjdk/jmh/infra/Blackhole.consumeCPU",
            "blackhole,org/openjdk/jmh/infra/Blackhole.consumeCompiler");

    /** Those that this JVM runs from. */
    public static BenchmarkJars here() {
        return new BenchmarkJars(System.getProperty("java.class.path"));
    }

    public List<Path> paths() {
        return Arrays.stream(classPath.split(File.pathSeparator)).map(Path::of).toList();
    }

    /** All benchmarks, one entry for each of their modes. */
    public List<BenchmarkListEntry> benchmarks() throws IOException {
        return lines(BENCHMARKS).stream().map(BenchmarkListEntry::new).toList();
    }

    /** Hints for the compiler, without which a benchmark measures something else. */
    List<String> compilerHints() throws IOException {
        List<String> hints = new ArrayList<>(JMH_HINTS);
        hints.addAll(lines(HINTS));
        return hints;
    }

    private List<String> lines(String resource) throws IOException {
        List<String> lines = new ArrayList<>();
        URL[] urls = paths().stream().map(BenchmarkJars::url).toArray(URL[]::new);
        try (URLClassLoader loader = new URLClassLoader(urls, null)) {
            for (URL url : Collections.list(loader.findResources(resource))) {
                try (InputStream input = url.openStream()) {
                    new String(input.readAllBytes(), StandardCharsets.UTF_8)
                            .lines()
                            .filter(line -> !line.isBlank() && !line.startsWith("#"))
                            .forEach(lines::add);
                }
            }
        }
        return lines;
    }

    private static URL url(Path path) {
        try {
            return path.toUri().toURL();
        } catch (MalformedURLException e) {
            throw new UncheckedIOException(e);
        }
    }
}
