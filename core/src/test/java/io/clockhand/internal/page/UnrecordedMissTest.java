// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.internal.page;

import static org.assertj.core.api.Assertions.assertThat;

import io.clockhand.LongWaitHandler;
import io.clockhand.internal.frame.FrameRef;
import io.clockhand.internal.pool.PoolOptions;
import io.clockhand.policy.ClockHand;
import io.clockhand.policy.Policies;
import io.clockhand.testing.Pools;
import java.io.IOException;
import java.time.Duration;
import jdk.jfr.Recording;
import org.junit.jupiter.api.Test;

/** Misses that cannot be recorded, since memory has run out. */
class UnrecordedMissTest {
    private static final int FRAMES = 4;

    private final PagePool pool = new PagePool(
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
            512,
            Policies.create(Policies.DEFAULT, ClockHand.DEFAULT, FRAMES),
            Pools::newTable,
            new Unnamed(),
            true,
            false);

    @Test
    void missThatCannotBeRecordedHasItsPage() throws IOException {
        try (Recording recording = new Recording()) {
            recording.enable("io.clockhand.PageMiss").withThreshold(Duration.ZERO);
            recording.start();

            int frame = pool.pin(7);
            assertThat(pool.pinned()).isEqualTo(1);
            pool.unpin(frame);

            FrameRef read = pool.newRef();
            assertThat(pool.share(8, read)).isEqualTo(PagePool.SHARED);
            assertThat(pool.pinned()).isEqualTo(1);
            read.endShare();
        }
        assertThat(pool.pinned()).isZero();
        pool.checkIntegrity();
    }

    /** Pages of a file that cannot be named. */
    private static final class Unnamed extends StampedPages {
        @Override
        public String file(long id) {
            throw new LinkageError("the name");
        }
    }
}
