// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.experiment;

import static org.assertj.core.api.Assertions.assertThat;

import io.clockhand.workbench.Main;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
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

    /** Ctrl-C does the same. */
    @Test
    void terminationLeavesNoProcessAndNoFileBehind() throws Exception {
        Path out = end(Process::destroy);

        try (Stream<Path> left = Files.list(out)) {
            assertThat(left).isEmpty();
        }
    }

    @Tag("ci")
    @Test
    void killLeavesNoProcessBehind() throws Exception {
        Path out = end(Process::destroyForcibly);

        assertThat(out.resolve("replay.json")).doesNotExist();
    }

    /** Ends the workbench in the middle of a duel, and awaits the ends of all its processes; returns its directory. */
    private Path end(Consumer<Process> ending) throws Exception {
        Path out = directory.resolve("out");
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                Main.class.getName()));
        command.addAll(List.of("replay --policies lru,lru --threads 1 --frames 64 --seconds 600 --out".split(" ", -1)));
        command.add(out.toString());
        Process workbench = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(directory.resolve("log").toFile())
                .start();
        try {
            List<ProcessHandle> family = awaitStoppedContender(workbench);

            ending.accept(workbench);

            assertThat(workbench.waitFor(LONGEST_SECONDS, TimeUnit.SECONDS)).isTrue();
            CompletableFuture.allOf(family.stream().map(ProcessHandle::onExit).toArray(CompletableFuture[]::new))
                    .get(LONGEST_SECONDS, TimeUnit.SECONDS);
            return out;
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
            List<ProcessHandle> family = workbench.descendants().toList();
            List<ProcessHandle> contenders =
                    family.stream().filter(InterruptedDuelTest::isContender).toList();
            if (contenders.size() == CONTENDERS && contenders.stream().anyMatch(InterruptedDuelTest::isStopped)) {
                return family;
            }
            workbench.waitFor(20, TimeUnit.MILLISECONDS);
        }
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
