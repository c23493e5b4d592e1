// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.internal.frame;

import static org.assertj.core.api.Assertions.assertThat;

import io.clockhand.internal.frame.FrameLine.Place;
import io.clockhand.testing.Tier;
import io.clockhand.testing.Workers;
import io.clockhand.testing.Workers.Worker;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The line of threads that wait for a frame, step by step. */
class FrameLineTest {
    /** Longer than any test: a thread whose wait only the time would end is stuck. */
    private static final long LONG = TimeUnit.HOURS.toNanos(1);

    private static final int PROCESSORS = Runtime.getRuntime().availableProcessors();

    private final FrameStates states = new FrameStates(8);
    private final FrameLine line = states.line();

    @RegisterExtension
    private final Workers workers = new Workers();

    /** A frame with content that no thread uses. */
    private void load(int frame) {
        states.tryTakeFree(frame);
        states.publishPinned(frame, 0);
        states.ready(frame);
        states.unpin(frame);
    }

    @Test
    void frameIsWantedWhileAThreadIsInTheLine() {
        Place one = new Place();
        Place two = new Place();
        assertThat(states.isFrameWanted()).isFalse();
        line.enter(one);
        line.enter(two);
        assertThat(states.isFrameWanted()).isTrue();
        line.leave(one);
        assertThat(states.isFrameWanted()).isTrue();
        line.leave(two);
        assertThat(states.isFrameWanted()).isFalse();
    }

    @Test
    void threadThatWasWokenInVainIsTheFirstAgain() {
        wakeTheFirstAgainAndAgain(100);
    }

    @Tag("nightly")
    @Test
    void threadThatWasWokenInVainLinesUpAgainInConstantTime() {
        long shortLine = Long.MAX_VALUE;
        long longLine = Long.MAX_VALUE;
        for (int round = 0; round < 5; round++) {
            shortLine = Math.min(shortLine, wakeTheFirstAgainAndAgain(500));
            longLine = Math.min(longLine, wakeTheFirstAgainAndAgain(50_000));
        }
        assertThat(longLine)
                .as("nanoseconds with 50,000 threads in the line; with 500 they are %d", shortLine)
                .isLessThan(10 * shortLine);
    }

    /** {@return the nanoseconds of 50,000 turns of the first thread of a line} */
    private long wakeTheFirstAgainAndAgain(int threads) {
        List<Place> places = new ArrayList<>();
        for (int i = 0; i < threads; i++) {
            Place place = new Place();
            line.enter(place);
            places.add(place);
        }
        long begin = System.nanoTime();
        for (int turn = 0; turn < 50_000; turn++) {
            line.sweep();
            if (!places.get(0).getAsBoolean()) {
                throw new AssertionError("the first of " + threads + " threads is not woken in turn " + turn);
            }
            line.enterAgain(places.get(0));
        }
        long nanos = System.nanoTime() - begin;
        places.forEach(line::leave);
        return nanos;
    }

    @Test
    void threadThatIsAloneTriesAndSweepsAndALaterOneSleeps() {
        Place one = new Place();
        Place two = new Place();
        assertThat(line.enter(one)).isTrue();
        assertThat(line.enter(two)).isFalse();
        assertThat(line.beginSweep(one)).isTrue();
        assertThat(line.beginSweep(two)).as("one sweep at a time").isFalse();
        line.endSweep(one);
        assertThat(line.beginSweep(one)).as("a sweep found nothing").isFalse();
        line.leave(one);
        line.leave(two);
    }

    @Test
    void threadWhoseSweepFindsAFrameMakesTheNextOneSweep() {
        Place one = new Place();
        Place two = new Place();
        line.enter(one);
        line.enter(two);
        line.beginSweep(one);

        line.leave(one);

        assertThat(two.getAsBoolean()).as("woken").isTrue();
        assertThat(line.beginSweep(two)).isTrue();
        line.endSweep(two);
        line.leave(two);
    }

    @Test
    void offerWakesOneThreadAndThatGetsTheFrame() {
        load(3);
        Place[] places = {new Place(), new Place(), new Place()};
        for (Place place : places) {
            line.enter(place);
        }

        line.offer(3);

        assertThat(places[0].getAsBoolean()).isTrue();
        assertThat(places[1].getAsBoolean()).isFalse();
        assertThat(line.poll()).isEqualTo(3);
        assertThat(line.poll()).isEqualTo(FrameLine.NONE);
        for (Place place : places) {
            line.leave(place);
        }
    }

    @Test
    void frameThatIsOfferedTwiceWakesOneThread() {
        load(3);
        Place[] places = {new Place(), new Place()};
        for (Place place : places) {
            line.enter(place);
        }
        line.offer(3);
        line.offer(3);
        assertThat(places[1].getAsBoolean()).isFalse();
        assertThat(line.poll()).isEqualTo(3);
        line.offer(3);
        assertThat(places[1].getAsBoolean()).isTrue();
        assertThat(line.poll()).isEqualTo(3);
        for (Place place : places) {
            line.leave(place);
        }
    }

    @Test
    void frameInUseIsNotOffered() {
        load(3);
        states.tryPin(3, 0);
        Place place = new Place();
        line.enter(place);

        line.offer(3);

        assertThat(line.poll()).isEqualTo(FrameLine.NONE);
        line.leave(place);
    }

    /** A thread that gives up, or finds its page, though it was woken for a frame. */
    @Test
    void threadThatLeavesWithoutItsFrameWakesTheNext() {
        load(3);
        Place one = new Place();
        Place two = new Place();
        line.enter(one);
        line.enter(two);
        line.beginSweep(one);
        line.endSweep(one);
        line.offer(3);

        line.leave(one);

        assertThat(two.getAsBoolean()).isTrue();
        assertThat(line.poll()).isEqualTo(3);
        line.leave(two);
    }

    @Test
    void threadThatLinesUpAgainComesBeforeThoseThatCameLater() {
        load(3);
        load(4);
        Place one = new Place();
        Place two = new Place();
        line.enter(one);
        line.enter(two);
        line.offer(3);
        line.poll(); // another thread was faster
        line.enterAgain(one);

        line.offer(4);

        assertThat(one.getAsBoolean()).isTrue();
        assertThat(two.getAsBoolean()).isFalse();
        line.leave(one);
        line.leave(two);
    }

    @Test
    void threadsAreServedInOrderOfArrival() {
        Queue<Integer> served = new ConcurrentLinkedQueue<>();
        List<Worker<Void>> waiting = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            int number = i;
            waiting.add(workers.run(() -> {
                Place place = new Place();
                if (line.enter(place) && line.beginSweep(place)) {
                    line.endSweep(place);
                }
                assertThat(line.await(place, System.nanoTime() + LONG)).isTrue();
                served.add(number);
                line.poll();
                line.leave(place);
            }));
            waiting.get(i).awaitParked();
        }
        for (int i = 0; i < 5; i++) {
            load(i);
            line.offer(i);
            waiting.get(i).result();
        }
        assertThat(served).containsExactly(0, 1, 2, 3, 4);
    }

    /** Otherwise threads that are woken in vain again and again would never give up. */
    @Test
    void waitEndsWithItsTimeThoughTheThreadWasWoken() {
        Place place = new Place();
        line.enter(place);
        line.sweep();
        assertThat(place.getAsBoolean()).isTrue();
        assertThat(line.await(place, System.nanoTime() + LONG)).isTrue();

        assertThat(line.await(place, System.nanoTime() - 1)).isFalse();

        line.leave(place);
    }

    /** Whichever goes last must offer the frame: each sees the other's mark or that it is gone. */
    @Test
    void pinAndShareThatAreDroppedTogetherServeAWaitingThread() {
        FrameStates pages = new FrameStates(1, true);
        Latches latches = new Latches(pages, 1);
        pages.tryTakeFree(0);
        pages.publishPinned(0, 0);
        pages.ready(0);
        AtomicInteger turn = new AtomicInteger();
        int rounds = Tier.pick(1_000, 10_000, 500_000);
        Worker<Void> reader = workers.run(() -> {
            for (int round = 1; round <= rounds; round++) {
                awaitTurn(turn, 2 * round);
                latches.releaseShared(0);
                turn.incrementAndGet();
            }
        });
        for (int round = 1; round <= rounds; round++) {
            latches.tryShared(0);
            Place place = new Place();
            pages.line().enter(place);
            pages.line().beginSweep(place);
            pages.line().endSweep(place);
            turn.set(2 * round);
            long before = pages.unpin(0);
            if (pages.concernsOthers(before)) {
                pages.completeUnpin(0, before);
                pages.line().offer(0);
            }
            awaitTurn(turn, 2 * round + 1);

            assertThat(place.getAsBoolean())
                    .as("the thread that waits is woken")
                    .isTrue();
            assertThat(pages.line().poll()).isZero();
            pages.line().leave(place);
            assertThat(pages.tryPin(0, 0)).isNotEqualTo(FrameStates.NOT_PINNED);
        }
        reader.result();
    }

    /** Spins, so that both go on at the same moment; on one processor the other one cannot meanwhile. */
    private static void awaitTurn(AtomicInteger turn, int value) {
        for (int spins = 0; turn.get() < value; spins++) {
            if (spins < 10_000 && PROCESSORS > 1) {
                Thread.onSpinWait();
            } else {
                Workers.await(() -> turn.get() >= value, "the other thread does not take its turn");
            }
        }
    }

    @Test
    void waitEndsWithItsTime() {
        Place place = new Place();
        line.enter(place);
        assertThat(line.await(place, System.nanoTime() + 1_000_000)).isFalse();
        line.leave(place);
        assertThat(states.isFrameWanted()).isFalse();
    }
}
