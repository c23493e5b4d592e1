// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.duel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

@DisabledOnOs(OS.WINDOWS)
class SignalsTest {
    @TempDir
    private Path directory;

    private final Signals signals = Signals.open().orElseThrow();
    private Process child;
    private SliceBoard board;

    @BeforeEach
    void start() throws IOException {
        board = SliceBoard.create(directory.resolve("slices"), SpinningChild.THREADS);
        child = Children.java(SpinningChild.class, directory.resolve("slices").toString(), "spin");
        signals.add(child.toHandle());
        Children.await("the child is ready", board::isReady);
    }

    @AfterEach
    void end() {
        signals.close();
        child.destroyForcibly().onExit().join();
    }

    @Test
    void stoppedProcessDoesNothingUntilItIsContinued() throws IOException, InterruptedException {
        try (LiveProcesses live = new LiveProcesses(Optional.of(signals))) {
            for (int i = 0; i < 20; i++) {
                live.stop(child.toHandle());
                long stopped = board.operations();
                assertThat(child.waitFor(5, TimeUnit.MILLISECONDS)).isFalse();
                assertThat(board.operations()).isEqualTo(stopped);
                live.resume(child.toHandle());
                Children.await("the child counts on", () -> board.operations() > stopped);
            }
        }
    }

    @Test
    void threadsThatHaveNotStoppedAreNamed() throws IOException, InterruptedException {
        assumeTrue(ProcessState.isKnown());
        assertThat(ProcessState.describeRunning(child.pid())).containsPattern("thread \\d+ is in state [RSD]");
        try (LiveProcesses live = new LiveProcesses(Optional.of(signals))) {
            live.stop(child.toHandle());
            assertThat(ProcessState.describeRunning(child.pid())).isEqualTo("all its threads have stopped by now");
        }
    }

    @Test
    void closingKillsAStoppedProcess() throws IOException {
        assertThat(signals.stop(child.toHandle())).isTrue();
        signals.close();
        child.onExit().join();
        assertThat(child.isAlive()).isFalse();
    }

    @Test
    void closingSparesAProcessThatWasRemoved() throws IOException {
        signals.remove(child.toHandle());
        signals.close();
        long counted = board.operations();
        Children.await("the child counts on", () -> board.operations() > counted);
    }

    @Test
    void signalToAProcessThatHasEndedIsReported() throws IOException {
        child.destroyForcibly().onExit().join();
        assertThat(signals.stop(child.toHandle())).isFalse();
    }
}
