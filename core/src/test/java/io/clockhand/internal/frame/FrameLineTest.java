// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.internal.frame;

import static org.assertj.core.api.Assertions.assertThat;

import io.clockhand.internal.frame.FrameLine.Place;
import io.clockhand.testing.Workers;
import io.clockhand.testing.Workers.Worker;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The line of threads that wait for a frame, step by step. */
class FrameLineTest {
    private static final long LONG = TimeUnit.SECONDS.toNanos(15);

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

    private static boolean isOver(long begin) {
        return System.nanoTime() - begin > LONG / 3;
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
    void threadThatWasWokenInVainLinesUpAgainInConstantTime() {
        List<Place> places = new ArrayList<>();
        for (int i = 0; i < 50_000; i++) {
            Place place = new Place();
            line.enter(place);
            places.add(place);
        }
        long begin = System.nanoTime();
        for (int i = 0; i < places.size(); i++) {
            line.sweep();
            assertThat(places.get(0).getAsBoolean()).as("the first is woken").isTrue();
            line.enterAgain(places.get(0));
        }
        assertThat(System.nanoTime() - begin).as("nanoseconds").isLessThan(TimeUnit.SECONDS.toNanos(2));
        places.forEach(line::leave);
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
        long begin = System.nanoTime();
        for (int i = 0; i < 5; i++) {
            load(i);
            line.offer(i);
            waiting.get(i).result();
        }
        assertThat(served).containsExactly(0, 1, 2, 3, 4);
        assertThat(isOver(begin)).isFalse();
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
        int rounds = 5_000;
        workers.run(() -> {
            for (int round = 1; round <= rounds; round++) {
                spinUntil(turn, 2 * round);
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
            spinUntil(turn, 2 * round + 1);

            assertThat(place.getAsBoolean())
                    .as("the thread that waits is woken")
                    .isTrue();
            assertThat(pages.line().poll()).isZero();
            pages.line().leave(place);
            assertThat(pages.tryPin(0, 0)).isNotEqualTo(FrameStates.NOT_PINNED);
        }
    }

    private static void spinUntil(AtomicInteger turn, int value) {
        long begin = System.nanoTime();
        while (turn.get() < value) {
            assertThat(isOver(begin)).isFalse();
            Thread.onSpinWait();
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
