// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.simulate;

import static org.assertj.core.api.Assertions.assertThat;

import io.clockhand.policy.Policies;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;
import java.util.function.IntPredicate;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The production classes in the simulated pool, hit by hit against definitions that are written down as naively as can
 * be.
 */
class PolicyPoolTest {
    private static final int[] FRAMES = {1, 2, 3, 7, 16, 50};
    private static final int PAGES = 100;

    private static IntPredicate lru(int frames) {
        Map<Integer, Boolean> pages = new LinkedHashMap<>(16, 0.75f, true) {
            private static final long serialVersionUID = 1;

            @Override
            protected boolean removeEldestEntry(Map.Entry<Integer, Boolean> eldest) {
                return size() > frames;
            }
        };
        return page -> pages.put(page, true) != null;
    }

    private static IntPredicate fifo(int frames) {
        Deque<Integer> queue = new ArrayDeque<>();
        return page -> {
            if (queue.contains(page)) {
                return true;
            }
            if (queue.size() == frames) {
                queue.remove();
            }
            queue.add(page);
            return false;
        };
    }

    /** Fetch gives weight 1, a hit one more, the hand takes one off and stops where none is left. */
    private static IntPredicate gclock(int frames, int most) {
        int[] pages = new int[frames];
        int[] weights = new int[frames];
        Map<Integer, Integer> frameOf = new HashMap<>();
        int[] hand = {0};
        return page -> {
            Integer frame = frameOf.get(page);
            if (frame != null) {
                weights[frame] = Math.min(weights[frame] + 1, most);
                return true;
            }
            if (frameOf.size() == frames) {
                while (--weights[hand[0]] > 0) {
                    hand[0] = (hand[0] + 1) % frames;
                }
                frameOf.remove(pages[hand[0]]);
            }
            pages[hand[0]] = page;
            weights[hand[0]] = 1;
            frameOf.put(page, hand[0]);
            hand[0] = (hand[0] + 1) % frames;
            return false;
        };
    }

    private static List<Boolean> hits(IntPredicate cache, int[] stream) {
        List<Boolean> hits = new ArrayList<>();
        for (int page : stream) {
            hits.add(cache.test(page));
        }
        return hits;
    }

    private static void expectSame(String policy, IntFunction<IntPredicate> naive) {
        for (int frames : FRAMES) {
            for (long seed = 0; seed < 3; seed++) {
                int[] stream = Streams.mixed(frames * 100L + seed, PAGES, 5_000);
                PolicyPool pool = new PolicyPool(Policies.create(policy, frames), frames, PAGES, Streams.SPEED);
                assertThat(hits(pool::reference, stream))
                        .as("%s, %d frames, seed %d", policy, frames, seed)
                        .isEqualTo(hits(naive.apply(frames), stream));
            }
        }
    }

    @Test
    void lruHitsWhatTheJdksAccessOrderHits() {
        expectSame("lru", PolicyPoolTest::lru);
        expectSame("spin:lru", PolicyPoolTest::lru);
    }

    @Test
    void fifoHitsWhatAQueueHits() {
        Assumptions.assumeTrue(Policies.names().contains("fifo"));
        expectSame("fifo", PolicyPoolTest::fifo);
    }

    @ParameterizedTest
    @CsvSource({"clock, 2", "gclock3, 3", "nb-gclock3, 3", "gclock, 2147483647", "nb-gclock, 2147483647"})
    void clocksHitWhatGclockHits(String policy, int most) {
        expectSame(policy, frames -> gclock(frames, most));
    }

    @Test
    void everyScannedFrameIsCounted() {
        PolicyPool pool = new PolicyPool(Policies.create("nb-gclock3", 2), 2, 3, Streams.SPEED);
        Streams.hits(pool, new int[] {0, 0, 0, 1, 1, 1});
        assertThat(pool.counts().framesScanned()).isZero();

        pool.reference(2);

        assertThat(pool.counts().framesScanned())
                .as("two turns that age both, and the victim")
                .isEqualTo(5);
    }
}
