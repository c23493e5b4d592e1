// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.policy;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class GhostsTest {
    /** Compared with a set of the JDK, while the limit grows and shrinks. */
    @Test
    void latestEvictedPagesAreHeldInOrderOfEviction() {
        for (long seed = 0; seed < 20; seed++) {
            SplittableRandom random = new SplittableRandom(seed);
            int limit = random.nextInt(40);
            Ghosts ghosts = new Ghosts(limit);
            Set<Long> expected = new LinkedHashSet<>();
            for (int step = 0; step < 20_000; step++) {
                long page = (long) random.nextInt(100) << 20;
                if (random.nextInt(1_000) == 0) {
                    limit = random.nextInt(60);
                    ghosts.limit(limit);
                } else {
                    boolean held = expected.remove(page);
                    assertThat(ghosts.take(page))
                            .as("seed %d, step %d", seed, step)
                            .isEqualTo(held);
                    if (random.nextInt(3) > 0) {
                        ghosts.add(page);
                        expected.add(page);
                    }
                }
                for (Iterator<Long> oldest = expected.iterator(); expected.size() > limit; ) {
                    oldest.next();
                    oldest.remove();
                }
                assertThat(ghosts.size()).isEqualTo(expected.size());
            }
        }
    }
}
