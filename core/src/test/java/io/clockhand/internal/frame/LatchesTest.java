// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.internal.frame;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.clockhand.testing.Workers;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class LatchesTest {
    private static final int FRAME = 3;
    private static final long SHORT = TimeUnit.MILLISECONDS.toNanos(5);
    private static final long LONG = TimeUnit.SECONDS.toNanos(15);

    private final FrameStates states = new FrameStates(8, true);
    private final Latches latches = new Latches(states, 8);

    @RegisterExtension
    private final Workers workers = new Workers();

    @BeforeEach
    void loadPage() {
        states.tryTakeFree(FRAME);
        states.publishPinned(FRAME, 0);
        states.ready(FRAME);
        states.unpin(FRAME);
    }

    @AfterEach
    void nothingIsLeftInTheWord() {
        assertThat(states.latch(FRAME) & ~LatchWord.VERSION & ~LatchWord.WAITED).isZero();
    }

    @Test
    void readersShareWriterExcludes() {
        assertThat(latches.tryShared(FRAME)).isTrue();
        assertThat(latches.tryShared(FRAME)).isTrue();
        assertThat(latches.tryExclusive(FRAME)).isFalse();
        latches.releaseShared(FRAME);
        assertThat(latches.acquireExclusive(FRAME, SHORT)).isFalse();
        latches.releaseShared(FRAME);
        assertThat(latches.tryExclusive(FRAME)).isTrue();
        assertThat(latches.tryShared(FRAME)).isFalse();
        assertThat(latches.tryUpdate(FRAME)).isFalse();
        assertThat(latches.acquireShared(FRAME, SHORT)).isFalse();
        assertThat(latches.acquireUpdate(FRAME, SHORT)).isFalse();
        latches.releaseExclusive(FRAME);
    }

    @Test
    void oneUpdaterIsAdmittedConcurrentlyWithReaders() {
        assertThat(latches.tryUpdate(FRAME)).isTrue();
        assertThat(latches.tryShared(FRAME)).isTrue();
        assertThat(latches.tryUpdate(FRAME)).isFalse();
        assertThat(latches.tryExclusive(FRAME)).isFalse();
        assertThat(latches.upgrade(FRAME, SHORT)).isFalse();
        latches.releaseShared(FRAME);
        assertThat(latches.upgrade(FRAME, SHORT)).isTrue();
        assertThat(latches.tryShared(FRAME)).isFalse();
        latches.releaseExclusive(FRAME);
        assertThat(latches.tryUpdate(FRAME)).isTrue();
        latches.releaseUpdate(FRAME);
    }

    @Test
    void waitingWriterKeepsNewReadersOut() {
        latches.tryShared(FRAME);
        Workers.Worker<Void> writer = workers.run(() -> {
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
        Workers.Worker<Boolean> writer =
                workers.start(() -> latches.acquireExclusive(FRAME, TimeUnit.MILLISECONDS.toNanos(300)));
        writer.awaitParked();
        Workers.Worker<Boolean> reader = workers.start(() -> latches.acquireShared(FRAME, LONG));
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
    void readerThatHasWaitedForAWriterPassesTheNext() {
        latches.tryExclusive(FRAME);
        Workers.Worker<Boolean> reader = workers.start(() -> latches.acquireShared(FRAME, LONG));
        reader.awaitParked();
        AtomicBoolean in = new AtomicBoolean();
        Workers.Worker<Void> writer = workers.run(() -> {
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
    void writersBeyondTheCountAreNotStarvedByReaders() {
        latches.tryShared(FRAME);
        List<Workers.Worker<Void>> writers = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
            writers.add(workers.run(() -> {
                assertThat(latches.acquireExclusive(FRAME, LONG)).isTrue();
                latches.releaseExclusive(FRAME);
            }));
        }
        writers.forEach(Workers.Worker::awaitParked);
        assertThat(LatchWord.writers(states.latch(FRAME))).isEqualTo(31);
        latches.releaseShared(FRAME);
        while (!writers.stream().allMatch(Workers.Worker::isDone)) {
            if (latches.acquireShared(FRAME, LONG)) {
                latches.releaseShared(FRAME);
            }
        }
        writers.forEach(Workers.Worker::result);
    }

    @Test
    void updaterThatHasWaitedForAWriterPassesTheNext() {
        latches.tryExclusive(FRAME);
        Workers.Worker<Boolean> updater = workers.start(() -> latches.acquireUpdate(FRAME, LONG));
        updater.awaitParked();
        latches.releaseExclusive(FRAME);
        assertThat(updater.result()).isTrue();
        latches.releaseUpdate(FRAME);
    }

    @Test
    void upgradeIsNotHeldUpByAWriterThatHasWaitedLonger() {
        latches.tryShared(FRAME);
        latches.tryUpdate(FRAME);
        Workers.Worker<Void> writer = workers.run(() -> {
            assertThat(latches.acquireExclusive(FRAME, LONG)).isTrue();
            latches.releaseExclusive(FRAME);
        });
        writer.awaitParked();
        Workers.Worker<Void> upgrader = workers.run(() -> {
            assertThat(latches.upgrade(FRAME, LONG)).isTrue();
            latches.releaseExclusive(FRAME);
        });
        upgrader.awaitParked();
        long begin = System.nanoTime();
        latches.releaseShared(FRAME);
        upgrader.result();
        writer.result();
        assertThat(System.nanoTime() - begin).as("nanoseconds").isLessThan(LONG / 3);
    }

    @Test
    void writerIsNotHeldUpByAnUpdaterThatItKeepsOut() {
        latches.tryShared(FRAME);
        Workers.Worker<Void> first = lateWriter();
        first.awaitParked();
        Workers.Worker<Void> updater = workers.run(() -> {
            assertThat(latches.acquireUpdate(FRAME, LONG)).isTrue();
            latches.releaseUpdate(FRAME);
        });
        updater.awaitParked();
        Workers.Worker<Void> second = lateWriter();
        second.awaitParked();
        long begin = System.nanoTime();
        latches.releaseShared(FRAME);
        first.result();
        updater.result();
        second.result();
        assertThat(System.nanoTime() - begin).as("nanoseconds").isLessThan(LONG / 3);
    }

    private Workers.Worker<Void> lateWriter() {
        return workers.run(() -> {
            assertThat(latches.acquireExclusive(FRAME, LONG)).isTrue();
            latches.releaseExclusive(FRAME);
        });
    }

    @Test
    void readerBeyondTheGreatestNumberWaitsForOneToLeave() {
        states.casLatch(FRAME, states.latch(FRAME), states.latch(FRAME) | LatchWord.SHARERS);
        assertThat(latches.tryShared(FRAME)).isFalse();
        assertThat(latches.acquireShared(FRAME, SHORT)).isFalse();
        Workers.Worker<Boolean> reader = workers.start(() -> latches.acquireShared(FRAME, LONG));
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
            List<Workers.Worker<Boolean>> readers = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                readers.add(workers.start(() -> latches.acquireShared(FRAME, LONG)));
            }
            readers.forEach(Workers.Worker::awaitParked);
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
        Workers.Worker<Long> first = workers.start(() -> giveUp(300));
        Workers.Worker<Long> second = workers.start(() -> giveUp(1_000));
        first.awaitParkedOrDone();
        second.awaitParkedOrDone();
        List<Workers.Worker<Long>> readers = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            readers.add(workers.start(() -> {
                assertThat(latches.acquireShared(FRAME, LONG)).isTrue();
                return System.nanoTime();
            }));
        }
        Workers.Worker<Long> updater = workers.start(() -> {
            assertThat(latches.acquireUpdate(FRAME, LONG)).isTrue();
            return System.nanoTime();
        });
        readers.forEach(Workers.Worker::awaitParkedOrDone);
        updater.awaitParkedOrDone();

        assertThat(second.result()).isGreaterThan(first.result());
        for (Workers.Worker<Long> reader : readers) {
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

    /** Each updater has waited while another one wrote when its turn comes. */
    @Test
    void writerIsNotStarvedByUpdatersThatWrite() {
        AtomicBoolean over = new AtomicBoolean();
        AtomicInteger written = new AtomicInteger();
        List<Workers.Worker<Void>> updaters = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            updaters.add(workers.run(() -> {
                while (!over.get()) {
                    assertThat(latches.acquireUpdate(FRAME, LONG)).isTrue();
                    assertThat(latches.upgrade(FRAME, LONG)).isTrue();
                    LockSupport.parkNanos(1_000_000);
                    written.incrementAndGet();
                    latches.releaseExclusive(FRAME);
                }
            }));
        }
        long longest = 0;
        for (int i = 0; i < 20 && !over.get(); i++) {
            int before = written.get();
            Workers.await(() -> written.get() > before + 4, "the updaters do not write");
            long begin = System.nanoTime();
            if (latches.acquireExclusive(FRAME, LONG / 5)) {
                latches.releaseExclusive(FRAME);
            } else {
                over.set(true);
            }
            longest = Math.max(longest, System.nanoTime() - begin);
        }
        over.set(true);
        updaters.forEach(Workers.Worker::result);
        assertThat(longest).as("nanoseconds").isLessThan(LONG / 5);
    }

    /** There is always a writer that waits. */
    @Test
    void updaterIsNotStarvedByWriters() {
        AtomicBoolean over = new AtomicBoolean();
        List<Workers.Worker<Void>> writers = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            writers.add(workers.run(() -> {
                while (!over.get()) {
                    assertThat(latches.acquireExclusive(FRAME, LONG)).isTrue();
                    LockSupport.parkNanos(1_000_000);
                    latches.releaseExclusive(FRAME);
                }
            }));
        }
        long longest = 0;
        for (int i = 0; i < 20; i++) {
            long begin = System.nanoTime();
            assertThat(latches.acquireUpdate(FRAME, LONG)).isTrue();
            longest = Math.max(longest, System.nanoTime() - begin);
            latches.releaseUpdate(FRAME);
        }
        over.set(true);
        writers.forEach(Workers.Worker::result);
        assertThat(longest).as("nanoseconds").isLessThan(LONG / 5);
    }

    /** A release chooses one writer; one that gives up at that moment must leave its turn to another. */
    @Test
    void writerThatIsChosenAsItGivesUpLeavesItsTurnToAnother() {
        AtomicBoolean over = new AtomicBoolean();
        List<Workers.Worker<Void>> impatient = new ArrayList<>();
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
        long longest = 0;
        for (int i = 0; i < 2_000; i++) {
            long begin = System.nanoTime();
            assertThat(latches.acquireExclusive(FRAME, LONG)).isTrue();
            longest = Math.max(longest, System.nanoTime() - begin);
            latches.releaseExclusive(FRAME);
        }
        over.set(true);
        impatient.forEach(Workers.Worker::result);
        assertThat(longest).as("nanoseconds").isLessThan(LONG / 3);
    }

    private long version() {
        return LatchWord.version(states.latch(FRAME));
    }

    @Test
    void writersAndClaimsChangeTheVersion() {
        long version = version();
        latches.tryShared(FRAME);
        latches.tryUpdate(FRAME);
        latches.releaseUpdate(FRAME);
        latches.releaseShared(FRAME);
        assertThat(version()).isEqualTo(version);
        latches.tryExclusive(FRAME);
        assertThat(LatchWord.isExclusive(states.latch(FRAME))).isTrue();
        latches.releaseExclusive(FRAME);
        assertThat(version()).isEqualTo(version + 1);
        assertThat(states.tryClaim(FRAME)).isTrue();
        assertThat(version()).isEqualTo(version + 2);
        states.revoke(FRAME, false);
        assertThat(version()).isEqualTo(version + 2);
    }

    @Test
    void closedLatchCannotBeAcquired() {
        states.tryClaim(FRAME);
        assertThat(latches.isClosed(FRAME)).isTrue();
        assertThat(latches.tryShared(FRAME)).isFalse();
        assertThat(latches.tryUpdate(FRAME)).isFalse();
        assertThat(latches.tryExclusive(FRAME)).isFalse();
        assertThat(latches.acquireShared(FRAME, SHORT)).isFalse();
        assertThat(latches.acquireUpdate(FRAME, SHORT)).isFalse();
        assertThat(latches.acquireExclusive(FRAME, SHORT)).isFalse();
        states.publishPinned(FRAME, 0);
        states.ready(FRAME, true);
        assertThat(latches.isClosed(FRAME)).isFalse();
        assertThat(latches.tryExclusive(FRAME)).as("the loader has a share").isFalse();
        latches.releaseShared(FRAME);
    }

    @Test
    void pageThatIsReadCannotBeClaimed() {
        latches.tryShared(FRAME);
        assertThat(states.tryClaim(FRAME)).isFalse();
        latches.releaseShared(FRAME);
        assertThat(states.tryClaim(FRAME)).isTrue();
        states.revoke(FRAME, false);
    }

    @Test
    void claimClearsTheMarkOfAWaiterThatHasGivenUp() {
        latches.tryShared(FRAME);
        assertThat(latches.acquireExclusive(FRAME, SHORT)).isFalse();
        states.casLatch(FRAME, states.latch(FRAME), states.latch(FRAME) | LatchWord.WAITED);
        latches.releaseShared(FRAME);
        states.casLatch(FRAME, states.latch(FRAME), states.latch(FRAME) | LatchWord.WAITED);
        states.tryClaim(FRAME);
        assertThat(states.latch(FRAME) & LatchWord.WAITED).isZero();
        states.revoke(FRAME, false);
    }

    @Test
    void latchWithoutSharesCannotBeReleasedByAReader() {
        long word = states.latch(FRAME);
        assertThatThrownBy(() -> latches.releaseShared(FRAME))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("released by a reader");
        assertThat(states.latch(FRAME)).isEqualTo(word);
    }

    @Test
    void versionsWrapWithoutATraceInOtherFields() {
        states.casLatch(FRAME, states.latch(FRAME), LatchWord.VERSION);
        assertThat(version()).isPositive();
        latches.tryExclusive(FRAME);
        latches.releaseExclusive(FRAME);
        assertThat(version()).isZero();
        states.casLatch(FRAME, states.latch(FRAME), LatchWord.VERSION);
        states.tryClaim(FRAME);
        assertThat(version()).isZero();
        states.revoke(FRAME, false);
    }

    @Test
    void holderIsNamed() {
        assertThat(latches.describe(FRAME)).isEqualTo("not latched");
        latches.tryExclusive(FRAME);
        assertThat(latches.describe(FRAME))
                .contains("to write by thread '" + Thread.currentThread().getName() + "'");
        latches.releaseExclusive(FRAME);
    }

    @Test
    void releaseWithoutALatchIsRefused() {
        assertThatThrownBy(() -> latches.releaseShared(FRAME)).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> latches.releaseUpdate(FRAME)).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> latches.releaseExclusive(FRAME)).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> latches.upgrade(FRAME, SHORT)).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void interruptStaysPending() {
        latches.tryExclusive(FRAME);
        Workers.Worker<Boolean> reader = workers.start(() -> {
            assertThat(latches.acquireShared(FRAME, LONG)).isTrue();
            latches.releaseShared(FRAME);
            return Thread.interrupted();
        });
        reader.awaitParked();
        reader.thread().interrupt();
        latches.releaseExclusive(FRAME);
        assertThat(reader.result()).isTrue();
    }

    /** Two plain numbers that writers change together; a reader, an updater or a writer never sees them differ. */
    @Test
    void modesExcludeEachOtherUnderLoad() {
        long[] pair = new long[2];
        AtomicInteger updaters = new AtomicInteger();
        AtomicBoolean over = new AtomicBoolean();
        List<Workers.Worker<Integer>> running = new ArrayList<>();
        for (int thread = 0; thread < 8; thread++) {
            int number = thread;
            running.add(workers.start(() -> useLatch(number, pair, updaters, over)));
        }
        long end = System.nanoTime() + 500_000_000;
        Workers.await(
                () -> System.nanoTime() > end || running.stream().anyMatch(Workers.Worker::isDone),
                "time stands still");
        over.set(true);
        for (Workers.Worker<Integer> worker : running) {
            assertThat(worker.result()).as("turns of a thread").isPositive();
        }
    }

    private int useLatch(int number, long[] pair, AtomicInteger updaters, AtomicBoolean over) {
        int turns = 0;
        for (; !over.get() || turns == 0; turns++) {
            int kind = (number + turns) % 4;
            if (kind == 0) {
                assertThat(latches.acquireExclusive(FRAME, LONG)).isTrue();
                write(pair);
                latches.releaseExclusive(FRAME);
            } else if (kind == 1) {
                assertThat(latches.acquireUpdate(FRAME, LONG)).isTrue();
                assertThat(updaters.incrementAndGet()).isOne();
                assertThat(pair[0]).isEqualTo(pair[1]);
                if (turns % 2 == 0) {
                    assertThat(latches.upgrade(FRAME, LONG)).isTrue();
                    write(pair);
                    updaters.decrementAndGet();
                    latches.releaseExclusive(FRAME);
                } else {
                    updaters.decrementAndGet();
                    latches.releaseUpdate(FRAME);
                }
            } else {
                assertThat(latches.acquireShared(FRAME, LONG)).isTrue();
                assertThat(pair[0]).isEqualTo(pair[1]);
                latches.releaseShared(FRAME);
            }
        }
        return turns;
    }

    private static void write(long[] pair) {
        assertThat(pair[0]).isEqualTo(pair[1]);
        pair[0]++;
        Thread.onSpinWait();
        pair[1]++;
    }
}
