// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A victim that is declined is in its frame as before, and leaves no ghost behind. */
class DeclinedVictimTest {
    private static final int FRAMES = 20;
    private static final int PAGES = 60;
    private static final int REFERENCES = 2_000;

    static List<String> policies() {
        return Policies.names();
    }

    /** Unused frames, each of which can be claimed. Keeps weights as a pool does. */
    private static final class Frames implements Claims {
        private final int[] weights = new int[FRAMES];

        @Override
        public Outcome ageOrClaim(int frame) {
            if (weights[frame] > 1) {
                weights[frame]--;
                return Outcome.AGED;
            }
            return Outcome.CLAIMED;
        }

        @Override
        public boolean tryClaim(int frame) {
            return true;
        }
    }

    @ParameterizedTest
    @MethodSource("policies")
    void declinedVictimIsInItsFrameAsBefore(String name) {
        ReplacementPolicy policy = Policies.create(name, FRAMES);
        Frames frames = new Frames();
        Map<Integer, Integer> frameOf = new HashMap<>();
        List<Integer> pageIn = new ArrayList<>();
        int[] references = References.mixed(7, PAGES, REFERENCES);
        for (int n = 0; n < REFERENCES; n++) {
            int page = references[n];
            Integer frame = frameOf.get(page);
            if (frame != null) {
                frames.weights[frame] = Math.min(policy.weightCap(), frames.weights[frame] + 1);
                policy.onHit(frame);
            } else {
                int to = pageIn.size();
                if (to == FRAMES) {
                    decline(policy, frames, page, name + ", reference " + n);
                    to = policy.evict(page, frames);
                    frameOf.remove(pageIn.get(to));
                    pageIn.set(to, page);
                } else {
                    pageIn.add(page);
                }
                frameOf.put(page, to);
                frames.weights[to] = 1;
                policy.onLoad(to, page, n);
            }
            checkGhosts(policy, name + ", reference " + n);
        }
    }

    /** Two objects may have one identity, since that of an object is the hash of its key. */
    @Test
    void declinedHotFrameDoesNotTakeTheTestPeriodOfAnObjectWithItsHash() {
        int shared = 100;
        int hot = 0;
        int cold = 7;
        ReplacementPolicy policy = Policies.create("clock-pro", 8);
        for (int frame = 0; frame < 8; frame++) {
            policy.onLoad(frame, frame == hot || frame == cold ? shared : frame, 0);
        }
        assertThat(policy.evict(200, only(hot))).isEqualTo(hot);
        assertThat(policy.evict(201, only(cold))).isEqualTo(cold);

        policy.onDeclined(hot);

        checkGhosts(policy, "the hot frame was declined");
    }

    private static Claims only(int claimable) {
        return new Claims() {
            @Override
            public Outcome ageOrClaim(int frame) {
                return tryClaim(frame) ? Outcome.CLAIMED : Outcome.SKIPPED;
            }

            @Override
            public boolean tryClaim(int frame) {
                return frame == claimable;
            }
        };
    }

    private static void decline(ReplacementPolicy policy, Frames frames, int incoming, String when) {
        int victim = policy.evict(incoming, frames);
        assertThat(victim).as("%s: the victim", when).isBetween(0, FRAMES - 1);
        policy.onDeclined(victim);
        checkGhosts(policy, when + ", frame " + victim + " declined");
    }

    private static void checkGhosts(ReplacementPolicy policy, String when) {
        assertThatCode(() -> PoliciesForTests.checkGhosts(policy)).as(when).doesNotThrowAnyException();
        assertThatCode(() -> PoliciesForTests.checkIntegrity(policy)).as(when).doesNotThrowAnyException();
    }
}
