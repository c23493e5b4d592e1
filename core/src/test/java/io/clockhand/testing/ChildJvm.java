// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.testing;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/** Runs a program in a JVM of its own, of the same version as the test's. */
public final class ChildJvm {
    private static final Duration LIMIT = Duration.ofMinutes(4);

    private ChildJvm() {}

    /**
     * Runs a program to its end.
     *
     * @param arguments those of the command {@code java}
     * @return what it has printed, warnings of the JVM included
     * @throws IOException if it cannot be started
     * @throws InterruptedException if the thread is interrupted
     */
    public static String run(List<String> arguments) throws IOException, InterruptedException {
        return run(LIMIT, arguments);
    }

    /**
     * Runs a program to its end.
     *
     * @param limit the longest time that it may take
     * @param arguments those of the command {@code java}
     * @return what it has printed, warnings of the JVM included
     * @throws IOException if it cannot be started
     * @throws InterruptedException if the thread is interrupted
     */
    public static String run(Duration limit, List<String> arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of("-Xmx64m", "-XX:TieredStopAtLevel=1")); // it starts sooner with one compiler
        command.addAll(arguments);
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().remove("JAVA_TOOL_OPTIONS"); // the JVM prints it
        Process process = builder.start();
        // the test reads the output to its end, so it would hang with a JVM that hangs
        CompletableFuture.delayedExecutor(limit.toSeconds(), TimeUnit.SECONDS).execute(process::destroyForcibly);
        try {
            String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertThat(process.waitFor(limit.toSeconds(), TimeUnit.SECONDS))
                    .as("the JVM ends: %s", output)
                    .isTrue();
            return output;
        } finally {
            process.destroyForcibly();
        }
    }

    /**
     * {@return the folder or jar that a class was loaded from}
     *
     * @param type the class
     */
    public static Path locationOf(Class<?> type) {
        try {
            return Path.of(
                    type.getProtectionDomain().getCodeSource().getLocation().toURI());
        } catch (URISyntaxException e) {
            throw new IllegalStateException(e);
        }
    }

    /**
     * {@return a class path or module path}
     *
     * @param locations folders and jars
     */
    public static String path(List<Path> locations) {
        return locations.stream().map(Path::toString).collect(Collectors.joining(File.pathSeparator));
    }
}
