// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.internal.frame;

import static org.assertj.core.api.Assertions.assertThat;

import io.clockhand.testing.Tier;
import io.clockhand.testing.Workers;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Claims on pages, which close the latch; those on other frames are in {@link FrameStatesTest}. */
class FrameClaimsTest {
    private static final int FRAME = 3;
    private static final int ROUNDS = Tier.pick(2_000, 10_000, 500_000);

    @RegisterExtension
    final Workers workers = new Workers();

    private final FrameStates states = new FrameStates(8, true);
    private final Latches latches = new Latches(states, 8);

    @BeforeEach
    void loadPage() {
        states.tryTakeFree(FRAME);
        states.publishPinned(FRAME, 2);
        states.ready(FRAME);
        states.unpin(FRAME);
    }

    @Test
    void claimClosesTheLatchAndItsEndOpensIt() {
        assertThat(latches.isClosed(FRAME)).isFalse();

        assertThat(states.tryClaim(FRAME)).isTrue();
        assertThat(latches.isClosed(FRAME)).isTrue();

        states.revoke(FRAME, false);
        assertThat(latches.isClosed(FRAME)).isFalse();
        assertThat(states.tryPin(FRAME, 0)).isNotEqualTo(FrameStates.NOT_PINNED);
    }

    @Test
    void frameThatIsBoundAnewKeepsItsLatchClosedUntilItsPageIsReady() {
        states.tryClaim(FRAME);
        states.publishPinned(FRAME, 0);
        assertThat(latches.isClosed(FRAME)).isTrue();

        states.ready(FRAME, true);

        assertThat(latches.isClosed(FRAME)).isFalse();
        assertThat(states.sharers(FRAME)).isEqualTo(1);
        assertThat(FrameState.pins(states.state(FRAME))).isZero();
    }

    @Test
    void dirtyPageIsNotClaimedAndIsWrittenByOneThread() {
        states.tryPin(FRAME, 2);
        states.markDirty(FRAME);
        states.unpin(FRAME);

        assertThat(states.tryClaim(FRAME)).as("a dirty page is claimed").isFalse();
        assertThat(states.tryPinToWrite(FRAME)).isTrue();
        assertThat(states.tryPinToWrite(FRAME))
                .as("a second thread writes the page")
                .isFalse();
    }

    @Test
    void sweepSkipsASharedPageAndLeavesItsWeight() {
        latches.tryShared(FRAME);
        long before = states.state(FRAME);

        assertThat(states.ageOrClaim(FRAME)).as("the sweep of a shared page").isEqualTo(FrameOutcome.SKIPPED);
        assertThat(states.tryClaim(FRAME)).isFalse();
        assertThat(states.tryClaimQueued(FRAME)).isFalse();

        assertThat(states.state(FRAME)).isEqualTo(before);
    }

    /** The upgradable mode stands for a share that is acquired between the two steps of the claim. */
    @Test
    void claimThatCannotCloseTheLatchIsTakenBack() {
        latches.tryUpgradable(FRAME);
        long before = states.state(FRAME);

        assertThat(states.tryClaim(FRAME)).isFalse();
        assertThat(states.tryClaimQueued(FRAME)).isFalse();
        assertThat(states.state(FRAME)).isEqualTo(before);

        states.tryPin(FRAME, 0);
        assertThat(states.tryClaimLastPin(FRAME)).isFalse();
        assertThat(states.state(FRAME)).isEqualTo(before + 1);

        latches.releaseUpgradable(FRAME);
        assertThat(states.tryClaimLastPin(FRAME)).isTrue();
    }

    @Test
    void queuedFrameWhoseLatchCannotBeClosedStaysQueued() {
        states.tryClaim(FRAME);
        states.revoke(FRAME, true);
        latches.tryUpgradable(FRAME);

        assertThat(states.tryClaimQueued(FRAME)).isFalse();
        assertThat(FrameState.isQueued(states.state(FRAME))).isTrue();

        latches.releaseUpgradable(FRAME);
        assertThat(states.tryClaimQueued(FRAME)).isTrue();
        assertThat(FrameState.isQueued(states.state(FRAME))).isFalse();
    }

    /** The upgradable mode makes each claim fail at its second step, while another thread clears the mark. */
    @Test
    void claimThatIsTakenBackDoesNotMarkTheFrameAgain() {
        AtomicInteger round = new AtomicInteger();
        AtomicInteger cleared = new AtomicInteger();
        Workers.Worker<Void> taker = workers.run(() -> {
            for (int i = 1; i <= ROUNDS; i++) {
                for (int spins = 0; round.get() < i; spins++) {
                    pause(spins);
                }
                states.clearQueued(FRAME);
                cleared.set(i);
            }
        });
        for (int i = 1; i <= ROUNDS; i++) {
            states.tryClaim(FRAME);
            states.revoke(FRAME, true);
            latches.tryUpgradable(FRAME);
            round.set(i);
            boolean claimed = false;
            for (int spins = 0; cleared.get() < i && !taker.isDone(); spins++) {
                claimed |= states.tryClaimQueued(FRAME);
                pause(spins);
            }
            claimed |= states.tryClaimQueued(FRAME);
            assertThat(claimed).isFalse();
            assertThat(FrameState.isQueued(states.state(FRAME))).isFalse();
            latches.releaseUpgradable(FRAME);
        }
        taker.result();
    }

    /** Lets the other thread go on where there is one processor for both. */
    private static void pause(int spins) {
        if (spins > 1_000) {
            LockSupport.parkNanos(1);
        } else {
            Thread.onSpinWait();
        }
    }

    @Test
    void sweepThatCannotCloseTheLatchSkipsTheFrame() {
        assertThat(states.ageOrClaim(FRAME)).isEqualTo(FrameOutcome.AGED);
        latches.tryUpgradable(FRAME);

        assertThat(states.ageOrClaim(FRAME)).isEqualTo(FrameOutcome.SKIPPED);

        assertThat(FrameState.isClaimed(states.state(FRAME))).isFalse();
    }
}
