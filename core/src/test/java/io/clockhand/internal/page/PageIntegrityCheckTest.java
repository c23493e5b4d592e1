// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.internal.page;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.clockhand.LongWaitHandler;
import io.clockhand.internal.frame.FrameStates;
import io.clockhand.internal.pool.PoolOptions;
import io.clockhand.policy.ClockHand;
import io.clockhand.policy.Policies;
import io.clockhand.testing.Pools;
import java.io.IOException;
import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Damage that a thread leaves behind when it ends in the middle of a protocol. */
@Tag("both-tables")
class PageIntegrityCheckTest {
    private static final int FRAMES = 4;
    private static final int PAGE_BYTES = 512;

    private FrameStates states;
    private PagePool pool;
    private int frame;

    @BeforeEach
    void loadAPage() throws IOException {
        pool = new PagePool(
                new PoolOptions(
                        "",
                        FRAMES,
                        FRAMES,
                        true,
                        Duration.ofMinutes(2),
                        "",
                        IllegalStateException::new,
                        Duration.ofMinutes(2),
                        LongWaitHandler.GIVE_UP::onLongWait),
                PAGE_BYTES,
                Policies.create(Policies.DEFAULT, ClockHand.DEFAULT, FRAMES),
                (frames, made) -> {
                    states = made;
                    return Pools.newTable(frames, made);
                },
                new StampedPages(),
                true,
                false);
        frame = pool.pin(7);
        pool.unpin(frame);
        pool.checkIntegrity();
    }

    @Test
    void claimThatNobodyOwnsIsNoticed() {
        assertThat(states.tryClaim(frame)).isTrue();
        assertThatThrownBy(pool::checkIntegrity)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("frame " + frame + " is claimed, but no thread is left to end the claim");
        states.revoke(frame, false);
        pool.checkIntegrity();
    }
}
