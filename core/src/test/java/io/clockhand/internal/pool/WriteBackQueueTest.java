// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.internal.pool;

import static org.assertj.core.api.Assertions.assertThat;

import io.clockhand.testing.Workers;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class WriteBackQueueTest {
    private static final int FRAMES = 100;

    @RegisterExtension
    final Workers workers = new Workers();

    private final AtomicIntegerArray marks = new AtomicIntegerArray(FRAMES);
    private final WriteBackQueue queue =
            new WriteBackQueue(FRAMES, () -> FRAMES, () -> FRAMES, frame -> marks.get(frame) > 0, frame -> 0, () -> {});

    @Test
    void framesComeOutInTheOrderInWhichTheyWereAdded() {
        for (int round = 0; round < 1000; round++) {
            assertThat(queue.add(7)).isTrue();
            assertThat(queue.add(3)).isTrue();
            assertThat(queue.length()).isEqualTo(2);
            assertThat(queue.poll()).isEqualTo(7);
            assertThat(queue.poll()).isEqualTo(3);
            assertThat(queue.poll()).isEqualTo(WriteBackQueue.NONE);
            assertThat(queue.isEmpty()).isTrue();
        }
    }

    @Test
    void frameIsInTheQueueOnce() {
        assertThat(queue.add(3)).isTrue();
        assertThat(queue.add(3)).isTrue();

        assertThat(queue.poll()).isEqualTo(3);
        assertThat(queue.poll()).isEqualTo(WriteBackQueue.NONE);

        assertThat(queue.add(3)).as("again, once it was taken").isTrue();
        assertThat(queue.poll()).as("the frame that was added again").isEqualTo(3);
    }

    @Test
    void everyFrameUpToTheSoftMaximumFits() {
        for (int frame = 0; frame < FRAMES; frame++) {
            assertThat(queue.add(frame)).isTrue();
        }
        for (int frame = 0; frame < FRAMES; frame++) {
            assertThat(queue.poll()).isEqualTo(frame);
        }
    }

    @Test
    void fullQueueRefusesAFrameAndTakesItLater() {
        WriteBackQueue small =
                new WriteBackQueue(1, () -> FRAMES, () -> FRAMES, frame -> marks.get(frame) > 0, frame -> 0, () -> {});
        int added = 0;
        while (small.add(1000 + added)) { // past the soft maximum
            added++;
        }
        assertThat(small.length()).isEqualTo(added);
        assertThat(small.add(0)).isFalse();

        assertThat(small.poll()).isEqualTo(1000);

        assertThat(small.add(0)).isTrue();
    }

    @Test
    void frameThatFoundTheQueueFullKeepsItFromBeingEmptyUntilAllAreAddedAgain() {
        WriteBackQueue small =
                new WriteBackQueue(1, () -> FRAMES, () -> FRAMES, frame -> marks.get(frame) > 0, frame -> 0, () -> {});
        int added = 0;
        while (small.add(1000 + added)) {
            added++;
        }
        for (int i = 0; i < added; i++) {
            assertThat(small.isEmpty()).isFalse();
            small.poll();
        }
        assertThat(small.length()).isZero();
        assertThat(small.isEmpty())
                .as("the queue is empty though a frame has found no cell")
                .isFalse();
        marks.set(7, 1);
        assertThat(small.poll()).as("the marked frame").isEqualTo(7);
        assertThat(small.isEmpty()).isTrue();
    }

    @Test
    void frameThatHasFoundNoCellAndLostItsMarkIsNotAddedAgain() {
        AtomicInteger nudges = new AtomicInteger();
        WriteBackQueue small =
                new WriteBackQueue(1, () -> FRAMES, () -> FRAMES, frame -> marks.get(frame) > 0, frame -> 0, () -> {});
        small.use(nudges::incrementAndGet);
        int added = 0;
        while (small.add(1000 + added)) {
            added++;
        }
        for (int i = 0; i < added; i++) {
            small.poll();
        }
        assertThat(nudges).hasValue(0);

        assertThat(small.poll()).isEqualTo(WriteBackQueue.NONE);

        assertThat(nudges)
                .as("other cleaners are notified of the frames that were added again")
                .hasValue(1);
        assertThat(small.isEmpty()).isTrue();
    }

    @Test
    void tenthOfTheFramesIsLong() {
        for (int frame = 0; frame < FRAMES / 10; frame++) {
            assertThat(queue.isLong()).isFalse();
            queue.add(frame);
        }
        assertThat(queue.isLong()).isTrue();
    }

    @Test
    void weightTellsWhetherAPageWasUsedSinceItWasAdded() {
        AtomicInteger weight = new AtomicInteger(1);
        WriteBackQueue weighed =
                new WriteBackQueue(FRAMES, () -> FRAMES, () -> FRAMES, frame -> false, frame -> weight.get(), () -> {});
        weighed.add(7);
        assertThat(weighed.wasUsedSinceAdded(7)).isFalse();
        weight.set(2);
        assertThat(weighed.wasUsedSinceAdded(7)).as("a page was used").isTrue();
        weighed.add(8);
        assertThat(weighed.wasUsedSinceAdded(8))
                .as("a page that was taken in spite of its weight was used")
                .isFalse();
        weight.set(300);
        weighed.add(9);
        assertThat(weighed.wasUsedSinceAdded(9))
                .as("a page with a greater weight than the queue keeps was used")
                .isFalse();
    }

    /** A pool may have words for many more frames than it uses: else changes would never be paced in it. */
    @Test
    void framesThatAreNotUsedDoNotCount() {
        WriteBackQueue large = new WriteBackQueue(
                FRAMES * 100, () -> FRAMES * 100, () -> FRAMES, frame -> false, frame -> 0, () -> {});
        for (int frame = 0; frame < FRAMES / 10; frame++) {
            large.add(frame);
        }
        assertThat(large.isLong()).as("the queue is long").isTrue();
    }

    @Test
    void cleanerIsNotifiedWhileThereIsOne() {
        AtomicInteger nudges = new AtomicInteger();
        assertThat(queue.hasCleaner()).isFalse();
        queue.use(nudges::incrementAndGet);
        assertThat(queue.hasCleaner()).isTrue();

        queue.nudge();
        queue.use(null);
        queue.nudge();

        assertThat(nudges).hasValue(1);
    }

    /**
     * Each adder has frames of its own, and marks one before it adds it. A frame that finds no cell, because a taker
     * stalls in the cell that is next, keeps its mark; a taker that finds the queue empty adds the marked frames again.
     */
    @Test
    void concurrentAddersAndTakersLoseNoFrame() {
        int rounds = 20_000;
        AtomicInteger handled = new AtomicInteger();
        AtomicInteger adding = new AtomicInteger(2);
        List<Workers.Worker<Void>> running = new ArrayList<>();
        for (int adder = 0; adder < 2; adder++) {
            int parity = adder;
            running.add(workers.run(() -> {
                for (int i = 0; i < rounds; i++) {
                    int frame = (2 * i + parity) % FRAMES;
                    marks.getAndIncrement(frame);
                    queue.add(frame);
                }
                adding.getAndDecrement();
            }));
        }
        for (int taker = 0; taker < 2; taker++) {
            running.add(workers.run(() -> {
                for (boolean last = false; !last; ) {
                    last = adding.get() == 0; // first: what was added before is found
                    takeAll(handled);
                }
            }));
        }
        running.forEach(Workers.Worker::result);
        takeAll(handled);

        assertThat(handled).hasValue(2 * rounds);
        assertThat(queue.length()).isZero();
    }

    private void takeAll(AtomicInteger handled) {
        for (int frame = queue.poll(); frame != WriteBackQueue.NONE; frame = queue.poll()) {
            handled.addAndGet(marks.getAndSet(frame, 0));
        }
    }
}
