// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.clockhand.testkit.ReplacementPolicyContract;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The contract, for every policy that can be named. */
class PolicyContractTest extends ReplacementPolicyContract {
    @Override
    protected Stream<Candidate> candidates() {
        return Stream.concat(Policies.names().stream().flatMap(PolicyContractTest::withHands), overflowing());
    }

    private static Stream<Candidate> withHands(String name) {
        return Policies.hasHand(name)
                ? Stream.of(ClockHand.values())
                        .map(hand -> new Candidate(
                                name + ", " + hand.label() + " hand", frames -> Policies.create(name, hand, frames)))
                : Stream.of(new Candidate(name, frames -> Policies.create(name, frames)));
    }

    private static Stream<Candidate> overflowing() {
        return Stream.of(ClockHand.values())
                .map(hand -> new Candidate(
                        "nb-gclock3, " + hand.label() + " hand about to overflow",
                        frames -> PoliciesForTests.nbGclockWithHandAt(frames, hand, Long.MAX_VALUE - 100)));
    }

    @Override
    protected boolean setsDirtyFramesAside(Candidate candidate) {
        return candidate.name().contains("clock-pro") || !candidate.name().contains("clock");
    }

    @Override
    protected void checkIntegrity(ReplacementPolicy policy) {
        PoliciesForTests.checkIntegrity(policy);
    }

    @Test
    void unknownPolicyIsRefusedWithTheNamesThatAreKnown() {
        assertThat(Policies.names()).contains(Policies.DEFAULT);
        assertThatThrownBy(() -> Policies.create("belady", 1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("belady")
                .hasMessageContaining(String.join(", ", Policies.names()));
    }

    @Test
    void onlyLockFreeClocksHaveAHandToChoose() {
        assertThat(Policies.names().stream().filter(Policies::hasHand)).containsExactly("nb-gclock", "nb-gclock3");
    }
}
