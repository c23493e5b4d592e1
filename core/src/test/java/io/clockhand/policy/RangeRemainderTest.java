// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.policy;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Where the default hand leaves the rest of a range. */
class RangeRemainderTest {
    /** Enough for ranges of the greatest length. */
    private static final int FRAMES = 100_000;

    private static final int RANGE = 32;

    private final ReplacementPolicy clock = Policies.create(Policies.DEFAULT, FRAMES);

    /** Claims every frame, and keeps no remainder. */
    private static class Claiming implements Claims {
        @Override
        public final Outcome ageOrClaim(int frame) {
            return Outcome.CLAIMED;
        }

        @Override
        public final boolean tryClaim(int frame) {
            return true;
        }
    }

    /** Claims every frame, and keeps a remainder as the pool does. */
    private static final class Keeping extends Claiming {
        private long hand;
        private long remainder = NO_REMAINDER;

        @Override
        public long takeRemainder(long asker) {
            long taken = hand == asker ? remainder : NO_REMAINDER;
            remainder = NO_REMAINDER;
            return taken;
        }

        @Override
        public boolean leaveRemainder(long asker, long position) {
            hand = asker;
            remainder = position;
            return true;
        }
    }

    private static List<Integer> victims(ReplacementPolicy clock, Claims claims, int count) {
        List<Integer> victims = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            victims.add(clock.evict(0, claims));
        }
        return victims;
    }

    private static List<Integer> range(int from, int to) {
        return IntStream.range(from, to).boxed().toList();
    }

    @Test
    void searchesThroughTheSameClaimsScanOneRangeAfterTheOther() {
        assertThat(victims(clock, new Keeping(), 3 * RANGE)).isEqualTo(range(0, 3 * RANGE));
    }

    @Test
    void searchesThroughDifferentClaimsScanDifferentRanges() {
        Keeping one = new Keeping();
        Keeping other = new Keeping();

        assertThat(victims(clock, one, 2)).isEqualTo(range(0, 2));
        assertThat(victims(clock, other, 2)).isEqualTo(range(RANGE, RANGE + 2));
        assertThat(victims(clock, one, 2)).isEqualTo(range(2, 4));
        assertThat(victims(clock, other, RANGE - 2)).isEqualTo(range(RANGE + 2, 2 * RANGE));
    }

    @Test
    void nextPolicyDoesNotUseTheRemainderOfTheFormerOne() {
        Keeping claims = new Keeping();
        victims(clock, claims, 5);
        ReplacementPolicy next = Policies.create(Policies.DEFAULT, FRAMES);

        assertThat(victims(next, claims, 3)).isEqualTo(range(0, 3));
        assertThat(victims(clock, claims, 1)).isEqualTo(range(RANGE, RANGE + 1));
    }

    @Test
    void claimsThatKeepNothingLeaveTheRemainderToTheStripeOfTheThread() {
        assertThat(victims(clock, new Claiming(), 2 * RANGE)).isEqualTo(range(0, 2 * RANGE));
    }
}
