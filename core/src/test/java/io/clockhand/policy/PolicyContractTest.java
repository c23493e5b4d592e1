// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What every policy promises, in random plans of everything that can happen to frames. */
class PolicyContractTest {
    private static final int SOFT = 8;
    private static final int CHUNK = 4;
    private static final int HARD = 24;
    /** Pages that were there come again, so that policies that remember them are tried, too; one may even be in two frames, as two keys with one hash. */
    private static final int PAGES = 60;

    /** A policy and how to make one with {@link #SOFT} frames. */
    record Candidate(String name, Supplier<ReplacementPolicy> make) {
        @Override
        public String toString() {
            return name;
        }
    }

    static List<Candidate> candidates() {
        List<Candidate> all = new ArrayList<>();
        for (String name : Policies.names()) {
            for (ClockHand hand : ClockHand.values()) {
                all.add(new Candidate(name + ", " + hand.label() + " hand", () -> Policies.create(name, hand, SOFT)));
            }
        }
        for (ClockHand hand : ClockHand.values()) {
            all.add(new Candidate(
                    "nb-gclock3, " + hand.label() + " hand about to overflow",
                    () -> PoliciesForTests.nbGclockWithHandAt(SOFT, hand, Long.MAX_VALUE - 100)));
        }
        return all;
    }

    enum State {
        FREE,
        LOADED,
        /** Dirty, and so no victim until it is cleaned. */
        QUEUED,
        CLAIMED
    }

    /** The frames as the engine room would have them, checked at every step. */
    private static final class Plan implements Claims {
        private final ReplacementPolicy policy;
        private final SplittableRandom random;
        private final State[] state = new State[HARD];
        private final int[] weight = new int[HARD];
        private final int[] pins = new int[HARD];
        private int frames = SOFT;
        private int claimed = ReplacementPolicy.NONE;
        private int loads;
        /** Victims with which nothing has been done yet, as there are several when several threads miss. */
        private final Deque<Integer> victims = new ArrayDeque<>();

        Plan(ReplacementPolicy policy, long seed) {
            this.policy = policy;
            this.random = new SplittableRandom(seed);
            Arrays.fill(state, State.FREE);
        }

        private boolean isVictim(int frame) {
            return state[frame] == State.LOADED && pins[frame] == 0;
        }

        @Override
        public Outcome ageOrClaim(int frame) {
            assertThat(frame).isBetween(0, frames - 1);
            if (!isVictim(frame)) {
                return Outcome.SKIPPED;
            }
            if (weight[frame] > 1) {
                weight[frame]--;
                return Outcome.AGED;
            }
            claim(frame);
            return Outcome.CLAIMED;
        }

        @Override
        public boolean tryClaim(int frame) {
            assertThat(frame).isBetween(0, frames - 1);
            if (isVictim(frame)) {
                claim(frame);
                return true;
            }
            return false;
        }

        private void claim(int frame) {
            assertThat(claimed).as("claimed before in the same search").isEqualTo(ReplacementPolicy.NONE);
            claimed = frame;
            weight[frame] = 0;
            state[frame] = State.CLAIMED;
        }

        private int evict() {
            int victims = 0;
            for (int frame = 0; frame < frames; frame++) {
                victims += isVictim(frame) ? 1 : 0;
            }
            claimed = ReplacementPolicy.NONE;
            int victim = policy.evict(random.nextInt(PAGES), this);
            assertThat(victim).as("the victim is the frame that was claimed").isEqualTo(claimed);
            assertThat(victim == ReplacementPolicy.NONE)
                    .as("none, with %d candidates", victims)
                    .isEqualTo(victims == 0);
            return victim;
        }

        void step() {
            int frame = random.nextInt(frames);
            switch (random.nextInt(13)) {
                case 0, 1, 2 -> load(frame);
                case 3, 4 -> hit(frame);
                case 5 -> pins[frame] = 0;
                case 6 -> remove(frame);
                case 7, 8 -> evictForLater();
                case 9 -> reload();
                case 10 -> decline();
                case 11 -> dirty(frame);
                default -> resize();
            }
            checkColdest();
            if (policy instanceof SelfChecking structures) {
                structures.checkIntegrity();
            }
        }

        private void dirty(int frame) {
            if (state[frame] == State.LOADED) {
                state[frame] = State.QUEUED;
                policy.onDirty(frame);
            }
        }

        private void load(int frame) {
            if (state[frame] == State.FREE) {
                state[frame] = State.LOADED;
                weight[frame] = Math.min(1, policy.weightCap());
                policy.onLoad(frame, random.nextInt(PAGES), ++loads);
                pins[frame] = random.nextInt(2);
            }
        }

        /** Also of a frame that has lost its content: hits that were queued are told late. */
        private void hit(int frame) {
            policy.onHit(frame);
            if (state[frame] == State.LOADED || state[frame] == State.QUEUED) {
                weight[frame] = Math.min(weight[frame] + 1, policy.weightCap());
                pins[frame] += random.nextInt(2);
            }
        }

        private void remove(int frame) {
            if (pins[frame] == 0 && (state[frame] == State.LOADED || state[frame] == State.QUEUED)) {
                state[frame] = State.CLAIMED;
                policy.onRemove(frame);
                state[frame] = State.FREE;
            }
        }

        private void evictForLater() {
            int victim = evict();
            if (victim != ReplacementPolicy.NONE) {
                victims.add(victim);
            }
        }

        private int oneOfTheVictims() {
            if (victims.isEmpty()) {
                return ReplacementPolicy.NONE;
            }
            for (int i = random.nextInt(victims.size()); i > 0; i--) {
                victims.addLast(victims.removeFirst());
            }
            return victims.removeFirst();
        }

        private void reload() {
            int victim = oneOfTheVictims();
            if (victim != ReplacementPolicy.NONE) {
                state[victim] = State.FREE;
                if (random.nextInt(4) > 0) {
                    load(victim);
                }
            }
        }

        private void decline() {
            int victim = oneOfTheVictims();
            if (victim != ReplacementPolicy.NONE) {
                policy.onDeclined(victim);
                state[victim] = random.nextBoolean() ? State.QUEUED : State.LOADED;
            }
            for (int frame = 0; frame < frames; frame++) {
                if (state[frame] == State.QUEUED && random.nextInt(4) == 0) {
                    state[frame] = State.LOADED;
                    policy.onClean(frame);
                }
            }
        }

        private void resize() {
            boolean topIsFree = true;
            for (int frame = frames - CHUNK; frame < frames; frame++) {
                topIsFree &= state[frame] == State.FREE;
            }
            if (random.nextBoolean() && frames + CHUNK <= HARD) {
                frames += CHUNK;
                policy.onCapacity(frames);
            } else if (topIsFree && frames - CHUNK >= SOFT) {
                frames -= CHUNK;
                policy.onCapacity(frames);
            }
        }

        private void checkColdest() {
            List<Integer> named = new ArrayList<>();
            int count = policy.coldest(3, named::add);
            assertThat(named).hasSize(count).hasSizeLessThanOrEqualTo(3).doesNotHaveDuplicates();
            assertThat(named).allSatisfy(frame -> assertThat(frame).isBetween(0, frames - 1));
        }

        void drain() {
            while (!victims.isEmpty()) {
                decline();
            }
            int loaded = 0;
            for (int frame = 0; frame < frames; frame++) {
                pins[frame] = 0;
                if (state[frame] != State.FREE) {
                    state[frame] = State.LOADED;
                    loaded++;
                }
            }
            for (int i = 0; i < loaded; i++) {
                int victim = evict();
                assertThat(victim).isNotEqualTo(ReplacementPolicy.NONE);
                state[victim] = State.FREE;
            }
            assertThat(evict()).isEqualTo(ReplacementPolicy.NONE);
        }
    }

    @ParameterizedTest
    @MethodSource("candidates")
    void policyNamesEveryFrameThatCanBeClaimedAndNoOther(Candidate candidate) {
        for (long seed = 0; seed < 60; seed++) {
            Plan plan = new Plan(candidate.make.get(), seed);
            try {
                for (int step = 0; step < 300; step++) {
                    plan.step();
                }
                plan.drain();
            } catch (AssertionError | RuntimeException e) {
                throw new AssertionError(candidate + ", seed " + seed + ": " + e.getMessage(), e);
            }
        }
    }

    @Test
    void unknownPolicyIsRefusedWithTheNamesThatAreKnown() {
        assertThat(Policies.names()).contains(Policies.DEFAULT);
        assertThatThrownBy(() -> Policies.create("belady", 1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("belady")
                .hasMessageContaining(String.join(", ", Policies.names()));
    }

    @Test
    void onlyLockFreeClocksHaveAHandToChoose() {
        assertThat(Policies.names().stream().filter(Policies::hasHand)).containsExactly("nb-gclock", "nb-gclock3");
    }
}
