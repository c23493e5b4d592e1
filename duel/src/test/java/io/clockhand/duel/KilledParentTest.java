// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.duel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** However the parent dies, no contender stays behind, stopped or running. */
@DisabledOnOs(OS.WINDOWS)
class KilledParentTest {
    private static final String CHILD = "child ";
    private static final String RUNNING = "running";

    @TempDir
    private Path directory;

    @Test
    void noContenderOutlivesAParentThatIsKilledInTheMiddleOfADuel() throws IOException, InterruptedException {
        endTheParentBy("KILL");
    }

    @Tag("ci")
    @ParameterizedTest
    @ValueSource(strings = {"INT", "TERM", "HUP"})
    void noContenderOutlivesAParentThatAnotherSignalEnds(String signal) throws IOException, InterruptedException {
        endTheParentBy(signal);
    }

    private void endTheParentBy(String signal) throws IOException, InterruptedException {
        assumeFalse(isIgnored(signal), "this JVM ignores SIG" + signal + ", and so do its children");
        Process parent = Children.java(Parent.class, directory.toString());
        try {
            List<Long> children = new ArrayList<>();
            BufferedReader output = parent.inputReader();
            for (String line = output.readLine(); !RUNNING.equals(line); line = output.readLine()) {
                assertThat(line).startsWith(CHILD);
                children.add(Long.parseLong(line.substring(CHILD.length())));
            }
            assertThat(children).hasSize(3).noneMatch(Children::isGone);
            assertThat(new ProcessBuilder("/bin/sh", "-c", "kill -" + signal + " " + parent.pid())
                            .start()
                            .waitFor())
                    .isZero();
            assertThat(parent.waitFor(2, TimeUnit.MINUTES))
                    .as("the parent has ended")
                    .isTrue();
            for (long child : children) {
                Children.await("child " + child + " is gone", () -> Children.isGone(child));
            }
        } finally {
            parent.descendants().forEach(ProcessHandle::destroyForcibly);
            parent.destroyForcibly();
        }
    }

    /** A shell that runs a command in the background makes it ignore Ctrl-C, and a JVM then stays deaf to it. */
    private static boolean isIgnored(String signal) throws IOException {
        Path status = Path.of("/proc/self/status");
        if (!Files.exists(status)) {
            return false;
        }
        int number = Map.of("HUP", 1, "INT", 2, "KILL", 9, "TERM", 15).get(signal);
        String ignored = Files.readAllLines(status).stream()
                .filter(line -> line.startsWith("SigIgn:"))
                .map(line -> line.substring("SigIgn:".length()).strip())
                .findFirst()
                .orElse("0");
        return (Long.parseUnsignedLong(ignored, 16) & 1L << (number - 1)) != 0;
    }

    /** Runs a duel that is too long for the test, and prints the processes that it has started. */
    static final class Parent {
        private Parent() {}

        public static void main(String[] arguments) throws IOException, InterruptedException {
            Path directory = Path.of(arguments[0]);
            DuelSettings settings =
                    new DuelSettings(Children.SLICE, Duration.ofMinutes(10), Duration.ZERO, 1, 1, Map.of(), true);
            Referee.run(
                    List.of(Children.spinning("a", directory, "spin"), Children.spinning("b", directory, "spin")),
                    settings,
                    (fraction, text) -> {
                        if (text.startsWith("round 3 ")) {
                            ProcessHandle.current()
                                    .children()
                                    .forEach(child -> System.out.println(CHILD + child.pid()));
                            System.out.println(RUNNING);
                        }
                    });
        }
    }
}
