// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.internal.frame;

import io.clockhand.internal.frame.FrameLine.Place;
import io.clockhand.testing.Tier;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Validate;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The line of misses in the interleavings of a few steps: no miss sleeps in the end while a frame is free or can be
 * claimed, and no frame is handed to two. The line, the free frames and the words of the frames are the real ones; a
 * miss is a copy of the search's wait, in steps: where the search sleeps, the step ends, and the next one begins if the
 * miss was woken. {@code -Dclockhand.lincheck.effort=5} explores 25 times as many interleavings.
 */
class LincheckFrameLineTest {
    private static final int EFFORT = Integer.getInteger("clockhand.lincheck.effort", Tier.pick(1, 1, 3));
    /** More than the line's ring has cells: loops with more iterations are taken for endless. */
    private static final int LONGEST_LOOP = 200;

    private static final int FRAMES = 2;
    private static final int NONE = FrameLine.NONE;

    /** Two frames, both pinned and empty in the beginning. */
    static final class Frames {
        final FrameStates states = new FrameStates(FRAMES, true);
        final Latches latches = new Latches(states, FRAMES);
        final FrameLine line = states.line();
        final FreeFrames free = new FreeFrames(states, FRAMES);

        Frames() {
            for (int frame = 0; frame < FRAMES; frame++) {
                states.publishPinned(free.poll(), 0);
            }
        }

        /** Publishes the page in an empty frame. */
        void load(int frame) {
            states.ready(frame);
        }

        /** As the pool gives up a frame that could not be loaded. */
        void free(int frame) {
            states.giveUp(frame);
            free.offer(frame);
            line.offer(frame);
        }

        void unpin(int frame) {
            if (states.concernsOthers(states.unpin(frame))) {
                line.offer(frame);
            }
        }

        void pinAndUnpin(int frame) {
            if (states.tryPin(frame, 0) != FrameStates.NOT_PINNED) {
                unpin(frame);
            }
        }
    }

    /** A miss; used by one thread at a time. */
    static final class Miss {
        private final Frames frames;
        private final FrameLine line;
        private final Place place = new Place();
        private boolean waits;
        private int frame = NONE;

        Miss(Frames frames) {
            this.frames = frames;
            this.line = frames.line;
        }

        /** Lines up, and tries if it is alone. */
        void begin() {
            waits = true;
            if (line.enter(place)) {
                tryToClaim();
            }
        }

        boolean isWoken() {
            return waits && place.getAsBoolean();
        }

        /** Goes on as a thread that was woken, until it has a frame or sleeps. */
        void goOn() {
            while (isWoken() && !tryToClaim()) {
                line.enterAgain(place);
                tryToClaim();
            }
        }

        /** Leaves without a frame: it finds its page, or fails. */
        void giveUp() {
            waits = false;
            line.leave(place);
        }

        private boolean tryToClaim() {
            frame = claimOffered();
            if (frame != NONE) {
                waits = false;
                line.leave(place);
            }
            return frame != NONE;
        }

        private int claimOffered() {
            for (int hint = line.poll(); hint != NONE; hint = line.poll()) {
                if (frames.states.tryClaim(hint)) {
                    return hint;
                }
                int other = frames.free.poll();
                if (other != NONE) {
                    line.offer(hint);
                    return other;
                }
            }
            if (!line.beginSweep(place)) {
                return NONE;
            }
            int found = frames.free.poll();
            for (int i = 0; i < FRAMES && found == NONE; i++) {
                found = frames.states.tryClaim(i) ? i : NONE;
            }
            if (found == NONE) {
                line.endSweep(place);
            }
            return found;
        }
    }

    /** Two threads that meet: each does one thing. The misses that were woken then go on, one after the other. */
    public abstract static class Meeting {
        final Frames frames = new Frames();
        final Miss first = new Miss(frames);
        final Miss second = new Miss(frames);

        abstract void playOne();

        abstract void playTwo();

        @Operation(runOnce = true)
        public void one() {
            playOne();
        }

        @Operation(runOnce = true)
        public void two() {
            playTwo();
        }

        @Validate
        public void noMissSleepsWhileAFrameIsAvailable() {
            while (first.isWoken() || second.isWoken()) {
                first.goOn();
                second.goOn();
            }
            expect(first.frame == NONE || first.frame != second.frame, "a frame was handed to two misses");
            for (int frame = 0; frame < FRAMES; frame++) {
                expect(
                        !frames.states.mayBeHad(frame) || !(first.waits || second.waits),
                        "a miss sleeps while a frame is available");
            }
        }

        private static void expect(boolean holds, String failure) {
            if (!holds) {
                throw new IllegalStateException(failure);
            }
        }
    }

    /** A miss is woken for one frame while another is freed. */
    public static class FramesFreedTogether extends Meeting {
        public FramesFreedTogether() {
            first.begin();
            second.begin();
        }

        @Override
        void playOne() {
            frames.free(0);
            first.goOn();
        }

        @Override
        void playTwo() {
            frames.free(1);
            second.goOn();
        }
    }

    /** A miss lines up while the last pin is dropped. */
    public static class MissAtAnUnpin extends Meeting {
        public MissAtAnUnpin() {
            frames.load(0);
            second.begin(); // creates the ring, in a loop that the model checker would interrupt
            second.giveUp();
        }

        @Override
        void playOne() {
            frames.unpin(0);
        }

        @Override
        void playTwo() {
            first.begin();
            first.goOn();
        }
    }

    /** A miss lines up while the last share is released. */
    public static class MissAtARelease extends MissAtAnUnpin {
        public MissAtARelease() {
            frames.latches.tryShared(0);
            frames.unpin(0);
        }

        @Override
        void playOne() {
            frames.latches.releaseShared(0);
        }
    }

    /** The last pin and the last share go together. */
    public static class PinAndShareDropped extends Meeting {
        public PinAndShareDropped() {
            frames.load(0);
            frames.latches.tryShared(0);
            first.begin();
        }

        @Override
        void playOne() {
            frames.unpin(0);
        }

        @Override
        void playTwo() {
            frames.latches.releaseShared(0);
        }
    }

    /** A miss gives up, when it was woken or before. */
    public static class MissThatGivesUp extends Meeting {
        public MissThatGivesUp() {
            frames.load(0);
            first.begin();
            second.begin();
        }

        @Override
        void playOne() {
            frames.unpin(0);
        }

        @Override
        void playTwo() {
            first.giveUp();
        }
    }

    /** A miss lines up while another one is served. */
    public static class MissBehindAnother extends Meeting {
        public MissBehindAnother() {
            frames.load(0);
            first.begin();
        }

        @Override
        void playOne() {
            frames.free(1);
            second.begin();
            second.goOn();
        }

        @Override
        void playTwo() {
            frames.unpin(0);
            first.goOn();
        }
    }

    /** A hit takes the frame before the miss that was woken for it. */
    public static class HitBeforeTheMiss extends Meeting {
        public HitBeforeTheMiss() {
            frames.load(0);
            first.begin();
            second.begin();
        }

        @Override
        void playOne() {
            frames.unpin(0);
            frames.pinAndUnpin(0);
        }

        @Override
        void playTwo() {
            first.goOn();
            second.goOn();
        }
    }

    @ParameterizedTest
    @ValueSource(classes = {FramesFreedTogether.class, MissAtAnUnpin.class})
    void noMissSleepsWhileAFrameIsFreed(Class<?> meeting) {
        noMissSleepsWhileAFrameIsAvailable(meeting);
    }

    @Tag("ci")
    @ParameterizedTest
    @ValueSource(
            classes = {
                MissAtARelease.class,
                PinAndShareDropped.class,
                MissThatGivesUp.class,
                MissBehindAnother.class,
                HitBeforeTheMiss.class
            })
    void noMissSleepsWhileAFrameIsAvailable(Class<?> meeting) {
        new ModelCheckingOptions()
                .threads(2)
                .actorsPerThread(1)
                .actorsBefore(0)
                .actorsAfter(0)
                .iterations(1) // there is one scenario only
                .invocationsPerIteration(Tier.pick(100, 800, 800) * EFFORT * EFFORT)
                .loopBound(LONGEST_LOOP)
                .minimizeFailedScenario(false)
                .check(meeting);
    }
}
