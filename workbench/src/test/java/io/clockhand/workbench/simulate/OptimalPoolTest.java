// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.simulate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.clockhand.policy.Policies;
import io.clockhand.workbench.simulate.OptimalPool.Positions;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.PrimitiveIterator;
import java.util.SplittableRandom;
import java.util.TreeSet;
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

    static OptimalPool pool(int frames, int pages, int... stream) {
        PrimitiveIterator.OfInt references = Arrays.stream(stream).iterator();
        return new OptimalPool(frames, Lookahead.of(pages, stream.length, references::nextInt));
    }

    @Test
    void nobodyCanHitMoreHoweverVictimsAreChosen() {
        for (long seed = 0; seed < 300; seed++) {
            SplittableRandom random = new SplittableRandom(seed);
            int pages = 2 + random.nextInt(6);
            int frames = 1 + random.nextInt(4);
            int[] stream = random.ints(1 + random.nextInt(24), 0, pages).toArray();

            assertThat(Streams.hits(pool(frames, pages, stream), stream))
                    .as("seed %d", seed)
                    .isEqualTo(new Exhaustive(frames, stream).mostHits());
        }
    }

    @Test
    void noPolicyHitsMore() {
        for (int frames : new int[] {1, 5, 40, 99, 100}) {
            int[] stream = Streams.mixed(frames, 100, 20_000);
            int most = Streams.hits(pool(frames, 100, stream), stream);
            for (String policy : Policies.names()) {
                PolicyPool pool = new PolicyPool(Policies.create(policy, frames), frames, 100, Streams.SPEED);
                assertThat(Streams.hits(pool, stream))
                        .as("%s, %d frames", policy, frames)
                        .isLessThanOrEqualTo(most);
            }
        }
    }

    @Test
    void otherReferencesThanThoseThatWereKnownAreAnError() {
        OptimalPool pool = pool(1, 2, 0, 1);
        pool.reference(0);

        assertThatThrownBy(() -> pool.reference(0)).hasMessage("reference 1 is to page 0, which was not foreseen");
    }

    @Test
    void positionsAreASortedSet() {
        SplittableRandom random = new SplittableRandom(7);
        for (int limit : new int[] {1, 2, 64, 65, 4_096, 4_097, 300_000}) {
            Positions positions = new Positions(limit);
            TreeSet<Integer> expected = new TreeSet<>();
            for (int i = 0; i < 2_000; i++) {
                int position = random.nextInt(limit);
                if (expected.add(position)) {
                    positions.add(position);
                }
                if (random.nextBoolean()) {
                    int gone = random.nextBoolean() ? expected.last() : expected.first();
                    expected.remove(gone);
                    positions.remove(gone);
                }
                assertThat(positions.contains(position)).isEqualTo(expected.contains(position));
                if (!expected.isEmpty()) {
                    assertThat(positions.last()).isEqualTo(expected.last());
                }
            }
        }
    }
}
