// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.internal.frame;

import static org.assertj.core.api.Assertions.assertThat;

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
        assertThat(latches.tryUpdate(FRAME)).isFalse();
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
                workers.start(() -> latches.acquireExclusive(FRAME, TimeUnit.MILLISECONDS.toNanos(300)));
        writer.awaitParkedOrDone();
        Worker<Boolean> reader = workers.start(() -> latches.acquireShared(FRAME, LONG));
        assertThat(writer.result()).isFalse();
        long givenUp = System.nanoTime();
        assertThat(reader.result()).isTrue();
        assertThat(System.nanoTime() - givenUp)
                .as("woken, and not at the end of its own wait")
                .isLessThan(LONG / 2);
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
        long begin = System.nanoTime();
        latches.releaseShared(FRAME);
        assertThat(reader.result()).isTrue();
        assertThat(System.nanoTime() - begin).as("nanoseconds").isLessThan(LONG / 3);
        assertThat(LatchWord.sharers(states.latch(FRAME))).isEqualTo(65_535);
        for (int i = 0; i < 65_535; i++) {
            latches.releaseShared(FRAME);
        }
    }

    /** The second share goes while the reader that was chosen for the first is on its way. */
    @Test
    void readersBeyondTheGreatestNumberAllComeInWhenAsManyLeaveTogether() {
        for (int round = 0; round < 20; round++) {
            states.casLatch(FRAME, states.latch(FRAME), states.latch(FRAME) | LatchWord.SHARERS);
            List<Worker<Boolean>> readers = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                readers.add(workers.start(() -> latches.acquireShared(FRAME, LONG)));
            }
            readers.forEach(Worker::awaitParked);
            long begin = System.nanoTime();
            for (int i = 0; i < 4; i++) {
                latches.releaseShared(FRAME);
            }
            readers.forEach(reader -> assertThat(reader.result()).isTrue());
            assertThat(System.nanoTime() - begin).as("nanoseconds").isLessThan(LONG / 3);
            assertThat(LatchWord.sharers(states.latch(FRAME))).isEqualTo(65_535);
            states.casLatch(FRAME, states.latch(FRAME), states.latch(FRAME) & ~LatchWord.SHARERS);
        }
    }

    /** All are held back by both writers, so they come in when the second gives up, and no later. */
    @Test
    void writersThatGiveUpLetTheReadersAndTheUpdaterInThatTheyHeldBackAtOnce() {
        latches.tryShared(FRAME);
        Worker<Long> first = workers.start(() -> giveUp(300));
        Worker<Long> second = workers.start(() -> giveUp(1_000));
        first.awaitParkedOrDone();
        second.awaitParkedOrDone();
        List<Worker<Long>> readers = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            readers.add(workers.start(() -> {
                assertThat(latches.acquireShared(FRAME, LONG)).isTrue();
                return System.nanoTime();
            }));
        }
        Worker<Long> updater = workers.start(() -> {
            assertThat(latches.acquireUpdate(FRAME, LONG)).isTrue();
            return System.nanoTime();
        });
        readers.forEach(Worker::awaitParkedOrDone);
        updater.awaitParkedOrDone();

        assertThat(second.result()).isGreaterThan(first.result());
        for (Worker<Long> reader : readers) {
            assertThat(reader.result() - second.result()).as("nanoseconds").isBetween(-LONG / 3, LONG / 3);
            latches.releaseShared(FRAME);
        }
        assertThat(updater.result() - second.result()).as("nanoseconds").isBetween(-LONG / 3, LONG / 3);
        latches.releaseUpdate(FRAME);
        latches.releaseShared(FRAME);
    }

    /** {@return when a writer gave up} */
    private long giveUp(int millis) {
        assertThat(latches.acquireExclusive(FRAME, TimeUnit.MILLISECONDS.toNanos(millis)))
                .isFalse();
        return System.nanoTime();
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
