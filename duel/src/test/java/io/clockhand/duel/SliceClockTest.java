// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.duel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SliceClockTest {
    @TempDir
    private Path directory;

    private SliceBoard board;
    private SliceClock clock;

    @BeforeEach
    void share() throws IOException {
        board = SliceBoard.create(directory.resolve("slices"), 3);
        clock = SliceClock.open(directory.resolve("slices"));
    }

    @Test
    void parentReadsTheSumOfAllCounters() {
        clock.counter(0).add(5);
        clock.counter(2).add(7);
        clock.counter(2).add(1);
        assertThat(board.operations()).isEqualTo(13);
        assertThat(clock.counters()).isEqualTo(3);
    }

    @Test
    void operationCountsIfItLiesWithinOneSlice() {
        board.begin(1);
        long begun = clock.slice();
        assertThat(clock.counts(begun)).isTrue();
        board.begin(2);
        assertThat(clock.counts(begun)).isFalse();
        assertThat(clock.counts(clock.slice())).isTrue();
    }

    @Test
    void operationInWarmUpOrBeforeItDoesNotCount() {
        assertThat(clock.counts(clock.slice())).isFalse();
        board.begin(-1);
        assertThat(clock.slice()).isEqualTo(-1);
        assertThat(clock.counts(clock.slice())).isFalse();
    }

    @Test
    void operationUnderWayAtTheEndDoesNotCount() {
        board.begin(1);
        long begun = clock.slice();
        assertThat(clock.isOver()).isFalse();
        board.end();
        assertThat(clock.isOver()).isTrue();
        assertThat(clock.counts(begun)).isFalse();
    }

    @Test
    void childTellsWhenItIsReady() {
        assertThat(board.isReady()).isFalse();
        clock.ready();
        assertThat(board.isReady()).isTrue();
    }

    @Test
    void counterThatIsNotThereIsRefused() {
        assertThatThrownBy(() -> clock.counter(3))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("no counter 3 among 3");
        assertThatThrownBy(() -> SliceBoard.create(directory.resolve("none"), 0))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void otherFileIsRefused() throws IOException {
        Path other = Files.write(directory.resolve("other"), new byte[128 * 7]);
        assertThatThrownBy(() -> SliceClock.open(other))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("is no file of slices");
        Path small = Files.writeString(directory.resolve("small"), "x");
        assertThatThrownBy(() -> SliceClock.open(small)).isInstanceOf(IOException.class);
    }
}
