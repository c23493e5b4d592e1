// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.experiment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import io.clockhand.workbench.Main;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** A real duel of the workbench, ended by a signal while one of its contenders is stopped. */
@EnabledOnOs(OS.LINUX)
class InterruptedDuelTest {
    private static final int CONTENDERS = 2;
    private static final long LONGEST_SECONDS = 120;

    @TempDir
    private Path directory;

    /** Ctrl-C also deletes the working directory; after kill -9 nobody can. */
    @Test
    void interruptLeavesNoProcessBehind() throws Exception {
        interrupt("INT", true);
    }

    @Tag("ci")
    @Test
    void killLeavesNoProcessBehind() throws Exception {
        interrupt("KILL", false);
    }

    private void interrupt(String signal, boolean cleansUp) throws Exception {
        assumeFalse(signal.equals("INT") && isInterruptIgnored(), "a background job of a shell ignores Ctrl-C");
        Path out = directory.resolve("out");
        Process workbench = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        Main.class.getName(),
                        "replay",
                        "--policies",
                        "lru,lru",
                        "--threads",
                        "1",
                        "--frames",
                        "64",
                        "--seconds",
                        "600",
                        "--out",
                        out.toString())
                .redirectErrorStream(true)
                .redirectOutput(directory.resolve("log").toFile())
                .start();
        try {
            List<ProcessHandle> family = awaitStoppedContender(workbench);

            int status = new ProcessBuilder("kill", "-" + signal, Long.toString(workbench.pid()))
                    .start()
                    .waitFor();

            assertThat(status).isZero();
            assertThat(workbench.waitFor(LONGEST_SECONDS, TimeUnit.SECONDS)).isTrue();
            CompletableFuture.allOf(family.stream().map(ProcessHandle::onExit).toArray(CompletableFuture[]::new))
                    .get(LONGEST_SECONDS, TimeUnit.SECONDS);
            assertThat(out.resolve("replay.json")).doesNotExist();
            if (cleansUp) {
                try (Stream<Path> left = Files.list(out)) {
                    assertThat(left).isEmpty();
                }
            }
        } finally {
            workbench.descendants().forEach(ProcessHandle::destroyForcibly);
            workbench.destroyForcibly();
        }
    }

    /** All descendants, once both contenders live and one is stopped. */
    private List<ProcessHandle> awaitStoppedContender(Process workbench) throws InterruptedException {
        while (true) {
            assertThat(workbench.isAlive())
                    .as(() -> "the workbench ended: " + text(directory.resolve("log")))
                    .isTrue();
            List<ProcessHandle> family = workbench.descendants().collect(Collectors.toList());
            List<ProcessHandle> contenders =
                    family.stream().filter(InterruptedDuelTest::isContender).toList();
            if (contenders.size() == CONTENDERS && contenders.stream().anyMatch(InterruptedDuelTest::isStopped)) {
                return family;
            }
            workbench.waitFor(20, TimeUnit.MILLISECONDS);
        }
    }

    /** A JVM that was started with the signal ignored never hears of it, nor does one that it starts. */
    private static boolean isInterruptIgnored() {
        return text(Path.of("/proc/self/status"))
                .lines()
                .filter(line -> line.startsWith("SigIgn:"))
                .anyMatch(line -> (Long.parseUnsignedLong(
                                        line.substring("SigIgn:".length()).trim(), 16)
                                & 2)
                        != 0);
    }

    private static boolean isContender(ProcessHandle process) {
        return text(Path.of("/proc", Long.toString(process.pid()), "cmdline"))
                .contains("io.clockhand.workbench.experiment.RunChild");
    }

    private static boolean isStopped(ProcessHandle process) {
        return text(Path.of("/proc", Long.toString(process.pid()), "status")).contains("State:\tT");
    }

    private static String text(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            return "";
        }
    }
}
