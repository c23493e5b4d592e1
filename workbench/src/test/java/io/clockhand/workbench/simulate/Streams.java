// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.simulate;

import io.clockhand.policy.Policies;
import io.clockhand.workbench.simulate.PolicyPool.Speed;
import java.util.SplittableRandom;
import java.util.function.IntPredicate;

/** Small streams of references, and pools for them. */
final class Streams {
    private Streams() {}

    /** Hot pages, runs, loops and random pages, in phases. */
    static int[] mixed(long seed, int pages, int length) {
        SplittableRandom random = new SplittableRandom(seed);
        int[] stream = new int[length];
        for (int n = 0; n < length; ) {
            int phase = random.nextInt(4);
            int from = random.nextInt(pages);
            int span = 1 + random.nextInt(pages);
            int end = Math.min(length, n + 10 + random.nextInt(190));
            for (int i = 0; n < end; i++, n++) {
                stream[n] = switch (phase) {
                    case 0 -> random.nextInt(pages);
                    case 1 -> (from + i) % pages;
                    case 2 -> (from + i % span) % pages;
                    default -> (int) (pages * Math.pow(random.nextDouble(), 4));
                };
            }
        }
        return stream;
    }

    static PolicyPool pool(String policy, int frames, int pages) {
        return new PolicyPool(Policies.create(policy, frames), frames, pages, new Speed(10, Speed.ADAPTIVE));
    }

    static int hits(IntPredicate pool, int... stream) {
        int hits = 0;
        for (int page : stream) {
            hits += pool.test(page) ? 1 : 0;
        }
        return hits;
    }
}
