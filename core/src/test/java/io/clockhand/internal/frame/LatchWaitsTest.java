// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.internal.frame;

import static org.assertj.core.api.Assertions.assertThat;

import io.clockhand.testing.Tier;
import io.clockhand.testing.Workers.Worker;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Threads that wait for a latch: when they come in, and what they leave when they give up. */
class LatchWaitsTest extends LatchedFrame {
    @Test
    void waitingWriterKeepsNewReadersOut() {
        latches.tryShared(FRAME);
        Worker<Void> writer = workers.run(() -> {
            assertThat(latches.acquireExclusive(FRAME, LONG)).isTrue();
            latches.releaseExclusive(FRAME);
        });
        writer.awaitParked();
        assertThat(latches.tryShared(FRAME)).isFalse();
        assertThat(latches.tryUpgradable(FRAME)).isFalse();
        assertThat(latches.describe(FRAME)).contains("to read by one thread").contains("1 waiting to write");
        latches.releaseShared(FRAME);
        writer.result();
        assertThat(latches.tryShared(FRAME)).isTrue();
        latches.releaseShared(FRAME);
    }

    @Test
    void writerThatGivesUpLetsReadersIn() {
        latches.tryShared(FRAME);
        Worker<Boolean> writer =
                workers.start(() -> latches.acquireExclusive(FRAME, TimeUnit.MILLISECONDS.toNanos(100)));
        writer.awaitParkedOrDone();
        Worker<Boolean> reader = workers.start(() -> latches.acquireShared(FRAME, LONG));
        assertThat(writer.result()).isFalse();
        assertThat(reader.result()).isTrue();
        latches.releaseShared(FRAME);
        latches.releaseShared(FRAME);
    }

    @Test
    void readerBeyondTheGreatestNumberWaitsForOneToLeave() {
        states.casLatch(FRAME, states.latch(FRAME), states.latch(FRAME) | LatchWord.SHARERS);
        assertThat(latches.tryShared(FRAME)).isFalse();
        assertThat(latches.acquireShared(FRAME, SHORT)).isFalse();
        Worker<Boolean> reader = workers.start(() -> latches.acquireShared(FRAME, LONG));
        reader.awaitParked();
        latches.releaseShared(FRAME);
        assertThat(reader.result()).isTrue();
        assertThat(LatchWord.sharers(states.latch(FRAME))).isEqualTo(65_535);
        for (int i = 0; i < 65_535; i++) {
            latches.releaseShared(FRAME);
        }
    }

    /** The second share goes while the reader that was chosen for the first is on its way. */
    @Test
    void readersBeyondTheGreatestNumberAllComeInWhenAsManyLeaveTogether() {
        int rounds = Tier.pick(20, 100, 2_000);
        for (int round = 0; round < rounds; round++) {
            states.casLatch(FRAME, states.latch(FRAME), states.latch(FRAME) | LatchWord.SHARERS);
            List<Worker<Boolean>> readers = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                readers.add(workers.start(() -> latches.acquireShared(FRAME, LONG)));
            }
            readers.forEach(Worker::awaitParked);
            for (int i = 0; i < 4; i++) {
                latches.releaseShared(FRAME);
            }
            readers.forEach(reader -> assertThat(reader.result()).isTrue());
            assertThat(LatchWord.sharers(states.latch(FRAME))).isEqualTo(65_535);
            states.casLatch(FRAME, states.latch(FRAME), states.latch(FRAME) & ~LatchWord.SHARERS);
        }
    }

    /** All are held back by both writers, and nobody else wakes them when the second gives up. */
    @Test
    void writersThatGiveUpLetTheReadersAndTheUpdaterInThatTheyHeldBackAtOnce() {
        latches.tryShared(FRAME);
        Worker<Void> first = workers.run(() -> giveUp(100));
        Worker<Void> second = workers.run(() -> giveUp(400));
        first.awaitParkedOrDone();
        second.awaitParkedOrDone();
        List<Worker<Boolean>> readers = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            readers.add(workers.start(() -> latches.acquireShared(FRAME, LONG)));
        }
        Worker<Boolean> upgrader = workers.start(() -> latches.acquireUpgradable(FRAME, LONG));

        first.result();
        second.result();
        for (Worker<Boolean> reader : readers) {
            assertThat(reader.result()).isTrue();
            latches.releaseShared(FRAME);
        }
        assertThat(upgrader.result()).isTrue();
        latches.releaseUpgradable(FRAME);
        latches.releaseShared(FRAME);
    }

    private void giveUp(int millis) {
        assertThat(latches.acquireExclusive(FRAME, TimeUnit.MILLISECONDS.toNanos(millis)))
                .isFalse();
    }

    @Test
    void interruptStaysPending() {
        latches.tryExclusive(FRAME);
        Worker<Boolean> reader = workers.start(() -> {
            assertThat(latches.acquireShared(FRAME, LONG)).isTrue();
            latches.releaseShared(FRAME);
            return Thread.interrupted();
        });
        reader.awaitParked();
        reader.thread().interrupt();
        latches.releaseExclusive(FRAME);
        assertThat(reader.result()).isTrue();
    }
}
