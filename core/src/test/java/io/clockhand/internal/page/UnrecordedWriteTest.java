// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.internal.page;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.clockhand.LongWaitHandler;
import io.clockhand.internal.flush.DirtyPages;
import io.clockhand.internal.flush.PageTarget;
import io.clockhand.internal.flush.SharedUpdates;
import io.clockhand.internal.pool.PoolOptions;
import io.clockhand.policy.ClockHand;
import io.clockhand.policy.Policies;
import io.clockhand.testing.Pools;
import io.clockhand.wal.WriteAheadLog;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import jdk.jfr.Recording;
import org.junit.jupiter.api.Test;

/** Batches that cannot be recorded, since memory has run out. */
class UnrecordedWriteTest {
    private static final int FRAMES = 4;

    private final Unnamed target = new Unnamed();
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
            false,
            Policies.create(Policies.DEFAULT, ClockHand.DEFAULT, FRAMES),
            Pools::newTable,
            new StampedPages(),
            new PagePool.PageWriting(target, WriteAheadLog.NONE, SharedUpdates.NONE, 1),
            true,
            false);

    private void change(long id) throws IOException {
        int frame = pool.pin(id);
        assertThat(pool.latches().acquireExclusive(frame, 1)).isTrue();
        pool.dirty().begin(frame, 0);
        pool.latches().releaseExclusive(frame);
        pool.unpin(frame);
    }

    @Test
    void batchThatCannotBeRecordedIsWrittenAndReleasesItsPages() throws IOException {
        try (Recording recording = new Recording()) {
            recording.enable("io.clockhand.BatchWrite").withThreshold(Duration.ZERO);
            recording.start();
            for (int round = 0; round < 3; round++) { // there is one batch
                change(7);
                assertThat(pool.writer().flush(0, Long.MAX_VALUE, DirtyPages.NONE))
                        .isEqualTo(1);
            }
        }
        assertThat(target.asked).as("for the name").isEqualTo(3);
        assertThat(target.written).containsExactly(7L, 7L, 7L);
        assertThat(pool.writer().counters().batches()).isEqualTo(3);
        assertThat(pool.dirty().count()).isZero();
        assertThat(pool.pinned()).isZero();
        pool.checkIntegrity();
    }

    @Test
    void failureToWriteIsNotHiddenByAFailureToRecord() throws IOException {
        target.failure = new IOException("write");
        try (Recording recording = new Recording()) {
            recording.enable("io.clockhand.BatchWrite").withThreshold(Duration.ZERO);
            recording.start();
            change(7);
            assertThatThrownBy(() -> pool.writer().flush(0, Long.MAX_VALUE, DirtyPages.NONE))
                    .isSameAs(target.failure);
        }
        assertThat(target.asked).isEqualTo(1);
        assertThat(pool.dirty().count()).isEqualTo(1);
        assertThat(pool.pinned()).isZero();
        pool.checkIntegrity();
    }

    /** Takes pages of a file that cannot be named. */
    private static final class Unnamed implements PageTarget {
        final List<Long> written = new ArrayList<>();
        int asked;
        IOException failure;

        @Override
        public boolean exists(long id) {
            return true;
        }

        @Override
        public boolean isNext(long id, long next) {
            return next == id + 1;
        }

        @Override
        public boolean writesTogether(long id, long other) {
            return false;
        }

        @Override
        public void writeBatch(long id, long[] numbers, int from, int to, ByteBuffer pages) {
            throw new AssertionError("not wanted");
        }

        @Override
        public String file(long id) {
            asked++;
            throw new LinkageError("the name");
        }

        @Override
        public long page(long id) {
            return id;
        }

        @Override
        public void write(long first, ByteBuffer pages) throws IOException {
            if (failure != null) {
                throw failure;
            }
            written.add(first);
        }
    }
}
