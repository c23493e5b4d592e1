// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.policy;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Ghosts by their hashes: which are remembered, and for how long. */
class StampedGhostsTest {
    private static final int WAYS = 8;
    /** One bucket. */
    private final StampedGhosts ghosts = new StampedGhosts(WAYS);

    private long now = 1;

    private void put(long page) {
        ghosts.put(StampedGhosts.hash(page), now++);
    }

    private long find(long page) {
        return ghosts.find(StampedGhosts.hash(page), now);
    }

    private List<Long> known(int pages) {
        List<Long> known = new ArrayList<>();
        for (long page = 0; page < pages; page++) {
            if (find(page) != StampedGhosts.NONE) {
                known.add(page);
            }
        }
        return known;
    }

    @Test
    void ghostHasItsStampUntilItIsTaken() {
        assertThat(find(5)).as("the stamp of no ghost").isEqualTo(StampedGhosts.NONE);
        now = 100;
        put(5);
        now = 200;
        assertThat(find(5)).as("the stamp of a ghost").isEqualTo(100);
        assertThat(ghosts.take(StampedGhosts.hash(5), now))
                .as("the stamp of a ghost that is taken")
                .isEqualTo(100);
        assertThat(find(5)).as("the stamp of a ghost that was taken").isEqualTo(StampedGhosts.NONE);
        assertThat(ghosts.take(StampedGhosts.hash(5), now)).isEqualTo(StampedGhosts.NONE);
    }

    @Test
    void oldestGhostOfAFullBucketIsReplacedFirst() {
        for (long page = 0; page < 3 * WAYS; page++) {
            put(page);
            List<Long> newest = new ArrayList<>();
            for (long each = Math.max(0, page - WAYS + 1); each <= page; each++) {
                newest.add(each);
            }
            assertThat(known(3 * WAYS)).as("the newest ghosts of a full bucket").isEqualTo(newest);
        }
    }

    @Test
    void slotOfAGhostThatWasTakenIsUsedBeforeAGhostIsReplaced() {
        for (long page = 0; page < WAYS; page++) {
            put(page);
        }
        ghosts.take(StampedGhosts.hash(3), now);
        put(100);

        assertThat(known(WAYS)).as("ghosts besides the one that was taken").containsExactly(0L, 1L, 2L, 4L, 5L, 6L, 7L);
        assertThat(find(100)).isNotEqualTo(StampedGhosts.NONE);
    }

    @Test
    void stampsAreWholeFarBeyondTheBitsThatAreStored() {
        now = (1L << 40) - 2;
        for (long page = 0; page < WAYS; page++) {
            put(page);
        }
        for (long page = 0; page < WAYS; page++) {
            assertThat(find(page)).as("the stamp of page %d", page).isEqualTo((1L << 40) - 2 + page);
        }
    }
}
