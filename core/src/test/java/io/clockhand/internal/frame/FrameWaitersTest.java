// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.internal.frame;

import static org.assertj.core.api.Assertions.assertThat;

import io.clockhand.testing.Tier;
import io.clockhand.testing.Workers;
import io.clockhand.testing.Workers.Worker;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Parking on a frame. */
class FrameWaitersTest {
    /** Longer than any test: a thread whose wait only the time would end is stuck. */
    private static final long LONG = TimeUnit.HOURS.toNanos(1);

    private static final int FRAME = 5;
    /** In the same stripe as {@link #FRAME}. */
    private static final int NEIGHBOUR = FRAME + 32;

    @RegisterExtension
    final Workers workers = new Workers();

    private final FrameStates states = new FrameStates(64);
    private final FrameWaiters waiters = states.waiters();

    private void load(int frame) {
        states.tryTakeFree(frame);
        states.publishPinned(frame, 0);
    }

    private boolean awaitReady(int frame) {
        return waiters.await(frame, s -> FrameState.content(s) == FrameState.READY, LONG);
    }

    @Test
    void conditionThatHoldsIsNotWaitedFor() {
        load(FRAME);
        long before = states.state(FRAME);

        assertThat(waiters.await(FRAME, s -> true, LONG)).isTrue();

        assertThat(states.state(FRAME)).isEqualTo(before);
    }

    @Test
    void transitionWakesAllThreadsThatWaitForIt() {
        load(FRAME);
        List<Worker<Boolean>> parked = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            parked.add(workers.start(() -> awaitReady(FRAME)));
        }
        parked.forEach(Worker::awaitParked);
        Workers.await(() -> FrameState.isWaited(states.state(FRAME)), "no waiter announces itself");

        long before = states.ready(FRAME);
        waiters.wake(FRAME, before);

        assertThat(parked).allSatisfy(waiter -> assertThat(waiter.result()).isTrue());
        assertThat(FrameState.isWaited(states.state(FRAME))).isFalse();
    }

    @Test
    void transitionThatDoesNotFulfilTheConditionIsWaitedThrough() {
        load(FRAME);
        states.tryPin(FRAME, 0);
        Worker<Boolean> waiter = workers.start(() -> awaitReady(FRAME));
        waiter.awaitParked();

        waiters.wake(FRAME, states.completeUnpin(FRAME, states.unpin(FRAME)));
        Workers.await(() -> FrameState.isWaited(states.state(FRAME)), "the waiter did not announce itself again");

        assertThat(waiter.isDone()).isFalse();
        waiters.wake(FRAME, states.ready(FRAME));
        assertThat(waiter.result()).isTrue();
    }

    @Test
    void transitionOfANeighbourInTheStripeDoesNotWake() {
        load(FRAME);
        load(NEIGHBOUR);
        Worker<Boolean> waiter = workers.start(() -> awaitReady(FRAME));
        Worker<Boolean> neighbour = workers.start(() -> awaitReady(NEIGHBOUR));
        waiter.awaitParked();
        neighbour.awaitParked();

        waiters.wake(NEIGHBOUR, states.ready(NEIGHBOUR));

        assertThat(neighbour.result()).isTrue();
        assertThat(waiter.isDone()).isFalse();
        assertThat(FrameState.isWaited(states.state(FRAME))).isTrue();
        waiters.wake(FRAME, states.ready(FRAME));
        waiter.result();
    }

    @Test
    void onlyWaitersWhoseConditionHoldsAreWoken() {
        load(FRAME);
        states.tryPin(FRAME, 0);
        AtomicInteger tests = new AtomicInteger();
        AtomicReference<Thread> testedBy = new AtomicReference<>();
        Worker<Boolean> waiter = workers.start(() -> waiters.await(
                FRAME,
                s -> {
                    tests.incrementAndGet();
                    testedBy.set(Thread.currentThread());
                    return FrameState.content(s) == FrameState.READY;
                },
                LONG));
        waiter.awaitParked();
        int before = tests.get();

        waiters.wake(FRAME, states.completeUnpin(FRAME, states.unpin(FRAME)));

        assertThat(tests).hasValue(before + 1);
        assertThat(testedBy).hasValue(Thread.currentThread());
        assertThat(FrameState.isWaited(states.state(FRAME))).isTrue();
        waiters.wake(FRAME, states.ready(FRAME));
        assertThat(waiter.result()).isTrue();
        assertThat(testedBy)
                .as("the thread that was woken need not test it again")
                .hasValue(Thread.currentThread());
    }

    /** The thread that took a pin off a doomed frame goes on only when the frame is another content's already. */
    @Test
    void lateSecondStepOfAnUnpinDoesNotTakeTheMarkOfALaterWaiter() {
        load(FRAME);
        states.tryPin(FRAME, 0);
        states.tryPin(FRAME, 0);
        states.giveUp(FRAME);
        long late = states.unpin(FRAME);
        states.completeUnpin(FRAME, states.unpin(FRAME));
        load(FRAME);
        Worker<Boolean> waiter = workers.start(() -> awaitReady(FRAME));
        waiter.awaitParked();

        waiters.wake(FRAME, states.completeUnpin(FRAME, late));
        Workers.await(() -> FrameState.isWaited(states.state(FRAME)), "the waiter did not announce itself again");
        waiters.wake(FRAME, states.ready(FRAME));

        assertThat(waiter.result()).isTrue();
    }

    @Test
    void waitEndsWithItsTime() {
        load(FRAME);

        assertThat(waiters.await(FRAME, s -> false, 1_000_000)).isFalse();
        assertThat(waiters.await(FRAME, s -> false, 0)).isFalse();
        assertThat(waiters.await(FRAME, s -> false, -1)).isFalse();
    }

    @Test
    void interruptStaysPendingAndDoesNotEndTheWait() {
        load(FRAME);
        Worker<Boolean> waiter =
                workers.start(() -> awaitReady(FRAME) && Thread.currentThread().isInterrupted());
        waiter.awaitParked();
        waiter.thread().interrupt();
        Workers.await(() -> !waiter.thread().isInterrupted(), "the waiter has not seen the interrupt");

        waiters.wake(FRAME, states.ready(FRAME));

        assertThat(waiter.result()).isTrue();
    }

    /** Thousands of hand-overs between two threads that wait for each other's step; a lost wake-up would hang them. */
    @Test
    void noWakeUpIsLost() {
        load(FRAME);
        states.ready(FRAME);
        int rounds = Tier.pick(5_000, 20_000, 60_000); // fewer than there can be pins
        Worker<Void> even = workers.run(() -> play(0, rounds));
        Worker<Void> odd = workers.run(() -> play(1, rounds));

        even.result();
        odd.result();
    }

    /** The number of pins is the number of the round. */
    private void play(int parity, int rounds) {
        for (int round = 1 + parity; round <= rounds; round += 2) {
            int mine = round;
            assertThat(waiters.await(FRAME, s -> FrameState.pins(s) == mine, LONG))
                    .isTrue();
            states.tryPin(FRAME, 0);
            // a pin wakes no thread, since none waits for one; a write-back does. If the other one is writing already,
            // it has seen the pin and waits for nothing
            if (states.tryBeginWriting(FRAME)) {
                waiters.wake(FRAME, states.endWriting(FRAME));
            }
        }
    }

    /** A waker that went on as long as it meets somebody would never end. */
    @Test
    void wakerTestsEachConditionTwiceAtMostAndLeavesThoseAloneThatMustStay() {
        int threads = 64;
        AtomicBoolean over = new AtomicBoolean();
        AtomicInteger tests = new AtomicInteger();
        BitSet tested = new BitSet(); // by the waker
        Thread waker = Thread.currentThread();
        List<Workers.Worker<Boolean>> waiting = new ArrayList<>();
        for (int i = 0; i < threads; i++) {
            int number = i;
            waiting.add(workers.start(() -> waiters.await(
                    FRAME,
                    s -> {
                        if (!Thread.currentThread().equals(waker)) {
                            return over.get();
                        }
                        tested.set(number);
                        return tests.incrementAndGet() > 2 * threads || over.get();
                    },
                    LONG)));
        }
        Workers.await( // a thread that is blocked may not be in the line yet
                () -> {
                    tested.clear();
                    tests.set(0);
                    waiters.wake(FRAME, markedState());
                    return tested.cardinality() == threads;
                },
                "not all threads wait");
        for (int i = 0; i < 20; i++) {
            tests.set(0);
            waiters.wake(FRAME, markedState());
            assertThat(tests.get())
                    .as("conditions of %d threads that the waker has tested", threads)
                    .isBetween(threads, 2 * threads);
        }
        over.set(true);
        Workers.await(
                () -> {
                    waiters.wake(FRAME, markedState());
                    return waiting.stream().allMatch(Workers.Worker::isDone);
                },
                "not all are woken");
    }

    /** As a transition would have seen it that took the mark off. */
    private static long markedState() {
        return FrameState.WAITED;
    }
}
