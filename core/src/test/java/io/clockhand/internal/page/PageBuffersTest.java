// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.internal.page;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.clockhand.internal.frame.FrameMemory;
import io.clockhand.internal.frame.FrameStates;
import io.clockhand.internal.pool.PoolOptions;
import io.clockhand.testing.Workers;
import io.clockhand.testing.Workers.Worker;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class PageBuffersTest {
    private static final int FRAMES = 4;
    /** Longer than any test: a thread whose wait only the time would end is stuck. */
    private static final Duration LONG = Duration.ofHours(1);

    @RegisterExtension
    private final Workers workers = new Workers();

    private final PageBuffers buffers = buffers(Duration.ofMillis(5));

    private static PageBuffers buffers(Duration longWait) {
        return buffers(longWait, FRAMES);
    }

    private static PageBuffers buffers(Duration longWait, int most) {
        return new PageBuffers(
                new FrameStates(most, true),
                new PoolOptions(
                        "",
                        FRAMES,
                        most,
                        true,
                        Duration.ofSeconds(1),
                        "",
                        IllegalStateException::new,
                        longWait,
                        (what, waited) -> {
                            throw new IllegalStateException(what);
                        }),
                1024,
                false);
    }

    private static Deque<Integer> takeAll(PageBuffers buffers) {
        Deque<Integer> taken = new ArrayDeque<>();
        for (int buffer = buffers.memory().poll(); buffer != FrameMemory.NONE; ) {
            taken.add(buffer);
            buffer = buffers.memory().poll();
        }
        return taken;
    }

    @Test
    void viewIsTheSameEachTimeAndAsNewWhateverItsLastUserDid() {
        int buffer = buffers.memory().poll();
        ByteBuffer view = buffers.bytes(buffer);
        view.order(ByteOrder.LITTLE_ENDIAN).position(8).mark().limit(16);

        assertThat(buffers.bytes(buffer)).isSameAs(view);
        assertThat(view.order()).isEqualTo(ByteOrder.BIG_ENDIAN);
        assertThat(view.remaining()).isEqualTo(1024);
        view.putLong(1016, 7);
        assertThat(buffers.memory().getLong(buffer, 1016)).isEqualTo(7);
    }

    @Test
    void concurrentReaderWithoutABufferTakesNoPlace() {
        int first = buffers.takeSpare();
        assertThat(buffers.takeSpare()).isNotEqualTo(FrameMemory.NONE);
        for (int i = 0; i < 5; i++) {
            assertThat(buffers.takeSpare()).isEqualTo(FrameMemory.NONE);
        }

        buffers.giveBack(first);
        buffers.endSpare();

        assertThat(buffers.takeSpare()).as("a spare buffer").isNotEqualTo(FrameMemory.NONE);
    }

    @Test
    void waitForABufferIsBoundedAndNamesThePage() {
        Deque<Integer> taken = takeAll(buffers);

        assertThatThrownBy(() -> buffers.reserve(0, id -> "page 7")).hasMessageContaining("a buffer for page 7");

        buffers.giveBack(taken.pop());
        buffers.reserve(0, id -> "page 7");
    }

    @Test
    void threadsThatWaitForABufferGetItWhenItIsReturnedAndInOrderOfArrival() {
        PageBuffers waitedFor = buffers(LONG);
        Deque<Integer> taken = takeAll(waitedFor);
        List<Worker<Void>> waiters = new ArrayList<>();
        for (int frame = 0; frame < FRAMES; frame++) {
            int mine = frame;
            waiters.add(workers.run(() -> waitedFor.reserve(mine, id -> "page " + mine)));
            waiters.get(frame).awaitParked();
        }
        for (int frame = 0; frame < FRAMES; frame++) {
            int returned = taken.pop();
            waitedFor.giveBack(returned);
            waiters.get(frame).result();
            assertThat(waitedFor.reserved(frame)).isEqualTo(returned);
            assertThat(waiters.subList(frame + 1, FRAMES)).noneMatch(Worker::isDone);
        }
    }

    @Test
    void threadThatWaitsForABufferGetsOneWhenThereAreMore() {
        PageBuffers growing = buffers(Duration.ofMinutes(2), 2 * FRAMES);
        takeAll(growing);
        Worker<Void> waiter = workers.run(() -> growing.reserve(0, id -> "page 7"));
        waiter.awaitParked();
        growing.setFrames(2 * FRAMES);
        Workers.await(waiter::isDone, "the thread that waits for a buffer is not woken");
        waiter.result();
    }

    @Test
    void concurrentReaderTakesNoBufferForWhichAThreadWaits() {
        PageBuffers waitedFor = buffers(LONG);
        Deque<Integer> taken = takeAll(waitedFor);
        Worker<Void> waiter = workers.run(() -> waitedFor.reserve(0, id -> "page 7"));
        waiter.awaitParked();
        waitedFor.memory().offer(taken.pop()); // free, but the line is not notified yet

        assertThat(waitedFor.takeSpare()).isEqualTo(FrameMemory.NONE);

        waitedFor.giveBack(taken.pop());
        waiter.result();
        assertThat(waitedFor.takeSpare()).isNotEqualTo(FrameMemory.NONE);
    }

    @Test
    void interruptedWaitForABufferStaysInterruptedAndGetsTheBuffer() {
        PageBuffers waitedFor = buffers(LONG);
        Deque<Integer> taken = takeAll(waitedFor);
        Worker<Boolean> waiter = workers.start(() -> {
            Thread.currentThread().interrupt();
            waitedFor.reserve(2, id -> "page 7");
            return Thread.interrupted();
        });
        waiter.awaitParked();

        waitedFor.giveBack(taken.peek());

        assertThat(waiter.result()).isTrue();
        assertThat(waitedFor.reserved(2)).isEqualTo(taken.peek());
    }
}
