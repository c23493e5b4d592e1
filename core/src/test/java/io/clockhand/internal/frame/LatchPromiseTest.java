// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.internal.frame;

import static org.assertj.core.api.Assertions.assertThat;

import io.clockhand.testing.Tier;
import io.clockhand.testing.Workers;
import io.clockhand.testing.Workers.Worker;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/**
 * The latch is promised to a waiter from which another thread takes it again and again. Here that needs no
 * millisecond: each waiter that finds the latch taken again has it promised.
 */
class LatchPromiseTest extends LatchedFrame {
    private final Latches eager = new Latches(states, 8, 0);

    @Test
    void latchIsPromisedToAWriterThatWasWokenInVain() {
        Worker<Boolean> writer =
                promised(() -> eager.acquireExclusive(FRAME, LONG), () -> eager.releaseExclusive(FRAME));

        free();
        assertThat(eager.tryExclusive(FRAME)).isFalse();
        assertThat(eager.tryUpgradable(FRAME)).isFalse();
        assertThat(eager.tryShared(FRAME)).isFalse();
        wake();
        assertThat(writer.result()).isTrue();
        assertThat(states.latch(FRAME) & LatchWord.PROMISED).isZero();
        eager.releaseExclusive(FRAME);
    }

    @Test
    void latchIsPromisedToAnUpdaterThatWasWokenInVain() {
        Worker<Boolean> upgrader =
                promised(() -> eager.acquireUpgradable(FRAME, LONG), () -> eager.releaseUpgradable(FRAME));

        free();
        assertThat(eager.tryExclusive(FRAME)).isFalse();
        assertThat(eager.tryUpgradable(FRAME)).isFalse();
        assertThat(eager.tryShared(FRAME)).isTrue(); // a reader is in nobody's way
        eager.releaseShared(FRAME); // wakes the upgrader
        assertThat(upgrader.result()).isTrue();
        assertThat(states.latch(FRAME) & LatchWord.PROMISED).isZero();
        eager.releaseUpgradable(FRAME);
    }

    @Test
    void latchIsPromisedToAReaderThatWasWokenInVain() {
        Worker<Boolean> reader = promised(() -> eager.acquireShared(FRAME, LONG), () -> eager.releaseShared(FRAME));

        free();
        assertThat(eager.tryExclusive(FRAME)).isFalse();
        assertThat(eager.tryUpgradable(FRAME)).isFalse();
        wake();
        assertThat(reader.result()).isTrue();
        assertThat(states.latch(FRAME) & LatchWord.PROMISED).isZero();
        eager.releaseShared(FRAME);
    }

    /** The version stays the same, so that the reader has not waited while the waiting writer's predecessor wrote. */
    @Test
    void readerWithAPromisePassesWritersThatWait() {
        Worker<Boolean> reader = promised(() -> eager.acquireShared(FRAME, LONG), () -> eager.releaseShared(FRAME));
        Worker<Boolean> writer = workers.start(() -> eager.acquireExclusive(FRAME, LONG));
        awaitWriters(1);

        eager.releaseUnchanged(FRAME);
        assertThat(reader.result()).isTrue();
        eager.releaseShared(FRAME);
        assertThat(writer.result()).isTrue();
        eager.releaseExclusive(FRAME);
    }

    /**
     * Of those that have no promise, one upgrader passes the writers that wait, and the next waits for one of these.
     */
    @Test
    void upgraderWithAPromiseComesThoughItIsTheTurnOfAWriter() {
        boolean promised;
        do {
            assertThat(eager.tryExclusive(FRAME)).isTrue();
            Worker<Boolean> writer = workers.start(() -> eager.acquireExclusive(FRAME, LONG));
            writer.awaitParked();
            Worker<Boolean> upgrader = workers.start(() -> eager.acquireUpgradable(FRAME, LONG));
            upgrader.awaitParked();
            eager.releaseExclusive(FRAME); // chooses the upgrader
            promised = eager.tryExclusive(FRAME);
            if (promised) {
                Workers.await(() -> (states.latch(FRAME) & LatchWord.PROMISED) != 0, "no latch is promised");
                upgrader.awaitParked();
                eager.releaseExclusive(FRAME);
            }
            assertThat(upgrader.result()).isTrue();
            eager.releaseUpgradable(FRAME);
            assertThat(writer.result()).isTrue();
            eager.releaseExclusive(FRAME);
        } while (!promised);
    }

    /** A writer that is not counted is woken to count itself, and cannot come in before the reader. */
    @Test
    void readerWithAPromiseIsWokenBesideAWriterThatMustCountItself() {
        Worker<Boolean> reader = promised(() -> eager.acquireShared(FRAME, LONG), () -> eager.releaseShared(FRAME));
        states.addToLatch(FRAME, LatchWord.WRITERS); // as many writers as can be counted wait
        Worker<Boolean> writer = workers.start(() -> eager.acquireExclusive(FRAME, LONG));
        writer.awaitParked();
        states.addToLatch(FRAME, -LatchWord.WRITERS); // the last of them has come in

        eager.releaseExclusive(FRAME);
        assertThat(reader.result()).isTrue();
        eager.releaseShared(FRAME);
        assertThat(writer.result()).isTrue();
        eager.releaseExclusive(FRAME);
    }

    /** The writer that is kept out by nothing but the promise of a reader comes in when the reader has gone. */
    @Test
    void upgraderComesInAsSoonAsTheReaderHasUsedItsPromise() {
        Worker<Boolean> reader = promised(() -> eager.acquireShared(FRAME, LONG), () -> eager.releaseShared(FRAME));
        Worker<Boolean> upgrader = workers.start(() -> eager.acquireUpgradable(FRAME, LONG));
        upgrader.awaitParked();

        eager.releaseExclusive(FRAME);
        assertThat(reader.result()).isTrue();
        assertThat(upgrader.result()).isTrue(); // while the reader stays
        eager.releaseUpgradable(FRAME);
        eager.releaseShared(FRAME);
    }

    @Test
    void promiseOfAThreadThatGivesUpKeepsNobodyOut() {
        long time = TimeUnit.MILLISECONDS.toNanos(200);
        giveUp(promised(() -> eager.acquireExclusive(FRAME, time), () -> eager.releaseExclusive(FRAME)));
        giveUp(promised(() -> eager.acquireUpgradable(FRAME, time), () -> eager.releaseUpgradable(FRAME)));
        giveUp(promised(() -> eager.acquireShared(FRAME, time), () -> eager.releaseShared(FRAME)));
    }

    private void giveUp(Worker<Boolean> waiter) {
        assertThat(waiter.result()).isFalse();
        assertThat(states.latch(FRAME) & LatchWord.PROMISED).isZero();
        eager.releaseExclusive(FRAME);
        assertThat(eager.tryExclusive(FRAME)).isTrue();
        eager.releaseExclusive(FRAME);
    }

    @Test
    void holderOfUpdateModeUpgradesBeforeThePromiseIsKept() {
        Worker<Boolean> writer =
                promised(() -> eager.acquireExclusive(FRAME, LONG), () -> eager.releaseExclusive(FRAME));
        long word = states.latch(FRAME); // as if an upgrader had come in before the promise was made
        states.casLatch(FRAME, word, (word & ~LatchWord.EXCLUSIVE) | LatchWord.UPGRADABLE);

        assertThat(eager.tryUpgrade(FRAME)).isTrue();
        eager.releaseExclusive(FRAME);
        assertThat(writer.result()).isTrue();
        eager.releaseExclusive(FRAME);
    }

    /** All of them barge, are woken in vain and give up, in all modes; one that nobody wakes is stuck. */
    @Test
    void noThreadIsForgottenBetweenPromises() {
        int turns = Tier.pick(2_000, 10_000, 50_000);
        AtomicInteger writing = new AtomicInteger();
        List<Worker<Void>> users = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            int user = i;
            users.add(workers.run(() -> {
                for (int turn = 0; turn < turns; turn++) {
                    use((user + turn) % 5, writing);
                }
            }));
        }
        users.forEach(Worker::result);
        assertThat(states.latch(FRAME) & LatchWord.PROMISED).isZero();
    }

    private void use(int way, AtomicInteger writing) {
        switch (way) {
            case 0 -> {
                assertThat(eager.acquireShared(FRAME, LONG)).isTrue();
                assertThat(writing.get()).isZero();
                eager.releaseShared(FRAME);
            }
            case 1 -> {
                assertThat(eager.acquireUpgradable(FRAME, LONG)).isTrue();
                assertThat(writing.get()).isZero();
                assertThat(eager.upgrade(FRAME, LONG)).isTrue();
                write(writing);
            }
            case 2 -> {
                if (eager.acquireExclusive(FRAME, ThreadLocalRandom.current().nextInt(50_000))) {
                    write(writing);
                }
            }
            case 3 -> {
                if (eager.acquireUpgradable(FRAME, ThreadLocalRandom.current().nextInt(50_000))) {
                    assertThat(writing.get()).isZero();
                    eager.releaseUpgradable(FRAME);
                }
            }
            default -> {
                assertThat(eager.acquireExclusive(FRAME, LONG)).isTrue();
                write(writing);
            }
        }
    }

    private void write(AtomicInteger writing) {
        assertThat(writing.incrementAndGet()).isEqualTo(1);
        Thread.onSpinWait();
        writing.decrementAndGet();
        eager.releaseExclusive(FRAME);
    }

    /** The first of two steps of a release: nobody has the latch, and the waiter is not woken yet. */
    private void free() {
        states.addToLatch(FRAME, -LatchWord.EXCLUSIVE);
    }

    private void wake() {
        states.addToLatch(FRAME, LatchWord.EXCLUSIVE);
        eager.releaseExclusive(FRAME);
    }

    /**
     * Starts a thread that waits, takes the latch from it when it is woken, and returns it with the latch promised to
     * it and latched exclusively by the caller.
     *
     * @param acquire waits for the latch
     * @param release undoes it, for a waiter that was too fast for the caller
     */
    private Worker<Boolean> promised(Callable<Boolean> acquire, Runnable release) {
        for (; ; ) {
            assertThat(eager.tryExclusive(FRAME)).isTrue();
            Worker<Boolean> waiter = workers.start(acquire);
            awaitMark(waiter);
            eager.releaseUnchanged(FRAME); // chooses the waiter, and clears the mark of its line
            if (eager.tryExclusive(FRAME)) {
                awaitMark(waiter);
                if ((states.latch(FRAME) & LatchWord.PROMISED) != 0) {
                    return waiter;
                }
                waiter.awaitParkedOrDone();
                assertThat(waiter.isDone()) // its time was over before
                        .as("the promise to a waiter that was woken in vain")
                        .isTrue();
                eager.releaseExclusive(FRAME);
            } else if (waiter.result()) {
                release.run();
            }
        }
    }

    /** A waiter marks the latch when it queues itself; the mark of the last one goes when it is chosen. */
    private void awaitMark(Worker<Boolean> waiter) {
        Workers.await(
                () -> (states.latch(FRAME) & LatchWord.WAITED) != 0 || waiter.isDone(), "the waiter does not wait");
    }

    private void awaitWriters(int writers) {
        Workers.await(() -> LatchWord.writers(states.latch(FRAME)) == writers, "the writer does not wait");
    }
}
