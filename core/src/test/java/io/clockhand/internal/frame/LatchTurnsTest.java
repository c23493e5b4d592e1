// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.internal.frame;

import static org.assertj.core.api.Assertions.assertThat;

import io.clockhand.testing.Tier;
import io.clockhand.testing.Workers;
import io.clockhand.testing.Workers.Worker;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

/** Whose turn it is: no reader, upgrader or writer waits for ever while others come and go. */
class LatchTurnsTest extends LatchedFrame {
    @Test
    void readerThatHasWaitedForAWriterPassesTheNext() {
        latches.tryExclusive(FRAME);
        Worker<Boolean> reader = workers.start(() -> latches.acquireShared(FRAME, LONG));
        reader.awaitParked();
        AtomicBoolean in = new AtomicBoolean();
        Worker<Void> writer = workers.run(() -> {
            assertThat(latches.acquireExclusive(FRAME, LONG)).isTrue();
            in.set(true);
            latches.releaseExclusive(FRAME);
        });
        writer.awaitParked();
        latches.releaseExclusive(FRAME);
        assertThat(reader.result()).isTrue(); // though the writer waits, or was first
        latches.releaseShared(FRAME);
        writer.result();
        assertThat(in).isTrue();
    }

    @Test
    void upgraderThatHasWaitedForAWriterPassesTheNext() {
        latches.tryExclusive(FRAME);
        Worker<Boolean> upgrader = workers.start(() -> latches.acquireUpgradable(FRAME, LONG));
        upgrader.awaitParked();
        latches.releaseExclusive(FRAME);
        assertThat(upgrader.result()).isTrue();
        latches.releaseUpgradable(FRAME);
    }

    @Test
    void upgradeIsNotHeldUpByAWriterThatHasWaitedLonger() {
        latches.tryShared(FRAME);
        latches.tryUpgradable(FRAME);
        Worker<Void> writer = workers.run(() -> {
            assertThat(latches.acquireExclusive(FRAME, LONG)).isTrue();
            latches.releaseExclusive(FRAME);
        });
        writer.awaitParked();
        Worker<Void> upgrader = workers.run(() -> {
            assertThat(latches.upgrade(FRAME, LONG)).isTrue();
            latches.releaseExclusive(FRAME);
        });
        upgrader.awaitParked();
        latches.releaseShared(FRAME);
        upgrader.result();
        writer.result();
    }

    @Test
    void writerIsNotHeldUpByAnUpdaterThatItKeepsOut() {
        latches.tryShared(FRAME);
        Worker<Void> first = lateWriter();
        first.awaitParked();
        Worker<Void> upgrader = workers.run(() -> {
            assertThat(latches.acquireUpgradable(FRAME, LONG)).isTrue();
            latches.releaseUpgradable(FRAME);
        });
        upgrader.awaitParked();
        Worker<Void> second = lateWriter();
        second.awaitParked();
        latches.releaseShared(FRAME);
        first.result();
        upgrader.result();
        second.result();
    }

    private Worker<Void> lateWriter() {
        return workers.run(() -> {
            assertThat(latches.acquireExclusive(FRAME, LONG)).isTrue();
            latches.releaseExclusive(FRAME);
        });
    }

    @Test
    void writersBeyondTheCountAreNotStarvedByReaders() {
        latches.tryShared(FRAME);
        List<Worker<Void>> writers = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
            writers.add(workers.run(() -> {
                assertThat(latches.acquireExclusive(FRAME, LONG)).isTrue();
                latches.releaseExclusive(FRAME);
            }));
        }
        writers.forEach(Worker::awaitParked);
        assertThat(LatchWord.writers(states.latch(FRAME))).isEqualTo(31);
        AtomicBoolean over = new AtomicBoolean();
        Worker<Void> reader = workers.run(() -> {
            while (!over.get()) {
                assertThat(latches.acquireShared(FRAME, LONG)).isTrue();
                latches.releaseShared(FRAME);
            }
        });
        latches.releaseShared(FRAME);
        writers.forEach(Worker::result);
        over.set(true);
        reader.result();
    }

    /** Each upgrader has waited while another one wrote when its turn comes. */
    @Test
    void writerIsNotStarvedByUpdatersThatWrite() {
        int turns = Tier.pick(10, 20, 1_000);
        AtomicBoolean over = new AtomicBoolean();
        AtomicInteger written = new AtomicInteger();
        List<Worker<Void>> upgraders = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            upgraders.add(workers.run(() -> {
                while (!over.get()) {
                    assertThat(latches.acquireUpgradable(FRAME, LONG)).isTrue();
                    assertThat(latches.upgrade(FRAME, LONG)).isTrue();
                    LockSupport.parkNanos(1_000_000);
                    written.incrementAndGet();
                    latches.releaseExclusive(FRAME);
                }
            }));
        }
        Worker<Void> writer = workers.run(() -> {
            for (int i = 0; i < turns; i++) {
                int before = written.get();
                Workers.await(() -> written.get() > before + 4, "the upgraders do not write");
                assertThat(latches.acquireExclusive(FRAME, LONG)).isTrue();
                latches.releaseExclusive(FRAME);
            }
        });
        writer.result();
        over.set(true);
        upgraders.forEach(Worker::result);
    }

    /** There is always a writer that waits. */
    @Test
    void upgraderIsNotStarvedByWriters() {
        int turns = Tier.pick(10, 20, 1_000);
        AtomicBoolean over = new AtomicBoolean();
        List<Worker<Void>> writers = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            writers.add(workers.run(() -> {
                while (!over.get()) {
                    assertThat(latches.acquireExclusive(FRAME, LONG)).isTrue();
                    LockSupport.parkNanos(1_000_000);
                    latches.releaseExclusive(FRAME);
                }
            }));
        }
        Worker<Void> upgrader = workers.run(() -> {
            for (int i = 0; i < turns; i++) {
                assertThat(latches.acquireUpgradable(FRAME, LONG)).isTrue();
                latches.releaseUpgradable(FRAME);
            }
        });
        upgrader.result();
        over.set(true);
        writers.forEach(Worker::result);
    }

    /** A release chooses one writer; one that gives up at that moment must leave its turn to another. */
    @Test
    void writerThatIsChosenAsItGivesUpLeavesItsTurnToAnother() {
        int turns = Tier.pick(500, 2_000, 50_000);
        AtomicBoolean over = new AtomicBoolean();
        List<Worker<Void>> impatient = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            impatient.add(workers.run(() -> {
                while (!over.get()) {
                    if (latches.acquireExclusive(
                            FRAME, ThreadLocalRandom.current().nextInt(200_000))) {
                        LockSupport.parkNanos(20_000);
                        latches.releaseExclusive(FRAME);
                    }
                }
            }));
        }
        Worker<Void> patient = workers.run(() -> {
            for (int i = 0; i < turns; i++) {
                assertThat(latches.acquireExclusive(FRAME, LONG)).isTrue();
                latches.releaseExclusive(FRAME);
            }
        });
        patient.result();
        over.set(true);
        impatient.forEach(Worker::result);
    }
}
