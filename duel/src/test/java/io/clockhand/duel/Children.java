// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.duel;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Starts child JVMs of the tests, and looks at them. */
final class Children {
    static final Duration SLICE = Duration.ofMillis(40);
    /** Only a hang reaches it. */
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    private Children() {}

    static Process java(Class<?> main, String... arguments) throws IOException {
        List<String> command = new java.util.ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx64m",
                "-XX:+UseSerialGC",
                "-cp",
                System.getProperty("java.class.path"),
                main.getName()));
        command.addAll(List.of(arguments));
        return new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
    }

    /** A contender that is a {@link SpinningChild}. */
    static Contender spinning(String name, Path directory, String work) {
        return new Contender() {
            @Override
            public String name() {
                return name;
            }

            @Override
            public CountedProcess start() throws IOException {
                Path file = Files.createTempDirectory(directory, name).resolve("slices");
                SliceBoard board = SliceBoard.create(file, SpinningChild.THREADS);
                return new CountedProcess(
                        name, java(SpinningChild.class, file.toString(), work), board, SLICE, PATIENCE);
            }
        };
    }

    /** Whether a process is gone, but perhaps not reaped: not every container has someone who reaps orphans. */
    static boolean isGone(long pid) {
        if (!ProcessState.isKnown()) {
            return ProcessHandle.of(pid).filter(ProcessHandle::isAlive).isEmpty();
        }
        try {
            String stat = Files.readString(Path.of("/proc", Long.toString(pid), "stat"));
            return "ZX".indexOf(stat.charAt(stat.lastIndexOf(')') + 2)) >= 0;
        } catch (NoSuchFileException e) {
            return true;
        } catch (IOException e) {
            if (Files.exists(Path.of("/proc", Long.toString(pid)))) {
                throw new UncheckedIOException(e);
            }
            return true;
        }
    }

    static void await(String what, BooleanSupplier condition) {
        long begin = System.nanoTime();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - begin > PATIENCE.toNanos()) {
                throw new AssertionError("waited in vain until " + what);
            }
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(5));
        }
    }
}
