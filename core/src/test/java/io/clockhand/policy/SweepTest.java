// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.policy;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Two faults of the published clock that cost time, not correctness: measured, and absent from the default. */
class SweepTest {
    private static final int FRAMES = 1_000;
    private static final int FEWEST_STRIPES = 4;
    /** Enough for ranges of the greatest length. */
    private static final int MANY_FRAMES = 100_000;

    /** Frames with weights, and how often each was scanned. */
    private static final class Frames implements Claims {
        private final int[] weights;
        private final int[] scans;

        Frames(int frames, int weight) {
            weights = new int[frames];
            scans = new int[frames];
            Arrays.fill(weights, weight);
        }

        @Override
        public Outcome ageOrClaim(int frame) {
            scans[frame]++;
            return weights[frame]-- > 1 ? Outcome.AGED : Outcome.CLAIMED;
        }

        @Override
        public boolean tryClaim(int frame) {
            throw new UnsupportedOperationException("a clock ages what it passes");
        }
    }

    /** {@return the number of scans of one miss after this many hits of every frame} */
    private static int scansOfAMiss(String policy, int hits) {
        ReplacementPolicy clock = Policies.create(policy, FRAMES);
        Frames frames = new Frames(FRAMES, Math.min(1 + hits, clock.weightCap()));
        clock.evict(0, frames);
        return IntStream.of(frames.scans).sum();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 10, 100})
    void missWithUnboundedWeightsTurnsTheHandAsOftenAsFramesWereHit(int hits) {
        int scans = scansOfAMiss("nb-gclock", hits);

        System.out.printf(
                "scans per miss after %d hits of %d frames: unbounded %d, capped %d%n",
                hits, FRAMES, scans, scansOfAMiss(Policies.DEFAULT, hits));
        assertThat(scans).isEqualTo(hits * FRAMES + 1);
    }

    @Test
    void missWithTheDefaultTurnsTheHandAtMostTwice() {
        assertThat(scansOfAMiss(Policies.DEFAULT, 1_000)).isEqualTo(2 * FRAMES + 1);
    }

    /**
     * Sweeps that scan ten frames each and begin before the enclosing one has ended: like threads, but
     * repeatable.
     */
    private static final class Nested {
        private static final int LENGTH = 10;

        private final ReplacementPolicy clock;
        private final int[] scans;
        private int toBegin;

        Nested(ReplacementPolicy clock, int frames, int sweeps) {
            this.clock = clock;
            this.scans = new int[frames];
            this.toBegin = sweeps;
        }

        void sweep() {
            toBegin--;
            int[] scanned = {0};
            clock.evict(0, new Claims() {
                @Override
                public Outcome ageOrClaim(int frame) {
                    scans[frame]++;
                    if (++scanned[0] == 1 && toBegin > 0) {
                        sweep();
                    }
                    return scanned[0] < LENGTH ? Outcome.AGED : Outcome.CLAIMED;
                }

                @Override
                public boolean tryClaim(int frame) {
                    throw new UnsupportedOperationException("a clock ages what it passes");
                }
            });
        }

        int skipped(int handAt) {
            return (int) IntStream.range(0, handAt).filter(f -> scans[f] == 0).count();
        }
    }

    private static Nested sweepAtOnce(ClockHand hand, int sweeps) {
        Nested nested = new Nested(Policies.create(Policies.DEFAULT, hand, FRAMES), FRAMES, sweeps);
        nested.sweep();
        return nested;
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 4, 16})
    void concurrentSweepsOfTheAtomicHandScanEachFrameOnce(int sweeps) {
        Nested nested = sweepAtOnce(ClockHand.ATOMIC, sweeps);

        assertThat(Arrays.copyOf(nested.scans, sweeps * Nested.LENGTH)).containsOnly(1);
        assertThat(IntStream.of(nested.scans).sum()).isEqualTo(sweeps * Nested.LENGTH);
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 4, 16})
    void concurrentSweepsOfTheBatchedHandScanNoFrameTwice(int sweeps) {
        Nested nested = sweepAtOnce(ClockHand.BATCHED, sweeps);

        assertThat(IntStream.of(nested.scans).max()).hasValue(1);
        assertThat(IntStream.of(nested.scans).sum()).isEqualTo(sweeps * Nested.LENGTH);
    }

    @Test
    void remainderOfABatchedRangeStaysWithItsThread() throws Exception {
        ReplacementPolicy clock = Policies.create("nb-gclock3", ClockHand.BATCHED, MANY_FRAMES);
        Claims first = new Frames(MANY_FRAMES, 0);
        List<Integer> mine = new ArrayList<>();
        List<Integer> theirs = new ArrayList<>();

        mine.add(clock.evict(0, first));
        inAnotherStripe(() -> {
            for (int i = 0; i < 40; i++) {
                theirs.add(clock.evict(0, first));
            }
        });
        for (int i = 1; i < 40; i++) {
            mine.add(clock.evict(0, first));
        }

        assertThat(mine).startsWith(0, 1, 2).contains(31).doesNotContainAnyElementsOf(theirs);
        assertThat(theirs).startsWith(32, 33, 34).contains(63);
        assertThat(mine).doesNotHaveDuplicates();
        assertThat(theirs).doesNotHaveDuplicates();
    }

    private static void inAnotherStripe(Runnable task) throws InterruptedException {
        Thread thread;
        do {
            thread = new Thread(task);
        } while ((thread.getId() - Thread.currentThread().getId()) % FEWEST_STRIPES == 0);
        thread.start();
        thread.join();
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 4, 16})
    void concurrentSweepsOfTheStripedHandScanTheSameFramesAndSkipOthers(int sweeps) {
        Nested nested = sweepAtOnce(ClockHand.STRIPED, sweeps);

        int skipped = nested.skipped(sweeps * Nested.LENGTH);
        System.out.printf("%d sweeps at once skip %.1f frames per victim%n", sweeps, (double) skipped / sweeps);
        assertThat(Arrays.copyOf(nested.scans, Nested.LENGTH)).containsOnly(sweeps);
        assertThat(skipped).isEqualTo((sweeps - 1) * Nested.LENGTH);
    }

    /**
     * Each scan by the outer sweep begins another sweep, which takes all positions up to the same frame, so that the
     * outer sweep scans one frame again and again: its final scan alone visits the others.
     */
    @ParameterizedTest
    @EnumSource(
            value = ClockHand.class,
            names = {"ATOMIC", "BATCHED"})
    void finalScanOfASweepVisitsEveryFrame(ClockHand hand) {
        int frames = 7;
        for (int candidate = 1; candidate < frames; candidate++) {
            ReplacementPolicy clock = Policies.create(Policies.DEFAULT, hand, frames);
            AroundOneFrame sweep = new AroundOneFrame(clock, frames, candidate);

            assertThat(clock.evict(0, sweep)).as("the victim of the last scan").isEqualTo(candidate);
            assertThat(sweep.scanned.subList(0, frames)).containsOnly(0);
        }
    }

    /** One frame can be claimed; the first scans take the hand through the other frames. */
    private static final class AroundOneFrame implements Claims {
        private final ReplacementPolicy clock;
        private final int frames;
        private final int candidate;
        private final List<Integer> scanned = new ArrayList<>();

        AroundOneFrame(ReplacementPolicy clock, int frames, int candidate) {
            this.clock = clock;
            this.frames = frames;
            this.candidate = candidate;
        }

        @Override
        public Outcome ageOrClaim(int frame) {
            scanned.add(frame);
            if (scanned.size() <= frames) {
                clock.evict(0, endingAfter(frames - 1));
            }
            return frame == candidate ? Outcome.CLAIMED : Outcome.SKIPPED;
        }

        private static Claims endingAfter(int steps) {
            int[] left = {steps};
            return new Claims() {
                @Override
                public Outcome ageOrClaim(int frame) {
                    return --left[0] == 0 ? Outcome.CLAIMED : Outcome.SKIPPED;
                }

                @Override
                public boolean tryClaim(int frame) {
                    throw new UnsupportedOperationException("a clock ages what it passes");
                }
            };
        }

        @Override
        public boolean tryClaim(int frame) {
            throw new UnsupportedOperationException("a clock ages what it passes");
        }
    }

    @ParameterizedTest
    @EnumSource(ClockHand.class)
    void overflowingHandContinues(ClockHand hand) {
        ReplacementPolicy clock = PoliciesForTests.nbGclockWithHandAt(7, hand, Long.MAX_VALUE - 10);
        Frames frames = new Frames(7, 3);

        for (int i = 0; i < 21; i++) {
            assertThat(clock.evict(0, frames)).isBetween(0, 6);
        }

        assertThat(clock.coldest(7, frame -> assertThat(frame).isBetween(0, 6))).isEqualTo(7);
    }
}
