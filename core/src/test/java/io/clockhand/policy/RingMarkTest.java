// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.policy;

import static org.assertj.core.api.Assertions.assertThat;

import io.clockhand.testing.Workers;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The mark of a dirty frame in its cold cell, while the frame gets that cell. */
class RingMarkTest {
    private static final int FRAMES = 3;
    /** One frame is hot, and two are cold. */
    private static final double COLD_SHARE = 0.67;
    /** The frame that is marked, in its first cold cell. */
    private static final int FRAME = 1;

    private static final long WITHOUT_CELL = ListedFrames.listed(ListedFrames.ASIDE, 0);

    @RegisterExtension
    private final Workers workers = new Workers();

    private final ScriptedFrames listed = new ScriptedFrames();
    private final TwoRingGclock policy =
            new TwoRingGclock(FRAMES, listed, new RingCounters(FRAMES, COLD_SHARE, COLD_SHARE));
    private final LateSearch late = new LateSearch();

    /** Runs steps of other threads before the frame, which is aside, gets the cold cell of a victim. */
    private static final class ScriptedFrames extends ListedFrames {
        private Runnable steps;
        private long firstCell;
        private boolean firstSucceeded;

        ScriptedFrames() {
            super(FRAMES);
        }

        @Override
        boolean cas(int frame, long expected, long next) {
            if (frame != FRAME || expected != WITHOUT_CELL || (steps == null && firstCell == 0)) {
                return super.cas(frame, expected, next);
            }
            if (firstCell == 0) {
                Runnable others = steps;
                steps = null;
                firstCell = next;
                others.run();
                return firstSucceeded;
            }
            firstSucceeded = super.cas(frame, expected, firstCell); // another thread, before the notice's own attempt
            firstCell = 0;
            return super.cas(frame, expected, next);
        }
    }

    /** A search that meets the frame in its cold cell, stalls, then finds it dirty. */
    private static final class LateSearch implements Claims {
        private final CountDownLatch met = new CountDownLatch(1);
        private final CountDownLatch mayMark = new CountDownLatch(1);

        @Override
        public Outcome ageOrClaim(int frame) {
            throw new UnsupportedOperationException();
        }

        @Override
        public boolean tryClaim(int frame) {
            throw new UnsupportedOperationException();
        }

        @Override
        public Outcome claim(int frame) {
            met.countDown();
            await(mayMark);
            return frame == FRAME ? Outcome.DIRTY : Outcome.SKIPPED;
        }

        private static void await(CountDownLatch latch) {
            Workers.await(() -> latch.getCount() == 0, "the search does not meet the frame, or must not go on");
        }
    }

    /** Claims one frame only. */
    private record Only(int wanted) implements Claims {
        @Override
        public Outcome ageOrClaim(int frame) {
            throw new UnsupportedOperationException();
        }

        @Override
        public boolean tryClaim(int frame) {
            return frame == wanted;
        }
    }

    private void replace(int frame, long page) {
        assertThat(policy.evict(page, new Only(frame))).isEqualTo(frame);
        policy.onLoad(frame, page, 0);
    }

    @Test
    void frameThatIsCleanedWhileItGetsAColdCellIsNotMarked() {
        for (int frame = 0; frame < FRAMES; frame++) {
            policy.onLoad(frame, frame, 0); // frame 0 is hot
        }
        Workers.Worker<Integer> search = workers.start(() -> policy.evict(500, late));
        LateSearch.await(late.met);
        replace(FRAME, 100);
        replace(FRAME, FRAME); // page 1 returns, and is hot: frame 0 is in the cell in which the search has met frame 1
        replace(0, 200);
        replace(0, 201);
        listed.steps = () -> { // frame 1 is aside, and in the cell again
            late.mayMark.countDown();
            assertThat(search.result()).isEqualTo(ReplacementPolicy.NONE);
            policy.onClean(FRAME);
        };
        replace(0, 200); // page 200 returns, and is hot

        assertThat(listed.steps).isNull();
        assertThat(listed.firstSucceeded).isTrue();
        policy.checkIntegrity();
        assertThat(policy.isTried(FRAME)).isTrue();
    }
}
