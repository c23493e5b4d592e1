// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.internal.page;

import io.clockhand.internal.flush.DirtyPages;
import io.clockhand.internal.flush.PageTarget;
import io.clockhand.internal.flush.SharedUpdates;
import io.clockhand.internal.pool.PoolOptions;
import io.clockhand.policy.ClockHand;
import io.clockhand.policy.Policies;
import io.clockhand.testing.Pools;
import io.clockhand.testing.Tier;
import io.clockhand.wal.WriteAheadLog;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Validate;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Two threads that write one page, one after the other, in the interleavings of their steps: a checkpoint that is made
 * while a copy is written never goes past the change that is in that copy only.
 */
class LincheckPageWriterTest {
    private static final int FRAMES = 2;
    private static final long FIRST = 100;
    private static final long SECOND = 200;
    private static final long LOG_END = 1_000;
    private static final Duration NEVER = Duration.ofDays(1);

    /** The page has a change when the two threads begin. */
    public static final class TwoWrites implements PageTarget {
        private final PagePool pool = new PagePool(
                new PoolOptions(
                        "", FRAMES, FRAMES, true, NEVER, "", IllegalStateException::new, NEVER, (what, waited) -> {}),
                512,
                false,
                Policies.create(Policies.DEFAULT, ClockHand.DEFAULT, FRAMES),
                Pools::newTable,
                new StampedPages(),
                new PagePool.PageWriting(this, WriteAheadLog.NONE, SharedUpdates.NONE, 2),
                true,
                false);
        private volatile boolean isLost;

        public TwoWrites() throws IOException {
            change(FIRST);
        }

        private void change(long position) throws IOException {
            int frame = pool.pin(0);
            if (pool.latches().tryExclusive(frame)) {
                pool.dirty().begin(frame, position);
                pool.latches().releaseExclusive(frame);
            }
            pool.unpin(frame);
        }

        @Operation(runOnce = true)
        public void write() throws IOException {
            pool.writer().flush(0, Long.MAX_VALUE, DirtyPages.NONE);
        }

        @Operation(runOnce = true)
        public void changeAndWrite() throws IOException {
            change(SECOND);
            pool.writer().flush(0, Long.MAX_VALUE, DirtyPages.NONE);
        }

        @Validate
        public void noChangeIsLost() {
            if (isLost) {
                throw new IllegalStateException("the checkpoint goes past a change that is being written");
            }
            if (pool.dirty().count() != 0 || pool.dirty().needed(0) != DirtyPages.NONE) {
                throw new IllegalStateException("the page is dirty though both threads have written it");
            }
        }

        @Override
        public boolean exists(long id) {
            return true;
        }

        @Override
        public boolean isNext(long id, long next) {
            return false;
        }

        @Override
        public String file(long id) {
            return "the test";
        }

        @Override
        public long page(long id) {
            return id;
        }

        @Override
        public boolean writesTogether(long id, long other) {
            return false;
        }

        @Override
        public void write(long first, ByteBuffer pages) {
            isLost |= pool.dirty().oldest(LOG_END) > SECOND;
        }

        @Override
        public void writeBatch(long id, long[] numbers, int from, int to, ByteBuffer pages) {
            throw new AssertionError("not wanted");
        }
    }

    @Tag("ci")
    @Test
    void checkpointStaysBeforeAChangeThatIsBeingWritten() {
        new ModelCheckingOptions()
                .threads(2)
                .actorsPerThread(1)
                .actorsBefore(0)
                .actorsAfter(0)
                .iterations(1) // there is one scenario only
                .invocationsPerIteration(Tier.pick(50, 200, 1_000))
                .loopBound(1_000)
                .minimizeFailedScenario(false)
                .check(TwoWrites.class);
    }
}
