// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.internal.pool;

import static org.assertj.core.api.Assertions.assertThat;

import io.clockhand.policy.Claims;
import io.clockhand.policy.Policies;
import io.clockhand.policy.ReplacementPolicy;
import io.clockhand.testing.ForwardingPolicy;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The exchange of a policy, and the threads that are in a call of the earlier one meanwhile. */
class CurrentPolicyTest {
    private static final int FRAMES = 4;

    private final List<String> calls = new ArrayList<>();
    private final Named first = new Named("first");
    private final Named second = new Named("second");
    private final CurrentPolicy policy = new CurrentPolicy(first);
    /** Called while a policy searches for a victim, or removes a frame. */
    private Runnable meanwhile = () -> {};
    /** The frame that a search finds. */
    private int victim;

    private final class Named extends ForwardingPolicy {
        private final String name;

        Named(String name) {
            super(Policies.create("lru", FRAMES));
            this.name = name;
        }

        @Override
        public int weightCap() {
            calls.add("cap of the " + name);
            if (policy != null) {
                policy.onHit(1);
            }
            return name.length();
        }

        @Override
        public boolean tracksAccesses() {
            calls.add("accesses of the " + name);
            if (policy != null) {
                policy.onHit(2);
            }
            return name.equals("second");
        }

        @Override
        public void onHit(int frame) {
            calls.add("hit of frame " + frame + " to the " + name);
        }

        @Override
        public void onRemove(int frame) {
            calls.add("frame " + frame + " removed from the " + name);
            meanwhile.run();
        }

        @Override
        public int evict(long identity, Claims claims) {
            calls.add("search of the " + name);
            meanwhile.run();
            return victim;
        }
    }

    private void exchangeOnce() {
        meanwhile = () -> {
            meanwhile = () -> {};
            policy.set(second);
            calls.clear();
        };
    }

    @Test
    void nextPolicyIsCalledAfterItsCapIsKnown() {
        calls.clear();
        policy.set(second);
        policy.onHit(3);

        assertThat(calls)
                .containsExactly(
                        "cap of the second",
                        "hit of frame 1 to the first",
                        "accesses of the second",
                        "hit of frame 2 to the first",
                        "hit of frame 3 to the second");
        assertThat(policy.weightCap()).isEqualTo("second".length());
        assertThat(policy.tracksAccesses()).isTrue();
        policy.set(first);
        assertThat(policy.weightCap()).isEqualTo("first".length());
        assertThat(policy.tracksAccesses()).isFalse();
    }

    @Test
    void frameThatIsClaimedDuringAnExchangeIsRemovedFromTheNextPolicy() {
        victim = 2;
        exchangeOnce();
        assertThat(policy.evict(7, null)).isEqualTo(2);
        assertThat(calls).as("calls after the exchange").containsExactly("frame 2 removed from the second");
    }

    @Test
    void searchInVainRemovesNothingFromTheNextPolicy() {
        victim = ReplacementPolicy.NONE;
        exchangeOnce();
        assertThat(policy.evict(7, null)).isEqualTo(ReplacementPolicy.NONE);
        assertThat(calls).as("calls after the exchange").isEmpty();
    }

    @Test
    void frameThatIsRemovedDuringAnExchangeIsRemovedFromTheNextPolicyToo() {
        exchangeOnce();
        policy.onRemove(3);
        assertThat(calls).as("calls after the exchange").containsExactly("frame 3 removed from the second");
    }

    @Test
    void frameIsRemovedOnceWithoutAnExchange() {
        calls.clear();
        policy.onRemove(3);
        victim = 1;
        policy.evict(7, null);
        assertThat(calls).containsExactly("frame 3 removed from the first", "search of the first");
    }
}
