// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.environment;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

/** A child JVM that is killed by SIGKILL at a moment of its own telling. */
public final class KilledJvm {
    /** The status of a process that SIGKILL has ended: 128 + 9. */
    private static final int KILLED = 137;

    /** Only a child that hangs reaches it. */
    private static final int LONGEST_SECONDS = 240;

    private KilledJvm() {}

    /**
     * Starts a child, kills it, and waits for its end.
     *
     * @param flags of the JVM, its main class and the arguments of that
     * @param directory for its standard error, {@code killed.log}
     * @param isMoment accepts the line of the child's standard output after which it is killed
     * @param micros between that line and the kill
     * @return the lines that the child printed before its end
     * @throws IllegalStateException if the child ended in any other way
     */
    public static List<String> run(List<String> flags, Path directory, Predicate<String> isMoment, long micros)
            throws IOException, InterruptedException {
        Path log = directory.resolve("killed.log");
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(flags);
        Process process =
                new ProcessBuilder(command).redirectError(log.toFile()).start();
        CompletableFuture.delayedExecutor(LONGEST_SECONDS, TimeUnit.SECONDS)
                .execute(process.toHandle()::destroyForcibly);
        List<String> lines = new ArrayList<>();
        boolean killed = false;
        try (BufferedReader output = process.inputReader()) {
            for (String line = output.readLine(); line != null; line = output.readLine()) {
                lines.add(line);
                if (!killed && isMoment.test(line)) {
                    killed = !process.waitFor(micros, TimeUnit.MICROSECONDS);
                    // Through the handle, so that lines printed before can still be read.
                    process.toHandle().destroyForcibly();
                }
            }
            int status = process.waitFor();
            if (!killed || status != KILLED) {
                throw new IllegalStateException(
                        "the child ended by itself, with status " + status + ": " + Files.readString(log));
            }
            return lines;
        } finally {
            process.destroyForcibly();
        }
    }
}
