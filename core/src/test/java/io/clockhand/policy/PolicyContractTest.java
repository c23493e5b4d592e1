// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.clockhand.testing.Tier;
import io.clockhand.testkit.ReplacementPolicyContract;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The contract, for every policy that can be named. */
class PolicyContractTest extends ReplacementPolicyContract {
    private static final List<String> PARAMETRISED = List.of(
            "2q(in=0.9,out=4)",
            "bp:lirs(cold=0.5,ghosts=0.01)",
            "mq(queues=1,life=0.01,out=4)",
            "clock-pro(cold=0.5,ghosts=0.01)",
            "s3-fifo(small=0.9,ghosts=0.01,hits=1)",
            "w-tinylfu(window=0.99)",
            "gclock(cap=1)",
            "nb-gclock(cap=1)",
            "2r-gclock(cold=0.9)",
            "2r-gclock-adaptive(cold=0.01,most=0.95)");

    @Override
    protected Stream<Candidate> candidates() {
        Stream<String> names = Stream.concat(Policies.names().stream(), PARAMETRISED.stream());
        return Stream.concat(
                names.filter(PolicyContractTest::isTested).flatMap(PolicyContractTest::withHands), overflowing());
    }

    /** In the default tier the wrappers of one policy stand for those of all. */
    private static boolean isTested(String name) {
        return Tier.current() != Tier.DEFAULT || !name.contains(":") || name.endsWith(":lru");
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
    protected int seeds() {
        return Tier.pick(4, 60, 1_000);
    }

    @Override
    protected int stepsOfAThread() {
        return Tier.pick(1_000, 20_000, 200_000);
    }

    @Override
    protected boolean setsDirtyFramesAside(Candidate candidate) {
        return candidate.name().contains("clock-pro") || !candidate.name().contains("clock");
    }

    @Override
    protected void checkIntegrity(ReplacementPolicy policy) {
        PoliciesForTests.checkIntegrity(policy);
    }

    @Override
    protected void checkGhosts(ReplacementPolicy policy) {
        PoliciesForTests.checkGhosts(policy);
    }

    @Test
    void unknownPolicyIsRefusedWithTheNamesToChooseFrom() {
        assertThat(Policies.names()).contains(Policies.DEFAULT);
        assertThatThrownBy(() -> Policies.create("belady", 1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith(
                        "there is no policy 'belady'. Possible are nb-gclock3, nb-gclock, 2r-gclock, lru,")
                .hasMessageEndingWith(
                        "w-tinylfu; also with a form before the name (bp:, buffered:, locked: or spin:, as"
                                + " in bp:lru) and parameters in parentheses after it, as in 2q(in=0.3,out=0.6)");
    }

    @Test
    void onlyLockFreeClocksHaveAHandToChoose() {
        assertThat(Policies.names().stream().filter(Policies::hasHand)).containsExactly("nb-gclock", "nb-gclock3");
    }
}
