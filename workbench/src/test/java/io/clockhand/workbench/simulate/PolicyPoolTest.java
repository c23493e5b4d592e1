// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.simulate;

import static org.assertj.core.api.Assertions.assertThat;

import io.clockhand.policy.Policies;
import io.clockhand.workbench.Tier;
import io.clockhand.workbench.simulate.PolicyPool.Counts;
import io.clockhand.workbench.simulate.PolicyPool.Speed;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The simulated pool with dirty pages, and the cleaner that writes them. A negative key is a write. Without dirty pages
 * {@link SimulateAsReplayTest} compares it with the real one.
 */
class PolicyPoolTest {
    private static final int PAGES = 100;

    static List<String> policies() {
        return Policies.names();
    }

    private static PolicyPool pool(String policy, int frames, Speed speed) {
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
        PolicyPool pool = pool(policy, 3, new Speed(100, 1));
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
        PolicyPool pool = pool("lru", 4, new Speed(2, 1));
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
        PolicyPool pool = pool("fifo", 3, new Speed(1, 1));
        refer(pool, ~0, 1, 2, 3, ~0, 4);

        assertThat(pool.counts().writes()).as("it was queued again").isEqualTo(2);
        assertThat(refer(pool, 0)).isTrue();
        assertThat(refer(pool, 2)).as("evicted in its place").isFalse();
    }

    @Test
    void missThatFindsNoCleanFrameWaitsForTheOldestWrite() {
        PolicyPool pool = pool("lru", 2, new Speed(50, 1));
        refer(pool, ~0, ~1, 2);

        assertThat(pool.counts().readStalls()).isEqualTo(1);
        assertThat(refer(pool, 1)).isTrue();
        assertThat(refer(pool, 0)).as("the first that was queued").isFalse();
        assertThat(pool.counts().readStalls()).as("page 2 was clean").isEqualTo(1);
    }

    @Test
    void stallLetsTimePass() {
        PolicyPool pool = pool("lru", 4, new Speed(50, 4));
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
        int[] stream = IntStream.range(0, 21).map(page -> ~page).toArray();
        PolicyPool adaptive = pool("fifo", 20, new Speed(9, Speed.ADAPTIVE));
        PolicyPool fixed = pool("fifo", 20, new Speed(9, 3));

        refer(adaptive, stream);
        refer(fixed, stream);

        assertThat(adaptive.counts().writes())
                .as("half of 20 queued frames, and when those had ended, half of 10")
                .isEqualTo(15);
        assertThat(fixed.counts().writes()).isEqualTo(6);
    }

    /** A page that was referred to is resident, and a page that is sought has a victim. */
    @ParameterizedTest
    @MethodSource("policies")
    void noPolicyLosesAFrameUnderDirt(String policy) {
        for (int frames : new int[] {1, 2, 7, 40}) {
            for (int share : new int[] {10, 60, 100}) {
                PolicyPool pool = pool(policy, frames, new Speed(share == 60 ? 0 : 8, Speed.ADAPTIVE));
                SplittableRandom random = new SplittableRandom(frames);
                for (int page : Streams.mixed(frames, PAGES, Tier.pick(300, 1_500))) {
                    pool.reference(random.nextInt(100) < share ? ~page : page);
                    assertThat(pool.reference(page))
                            .as("page %d, %d frames, %d %%", page, frames, share)
                            .isTrue();
                }
                assertThat(pool.counts().writes()).isPositive();
            }
        }
    }

    @Test
    void everyScannedFrameIsCounted() {
        PolicyPool pool = pool("nb-gclock3", 2, new Speed(10, Speed.ADAPTIVE));
        refer(pool, 0, 0, 0, 1, 1, 1);
        assertThat(pool.counts().framesScanned()).isZero();

        pool.reference(2);

        assertThat(pool.counts().framesScanned())
                .as("two turns that age both, and the victim")
                .isEqualTo(5);
    }
}
