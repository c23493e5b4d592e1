// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.simulate;

import static org.assertj.core.api.Assertions.assertThat;

import io.clockhand.policy.Policies;
import io.clockhand.workbench.workload.Workload;
import io.clockhand.workbench.workload.Workloads;
import java.util.HashMap;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class OptimalPoolTest {
    /** All that could be done: whom to throw out is tried in every way. */
    private static final class Exhaustive {
        private final int frames;
        private final int[] stream;
        private final Map<Long, Integer> known = new HashMap<>();

        Exhaustive(int frames, int[] stream) {
            this.frames = frames;
            this.stream = stream;
        }

        int mostHits() {
            return mostHits(0, 0);
        }

        private int mostHits(int position, int here) {
            if (position == stream.length) {
                return 0;
            }
            long key = (long) position << Integer.SIZE | here;
            Integer before = known.get(key);
            if (before != null) {
                return before;
            }
            int page = 1 << stream[position];
            int most = 0;
            if ((here & page) != 0) {
                most = 1 + mostHits(position + 1, here);
            } else if (Integer.bitCount(here) < frames) {
                most = mostHits(position + 1, here | page);
            } else {
                for (int rest = here; rest != 0; rest &= rest - 1) {
                    int victim = Integer.lowestOneBit(rest);
                    most = Math.max(most, mostHits(position + 1, (here & ~victim) | page));
                }
            }
            known.put(key, most);
            return most;
        }
    }

    static int hits(int frames, int... stream) {
        OptimalPool pool = new OptimalPool(frames, lookahead(stream));
        return Streams.hits(page -> pool.reference(), stream);
    }

    private static int[] lookahead(int... stream) {
        Workload workload = Workloads.circle(100, stream);
        Play play = new Play("a", "a", null, workload, 0, null, 1, 0, stream.length, false);
        return OptimalPool.lookahead(new Cell(play, "opt", 1, 1, "0"));
    }

    @Test
    void nobodyCanHitMoreHoweverVictimsAreChosen() {
        for (long seed = 0; seed < 200; seed++) {
            SplittableRandom random = new SplittableRandom(seed);
            int pages = 2 + random.nextInt(6);
            int frames = 1 + random.nextInt(4);
            int[] stream = random.ints(1 + random.nextInt(24), 0, pages).toArray();

            assertThat(hits(frames, stream)).as("seed %d", seed).isEqualTo(new Exhaustive(frames, stream).mostHits());
        }
    }

    @Test
    void noPolicyHitsMore() {
        for (int frames : new int[] {1, 40, 99}) {
            int[] stream = Streams.mixed(frames, 100, 6_000);
            int most = hits(frames, stream);
            for (String policy : Policies.names()) {
                assertThat(Streams.hits(Streams.pool(policy, frames, 100)::reference, stream))
                        .as("%s, %d frames", policy, frames)
                        .isLessThanOrEqualTo(most);
            }
        }
    }
}
