// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import io.clockhand.policy.ReplacementPolicy;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.IntFunction;
import java.util.stream.Stream;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The tests that every {@link ReplacementPolicy} must pass. To run them for a policy of one's own, extend this class:
 *
 * <pre>{@code
 * class SecondChanceTest extends ReplacementPolicyContract {
 *     protected Stream<Candidate> candidates() {
 *         return Stream.of(new Candidate("second-chance",
 *                 frames -> Policies.locked(new SecondChance(frames), new ReentrantLock())));
 *     }
 * }
 * }</pre>
 *
 * <p>Random plans are seeded; a failure names the seed and the step. No test depends on the speed of the machine: a
 * thread that does not end fails it after two minutes.
 */
@TestInstance(Lifecycle.PER_CLASS)
public abstract class ReplacementPolicyContract {
    private static final int FRAMES = 8;
    private static final int STEPS = 300;
    private static final int THREADS = 4;
    /** A search without a victim may try some frames again that are set aside. */
    private static final int SCANS_IN_VAIN = 64;

    /**
     * A policy to be tested.
     *
     * @param name its name in test reports
     * @param maker makes a new, thread-safe policy for a number of frames, as a pool's builder takes it
     */
    public record Candidate(String name, IntFunction<ReplacementPolicy> maker) {
        @Override
        public String toString() {
            return name;
        }
    }

    /** {@return the policies to be tested} */
    protected abstract Stream<Candidate> candidates();

    /**
     * Checks a policy's own data structures, after each step of the plans. Does nothing by default.
     *
     * @param policy a policy that no other thread uses at present
     */
    protected void checkIntegrity(ReplacementPolicy policy) {}

    /** {@return the number of random plans for each policy} 60 by default. */
    protected int seeds() {
        return 60;
    }

    /** {@return the number of steps of each of the threads that use a policy concurrently} 20,000 by default. */
    protected int stepsOfAThread() {
        return 20_000;
    }

    /**
     * Checks that no page is a ghost while it is in a frame, after each step of plans in which the pages' identities
     * differ. Does nothing by default.
     *
     * @param policy a policy that no other thread uses at present
     */
    protected void checkGhosts(ReplacementPolicy policy) {}

    /**
     * {@return whether a policy sets dirty frames aside until they are clean, so that its searches do not scan them
     * again and again} No by default.
     *
     * @param candidate one of the policies to be tested
     */
    protected boolean setsDirtyFramesAside(Candidate candidate) {
        return false;
    }

    private Stream<Candidate> candidatesThatSetAside() {
        return candidates().filter(this::setsDirtyFramesAside);
    }

    private static List<Integer> evictAll(ReplacementPolicy policy, SimulatedFrames frames) {
        List<Integer> victims = new ArrayList<>();
        for (int victim = frames.evict(policy); victim != ReplacementPolicy.NONE; victim = frames.evict(policy)) {
            victims.add(victim);
        }
        return victims;
    }

    private static SimulatedFrames loaded(ReplacementPolicy policy, int count) {
        SimulatedFrames frames = new SimulatedFrames(count, policy.weightCap());
        for (int frame = 0; frame < count; frame++) {
            frames.load(policy, frame, frame);
        }
        return frames;
    }

    @ParameterizedTest
    @MethodSource("candidates")
    void everyLoadedFrameIsEvictedOnce(Candidate candidate) {
        ReplacementPolicy policy = candidate.maker.apply(FRAMES);
        SimulatedFrames frames = loaded(policy, FRAMES);

        assertThat(evictAll(policy, frames)).containsExactlyInAnyOrder(0, 1, 2, 3, 4, 5, 6, 7);
    }

    @ParameterizedTest
    @MethodSource("candidates")
    void emptyPoolHasNoVictim(Candidate candidate) {
        ReplacementPolicy policy = candidate.maker.apply(FRAMES);

        assertThat(policy.evict(1, new SimulatedFrames(FRAMES, policy.weightCap())))
                .isEqualTo(ReplacementPolicy.NONE);
    }

    @ParameterizedTest
    @MethodSource("candidates")
    void poolOfOneFrameWorks(Candidate candidate) {
        ReplacementPolicy policy = candidate.maker.apply(1);
        SimulatedFrames frames = new SimulatedFrames(1, policy.weightCap());
        for (int identity = 0; identity < 10; identity++) {
            frames.load(policy, 0, identity);
            frames.hit(policy, 0);
            assertThat(evictAll(policy, frames)).containsExactly(0);
        }
    }

    @ParameterizedTest
    @MethodSource("candidates")
    void declinedVictimIsEvictedLater(Candidate candidate) {
        ReplacementPolicy policy = candidate.maker.apply(FRAMES);
        SimulatedFrames frames = loaded(policy, FRAMES);
        int victim = frames.evict(policy);

        frames.decline(policy, victim);

        assertThat(evictAll(policy, frames))
                .hasSize(FRAMES)
                .doesNotHaveDuplicates()
                .contains(victim);
    }

    @ParameterizedTest
    @MethodSource("candidates")
    void dirtyFrameIsNoVictimUntilItIsClean(Candidate candidate) {
        for (int dirty = 0; dirty < 1 << FRAMES; dirty++) {
            ReplacementPolicy policy = candidate.maker.apply(FRAMES);
            SimulatedFrames frames = loaded(policy, FRAMES);
            List<Integer> clean = new ArrayList<>();
            List<Integer> others = new ArrayList<>();
            for (int frame = 0; frame < FRAMES; frame++) {
                if ((dirty >> frame & 1) != 0 && frames.tryMakeDirty(frame)) {
                    others.add(frame);
                } else {
                    clean.add(frame);
                }
            }

            assertThat(evictAll(policy, frames)).containsExactlyInAnyOrderElementsOf(clean);
            assertThat(others).allMatch(frame -> frames.state(frame) == SimulatedFrames.State.QUEUED);
            checkIntegrity(policy);
            others.forEach(frame -> frames.clean(policy, frame));
            assertThat(evictAll(policy, frames)).containsExactlyInAnyOrderElementsOf(others);
            checkIntegrity(policy);
        }
    }

    @ParameterizedTest(allowZeroInvocations = true)
    @MethodSource("candidatesThatSetAside")
    void searchesScanADirtyFrameOnceForEachTimeThatItBecameDirtyOrWasHit(Candidate candidate) {
        int count = 6 * FRAMES;
        for (long seed = 0, seeds = seeds(); seed < seeds; seed++) {
            ReplacementPolicy policy = candidate.maker.apply(count);
            SimulatedFrames frames = loaded(policy, count);
            SplittableRandom random = new SplittableRandom(seed);
            long most = 0;
            for (int step = 0; step < 10 * STEPS; step++) {
                int frame = random.nextInt(count);
                switch (random.nextInt(8)) {
                    case 0, 1, 2 -> {
                        int victim = frames.evict(policy);
                        most += victim == ReplacementPolicy.NONE ? SCANS_IN_VAIN : 1;
                        if (victim != ReplacementPolicy.NONE) {
                            frames.load(policy, victim, 1_000 * seed + step);
                        }
                    }
                    case 3, 4 -> most += frames.tryMakeDirty(frame) ? 1 : 0;
                    case 5 -> {
                        most += frames.isDirty(frame) ? 1 : 0;
                        frames.hit(policy, frame);
                    }
                    default -> frames.clean(policy, frame);
                }
            }
            assertThat(frames.scans()).as("seed %d", seed).isLessThanOrEqualTo(most);
        }
    }

    /** The notice may fail, so a policy that sets dirty frames aside tries them again when it has no other victim. */
    @ParameterizedTest
    @MethodSource("candidates")
    void frameThatWasCleanedWithoutNoticeIsEvictedWhenThereIsNoOther(Candidate candidate) {
        int count = 5 * FRAMES;
        ReplacementPolicy policy = candidate.maker.apply(count);
        SimulatedFrames frames = loaded(policy, count);
        for (int frame = 0; frame < count; frame++) {
            frames.tryMakeDirty(frame);
        }
        assertThat(evictAll(policy, frames)).isEmpty();
        for (int frame = 0; frame < count; frame += 2) {
            frames.tryCleanUnnoticed(frame);
        }

        List<Integer> victims = new ArrayList<>();
        for (int search = 0; search < count; search++) {
            victims.addAll(evictAll(policy, frames));
        }

        assertThat(victims).hasSize(count / 2).doesNotHaveDuplicates().allMatch(frame -> frame % 2 == 0);
    }

    @ParameterizedTest
    @MethodSource("candidates")
    void dirtyFrameIsHitRemovedLoadedAndDeclinedAsAnyOther(Candidate candidate) {
        ReplacementPolicy policy = candidate.maker.apply(FRAMES);
        SimulatedFrames frames = loaded(policy, FRAMES);
        for (int frame = 0; frame < FRAMES; frame++) {
            frames.tryMakeDirty(frame);
        }
        assertThat(evictAll(policy, frames)).isEmpty();

        frames.hit(policy, 1);
        frames.remove(policy, 2);
        frames.remove(policy, 3);
        frames.load(policy, 3, 77);
        policy.onLoad(4, 78, 2); // as after a call that threw
        checkIntegrity(policy);
        assertThat(evictAll(policy, frames)).containsExactly(3);
        frames.decline(policy, 3);
        checkIntegrity(policy);
        for (int frame = 0; frame < FRAMES; frame++) {
            frames.clean(policy, frame);
        }
        policy.onClean(2); // late

        assertThat(evictAll(policy, frames)).containsExactlyInAnyOrder(0, 1, 3, 4, 5, 6, 7);
        checkIntegrity(policy);
    }

    @ParameterizedTest
    @MethodSource("candidates")
    void pinnedFramesAreNoVictimsUntilTheyAreUnpinned(Candidate candidate) {
        ReplacementPolicy policy = candidate.maker.apply(FRAMES);
        SimulatedFrames frames = loaded(policy, FRAMES);
        frames.pin(2);
        frames.pin(5);

        assertThat(evictAll(policy, frames)).containsExactlyInAnyOrder(0, 1, 3, 4, 6, 7);
        frames.unpin(2);
        frames.unpin(5);
        assertThat(evictAll(policy, frames)).containsExactlyInAnyOrder(2, 5);
    }

    @ParameterizedTest
    @MethodSource("candidates")
    void removedFrameIsNoVictimUntilItIsLoadedAgain(Candidate candidate) {
        ReplacementPolicy policy = candidate.maker.apply(FRAMES);
        SimulatedFrames frames = loaded(policy, FRAMES);

        frames.remove(policy, 3);

        assertThat(evictAll(policy, frames))
                .hasSize(FRAMES - 1)
                .doesNotHaveDuplicates()
                .doesNotContain(3);
        frames.load(policy, 3, 99);
        assertThat(evictAll(policy, frames)).containsExactly(3);
    }

    /** As after a call that threw: the pool repeats a removal, or loads a frame that the policy still lists. */
    @ParameterizedTest
    @MethodSource("candidates")
    void frameThatAnEarlierFailureLeftListedOrUnlistedIsAccepted(Candidate candidate) {
        ReplacementPolicy policy = candidate.maker.apply(FRAMES);
        SimulatedFrames frames = loaded(policy, FRAMES);
        policy.onRemove(1);
        policy.onRemove(1);
        policy.onLoad(1, 50, 2);
        policy.onLoad(2, 51, 2);
        checkIntegrity(policy);

        assertThat(evictAll(policy, frames)).hasSize(FRAMES).doesNotHaveDuplicates();
        checkIntegrity(policy);
    }

    @ParameterizedTest
    @MethodSource("candidates")
    void hitOnAFrameThatHoldsNothingIsIgnored(Candidate candidate) {
        ReplacementPolicy policy = candidate.maker.apply(FRAMES);
        SimulatedFrames frames = loaded(policy, FRAMES);
        int victim = frames.evict(policy);
        for (int i = 0; i < 1_000; i++) {
            policy.onHit(victim);
        }

        assertThat(evictAll(policy, frames))
                .hasSize(FRAMES - 1)
                .doesNotHaveDuplicates()
                .doesNotContain(victim);
    }

    @ParameterizedTest
    @MethodSource("candidates")
    void framesOfAGrownPoolAreEvicted(Candidate candidate) {
        ReplacementPolicy policy = candidate.maker.apply(FRAMES);
        SimulatedFrames frames = loaded(policy, FRAMES);

        policy.onCapacity(2 * FRAMES);
        frames.setCount(2 * FRAMES);
        for (int frame = FRAMES; frame < 2 * FRAMES; frame++) {
            frames.load(policy, frame, frame);
            frames.hit(policy, frame);
        }

        assertThat(evictAll(policy, frames)).hasSize(2 * FRAMES).doesNotHaveDuplicates();
    }

    @ParameterizedTest
    @MethodSource("candidates")
    void framesAboveTheCapacityOfAShrunkPoolAreNotScanned(Candidate candidate) {
        ReplacementPolicy policy = candidate.maker.apply(2 * FRAMES);
        SimulatedFrames frames = loaded(policy, 2 * FRAMES);
        for (int frame = 2 * FRAMES - 1; frame >= FRAMES; frame--) {
            frames.hit(policy, frame);
            frames.remove(policy, frame);
        }

        policy.onCapacity(FRAMES);
        frames.setCount(FRAMES);

        policy.coldest(100, frame -> assertThat(frame).isBetween(0, FRAMES - 1));
        assertThat(evictAll(policy, frames)).hasSize(FRAMES).doesNotHaveDuplicates();
    }

    @ParameterizedTest
    @MethodSource("candidates")
    void coldestNamesAtMostTheWantedNumberOfFramesAndChangesNothing(Candidate candidate) {
        ReplacementPolicy policy = candidate.maker.apply(FRAMES);
        loaded(policy, FRAMES);
        for (int max = 0; max <= FRAMES + 1; max++) {
            List<Integer> named = new ArrayList<>();
            List<Integer> again = new ArrayList<>();
            assertThat(policy.coldest(max, named::add)).isEqualTo(named.size()).isLessThanOrEqualTo(max);
            policy.coldest(max, again::add);
            assertThat(again).isEqualTo(named).doesNotHaveDuplicates();
        }
    }

    @ParameterizedTest
    @MethodSource("candidates")
    void randomPlanFindsEveryVictimAndNothingElse(Candidate candidate) {
        for (long seed = 0, seeds = seeds(); seed < seeds; seed++) {
            RandomPlan plan = new RandomPlan(candidate.maker, this::checkIntegrity, this::checkGhosts, seed);
            try {
                plan.run(STEPS);
            } catch (AssertionError | RuntimeException e) {
                fail(candidate + ", seed " + seed + ", " + plan + ": " + e.getMessage(), e);
            }
        }
    }

    @ParameterizedTest
    @MethodSource("candidates")
    void concurrentThreadsLoseNoFrame(Candidate candidate) throws Exception {
        int count = 4 * FRAMES;
        ReplacementPolicy policy = candidate.maker.apply(count);
        SimulatedFrames frames = new SimulatedFrames(count, policy.weightCap());

        ConcurrentLoad.run(policy, frames, THREADS, stepsOfAThread());
        checkIntegrity(policy);

        List<Integer> expected = frames.loaded();
        for (int frame = 0; frame < count; frame++) {
            frames.clean(policy, frame);
        }
        assertThat(evictAll(policy, frames)).containsExactlyInAnyOrderElementsOf(expected);
    }
}
