// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.internal.frame;

import static org.assertj.core.api.Assertions.assertThat;

import io.clockhand.internal.frame.BufferLine.Place;
import io.clockhand.testing.Allocations;
import io.clockhand.testing.Gate;
import io.clockhand.testing.Tier;
import io.clockhand.testing.Workers;
import io.clockhand.testing.Workers.Worker;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The line of threads that wait for a buffer: step by step, and under load. */
class BufferLineTest {
    /** Longer than any test: a thread whose wait only the time would end is stuck. */
    private static final long LONG = TimeUnit.HOURS.toNanos(1);

    private static final int PAGE_BYTES = 512;
    private static final int BUFFERS = 2;

    private final FrameMemory memory = new FrameMemory(PAGE_BYTES, BUFFERS);
    private final BufferLine line = new BufferLine(memory);

    @RegisterExtension
    private final Workers workers = new Workers();

    private static boolean isInLine(Worker<?> worker) {
        return Stream.of(worker.thread().getStackTrace())
                .anyMatch(call -> call.getMethodName().equals("parkUntil"));
    }

    private void giveBack(int buffer) {
        memory.offer(buffer);
        line.onFree();
    }

    @Test
    void bufferIsWantedWhileAThreadIsInTheLine() {
        Place one = new Place();
        Place two = new Place();
        assertThat(line.isWanted()).isFalse();
        line.enter(one);
        line.enter(two);
        assertThat(line.isWanted()).isTrue();
        line.leave(one);
        assertThat(line.isWanted()).isTrue();
        line.leave(two);
        assertThat(line.isWanted()).isFalse();
    }

    @Test
    void firstOfTheLineTriesAndALaterOneSleeps() {
        Place one = new Place();
        Place two = new Place();
        line.enter(one);
        line.enter(two);
        assertThat(one.getAsBoolean()).isTrue();
        assertThat(two.getAsBoolean()).isFalse();
        line.leave(two);
        line.leave(one);
    }

    @Test
    void failureEndsTheWaitsOfAllThreadsInTheLine() {
        memory.poll();
        memory.poll();
        List<Worker<Integer>> waiters = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            Worker<Integer> waiter = workers.start(() -> line.await(new Place(), LONG));
            waiter.awaitParked();
            waiters.add(waiter);
        }

        line.endWaits();

        for (Worker<Integer> waiter : waiters) {
            assertThat(waiter.result()).isEqualTo(BufferLine.NONE);
        }
        assertThat(line.isWanted()).isFalse();
    }

    @Test
    void threadThatComesAfterTheFailureDoesNotWait() {
        memory.poll();
        memory.poll();
        line.endWaits();

        Worker<Integer> waiter = workers.start(() -> line.await(new Place(), LONG));

        assertThat(waiter.result()).isEqualTo(BufferLine.NONE);
    }

    @Test
    void threadThatLeavesGivesTheNextATurnIfABufferIsFree() {
        int taken = memory.poll();
        memory.poll();
        Place one = new Place();
        Place two = new Place();
        Place three = new Place();
        line.enter(one);
        line.enter(two);
        line.enter(three);
        line.leave(one);
        assertThat(two.getAsBoolean()).as("no buffer is free").isFalse();
        memory.offer(taken);
        line.leave(two);
        assertThat(three.getAsBoolean()).isTrue();
        line.leave(three);
    }

    @Test
    void threadThatWaitsAgainComesBeforeThoseThatArrivedLater() {
        int taken = memory.poll();
        memory.poll();
        Gate gate = new Gate();
        Worker<Integer> early = workers.start(() -> {
            Place place = new Place();
            assertThat(line.await(place, 1)).isEqualTo(BufferLine.NONE);
            gate.pass();
            return line.await(place, LONG);
        });
        gate.awaitReached();
        Worker<Integer> late = workers.start(() -> line.await(new Place(), LONG));
        late.awaitParked();
        gate.open();
        Workers.await(() -> isInLine(early), "the early one does not wait again");
        giveBack(taken);
        assertThat(early.result()).isEqualTo(taken);
        assertThat(late.isDone()).isFalse();
        giveBack(taken);
        assertThat(late.result()).isEqualTo(taken);
    }

    @Test
    void waitWithoutABufferEnds() {
        memory.poll();
        memory.poll();
        Worker<Integer> waiter = workers.start(() -> line.await(new Place(), 2_000_000));
        assertThat(waiter.result()).isEqualTo(BufferLine.NONE);
        assertThat(line.isWanted()).isFalse();
    }

    @Test
    void threadsAreServedInOrderOfArrivalAsSoonAsABufferIsReturned() {
        int[] taken = {memory.poll(), memory.poll()};
        List<Worker<Integer>> waiters = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
            waiters.add(workers.start(() -> line.await(new Place(), LONG)));
            waiters.get(i).awaitParked();
        }
        for (int i = 0; i < waiters.size(); i++) {
            giveBack(taken[i % 2]);
            assertThat(waiters.get(i).result()).isEqualTo(taken[i % 2]);
            assertThat(waiters.subList(i + 1, waiters.size())).noneMatch(Worker::isDone);
        }
    }

    @Test
    void buffersReturnedTogetherServeSeveralThreads() {
        int[] taken = {memory.poll(), memory.poll()};
        Worker<Integer> one = workers.start(() -> line.await(new Place(), LONG));
        one.awaitParked();
        Worker<Integer> two = workers.start(() -> line.await(new Place(), LONG));
        two.awaitParked();
        giveBack(taken[0]);
        giveBack(taken[1]);
        assertThat(List.of(one.result(), two.result())).containsExactlyInAnyOrder(taken[0], taken[1]);
    }

    /** As if direct memory had run out, for the first thread only. */
    @Test
    void threadWhoseBufferHasNoMemoryLeavesItToTheNext() {
        Gate gate = new Gate();
        FrameMemory scarce = new FrameMemory(PAGE_BYTES, 1, bytes -> {
            if (!gate.isReached()) {
                gate.pass();
                throw new OutOfMemoryError("slab");
            }
            return ByteBuffer.allocateDirect(bytes);
        });
        BufferLine its = new BufferLine(scarce);
        Worker<Integer> one = workers.start(() -> its.await(new Place(), LONG));
        gate.awaitReached();
        Worker<Integer> two = workers.start(() -> its.await(new Place(), LONG));
        two.awaitParked();
        gate.open();
        assertThat(one.failure()).isInstanceOf(OutOfMemoryError.class);
        assertThat(two.result()).isZero();
    }

    @Tag("nightly")
    @Test
    void returnOfABufferAllocatesNothing() throws Exception {
        int taken = memory.poll();
        memory.poll();
        Worker<Integer> waiter = workers.start(() -> line.await(new Place(), LONG));
        waiter.awaitParked();
        assertThat(Allocations.ofEachRun(() -> {
                    for (int i = 0; i < 1_000; i++) {
                        line.onFree();
                    }
                }))
                .as("bytes of the count itself")
                .isLessThan(2_000);
        giveBack(taken);
        assertThat(waiter.result()).isEqualTo(taken);
    }

    @Test
    void manyThreadsShareFewBuffersAndNoneIsForgotten() {
        int threads = 16;
        int rounds = Tier.pick(500, 2_000, 50_000);
        AtomicIntegerArray owners = new AtomicIntegerArray(BUFFERS);
        List<Worker<Void>> running = new ArrayList<>();
        for (int i = 0; i < threads; i++) {
            running.add(workers.run(() -> {
                for (int round = 0; round < rounds; round++) {
                    int buffer = line.isWanted() ? FrameMemory.NONE : memory.poll();
                    // now and then a thread gives up, and comes again
                    Place place = new Place();
                    while (buffer == FrameMemory.NONE) {
                        boolean gaveUp = round % 8 == 0;
                        buffer = line.await(place, gaveUp ? 20_000 : LONG);
                    }
                    assertThat(owners.incrementAndGet(buffer)).isEqualTo(1);
                    owners.decrementAndGet(buffer);
                    giveBack(buffer);
                }
            }));
        }
        running.forEach(Worker::result);
        assertThat(line.isWanted()).isFalse();
        assertThat(memory.free()).isEqualTo(BUFFERS);
    }
}
