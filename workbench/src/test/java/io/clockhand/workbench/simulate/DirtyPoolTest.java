// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.simulate;

import static org.assertj.core.api.Assertions.assertThat;

import io.clockhand.policy.Claims;
import io.clockhand.policy.Policies;
import io.clockhand.policy.ReplacementPolicy;
import io.clockhand.workbench.Tier;
import io.clockhand.workbench.simulate.PolicyPool.CleanerModel;
import io.clockhand.workbench.simulate.Simulation.SimulatedPool.Counts;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The simulated pool with dirty pages, and the cleaner that writes them. A negative key is a write. */
class DirtyPoolTest {
    private static final int PAGES = 100;

    static List<String> policies() {
        return Policies.names();
    }

    private static CleanerModel.Speed speed(int writeTime, int inFlight) {
        return new CleanerModel.Speed(writeTime, inFlight);
    }

    private static PolicyPool pool(String policy, int frames, CleanerModel.Speed speed) {
        return new PolicyPool(Policies.create(policy, frames), frames, PAGES, speed);
    }

    private static boolean refer(PolicyPool pool, int... keys) {
        boolean hit = false;
        for (int key : keys) {
            hit = pool.reference(key);
        }
        return hit;
    }

    @ParameterizedTest
    @ValueSource(strings = {"lru", "fifo", "clock", "nb-gclock3"})
    void dirtyFrameIsPassedAndTheNextOneIsEvicted(String policy) {
        PolicyPool pool = pool(policy, 3, speed(100, 1));
        refer(pool, ~0, 1, 2, 3);

        assertThat(pool.counts())
                .as("0 was met and is being written, 1 was evicted")
                .isEqualTo(new Counts(2, 1, 0));
        assertThat(refer(pool, 0)).isTrue();
        assertThat(refer(pool, 2)).isTrue();
        assertThat(refer(pool, 1)).isFalse();
    }

    @Test
    void frameThatWasWrittenIsTheNextVictimOfAList() {
        PolicyPool pool = pool("lru", 4, speed(2, 1));
        refer(pool, ~0, 1, 2, 3, 4, 5);
        assertThat(pool.counts().framesScanned())
                .as("the frame that is set aside is scanned once")
                .isEqualTo(3);

        refer(pool, 6);

        assertThat(pool.counts()).isEqualTo(new Counts(4, 1, 0));
        assertThat(refer(pool, 3)).isTrue();
        assertThat(refer(pool, 0)).as("evicted as soon as it was clean").isFalse();
    }

    @Test
    void pageThatIsChangedWhileItIsWrittenStaysDirty() {
        PolicyPool pool = pool("fifo", 3, speed(1, 1));
        refer(pool, ~0, 1, 2, 3, ~0, 4);

        assertThat(pool.counts().writes()).as("it was queued again").isEqualTo(2);
        assertThat(refer(pool, 0)).isTrue();
        assertThat(refer(pool, 2)).as("evicted in its place").isFalse();
    }

    @Test
    void missThatFindsNoCleanFrameWaitsForTheOldestWrite() {
        PolicyPool pool = pool("lru", 2, speed(50, 1));
        refer(pool, ~0, ~1, 2);

        assertThat(pool.counts().readStalls()).isEqualTo(1);
        assertThat(refer(pool, 1)).isTrue();
        assertThat(refer(pool, 0)).as("the first that was queued").isFalse();
        assertThat(pool.counts().readStalls()).as("page 2 was clean").isEqualTo(1);
    }

    @Test
    void stallLetsTimePass() {
        PolicyPool pool = pool("lru", 4, speed(50, 4));
        refer(pool, ~0, ~1, ~2, ~3, 4);
        assertThat(pool.counts().readStalls()).isEqualTo(1);

        refer(pool, 5, 6, 7);

        assertThat(pool.counts())
                .as("all four were written at once, and have ended with the oldest")
                .extracting(Counts::writes, Counts::readStalls)
                .containsExactly(4L, 1L);
    }

    @Test
    void moreWritesAreInFlightTheMoreFramesAreQueued() {
        CleanerModel adaptive = new CleanerModel(speed(9, CleanerModel.Speed.ADAPTIVE), 20);
        CleanerModel fixed = new CleanerModel(speed(9, 3), 20);
        IntStream.range(0, 20).forEach(frame -> {
            adaptive.add(frame);
            fixed.add(frame);
        });

        assertThat(begun(adaptive)).isEqualTo(IntStream.range(0, 10).boxed().toList());
        assertThat(begun(fixed)).containsExactly(0, 1, 2);
        adaptive.awaitOldest();
        assertThat(ended(adaptive)).hasSize(10);
        assertThat(begun(adaptive)).containsExactly(10, 11, 12, 13, 14);
        adaptive.awaitOldest();
        assertThat(ended(adaptive)).hasSize(5);
        assertThat(begun(adaptive)).as("at least four").containsExactly(15, 16, 17, 18);
    }

    private static List<Integer> begun(CleanerModel cleaner) {
        List<Integer> frames = new ArrayList<>();
        for (int frame = cleaner.beginWrite(); frame != CleanerModel.NONE; frame = cleaner.beginWrite()) {
            frames.add(frame);
        }
        return frames;
    }

    private static List<Integer> ended(CleanerModel cleaner) {
        List<Integer> frames = new ArrayList<>();
        for (int frame = cleaner.endWrite(); frame != CleanerModel.NONE; frame = cleaner.endWrite()) {
            frames.add(frame);
        }
        return frames;
    }

    /** Passes all calls on, and checks that no frame is clean when the policy finds no victim. */
    private record Watched(ReplacementPolicy policy, int frames) implements ReplacementPolicy {
        @Override
        public int weightCap() {
            return policy.weightCap();
        }

        @Override
        public boolean tracksAccesses() {
            return policy.tracksAccesses();
        }

        @Override
        public void onLoad(int frame, long identity, int generation) {
            policy.onLoad(frame, identity, generation);
        }

        @Override
        public void onHit(int frame) {
            policy.onHit(frame);
        }

        @Override
        public int evict(long incomingIdentity, Claims claims) {
            int victim = policy.evict(incomingIdentity, claims);
            if (victim == NONE) {
                for (int frame = 0; frame < frames; frame++) {
                    assertThat(claims.claim(frame)).as("frame %d", frame).isEqualTo(Claims.Outcome.DIRTY);
                }
            }
            return victim;
        }

        @Override
        public void onClean(int frame) {
            policy.onClean(frame);
        }

        @Override
        public void onCapacity(int count) {
            policy.onCapacity(count);
        }
    }

    /** Grants the claim of each frame, once: a frame that is claimed cannot be claimed again. */
    private static final class Generous implements Claims {
        private final Set<Integer> claimed = new HashSet<>();

        @Override
        public Outcome ageOrClaim(int frame) {
            return claim(frame);
        }

        @Override
        public boolean tryClaim(int frame) {
            return claimed.add(frame);
        }
    }

    @ParameterizedTest
    @MethodSource("policies")
    void noPolicyLosesAFrameUnderDirt(String policy) {
        for (int frames : new int[] {1, 2, 7, 40}) {
            for (int share : new int[] {10, 60, 100}) {
                for (int inFlight : new int[] {CleanerModel.Speed.ADAPTIVE, 1, 5}) {
                    play(policy, frames, share, speed(share == 60 ? 0 : 8, inFlight));
                }
            }
        }
    }

    /** The same frames go on to be evicted, each once, after a random stream. */
    private static void play(String name, int frames, int share, CleanerModel.Speed speed) {
        String what = name + ", " + frames + " frames, " + share + " %, " + speed + ", seed " + frames;
        ReplacementPolicy policy = Policies.create(name, frames);
        PolicyPool pool = new PolicyPool(new Watched(policy, frames), frames, PAGES, speed);
        SplittableRandom random = new SplittableRandom(frames);
        int references = 0;
        for (int page : Streams.mixed(frames, PAGES, Tier.pick(300, 1_500))) {
            pool.reference(random.nextInt(100) < share ? ~page : page);
            references++;
            assertThat(pool.reference(page))
                    .as("%s: page %d after reference %d", what, page, references)
                    .isTrue();
        }
        List<Integer> victims = new ArrayList<>();
        Claims claims = new Generous();
        for (int i = 0; i < frames; i++) {
            victims.add(policy.evict(PAGES + i, claims));
        }
        assertThat(victims)
                .as(what)
                .containsExactlyInAnyOrderElementsOf(
                        IntStream.range(0, frames).boxed().toList());
        assertThat(pool.counts().writes()).as(what).isPositive();
    }
}
