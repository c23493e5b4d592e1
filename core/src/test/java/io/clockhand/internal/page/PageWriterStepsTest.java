// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.internal.page;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.clockhand.LongWaitHandler;
import io.clockhand.internal.flush.DirtyPages;
import io.clockhand.internal.flush.PageTarget;
import io.clockhand.internal.flush.SharedUpdates;
import io.clockhand.internal.frame.FrameState;
import io.clockhand.internal.pool.PoolOptions;
import io.clockhand.policy.ClockHand;
import io.clockhand.policy.Policies;
import io.clockhand.testing.Pools;
import io.clockhand.testing.Workers;
import io.clockhand.wal.WriteAheadLog;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The state of a page's frame at each call that the writer makes of the log and of the files. */
class PageWriterStepsTest {
    private static final int FRAMES = 8;
    private static final int BATCHES = 2;
    private static final long PAGE = 7;

    @RegisterExtension
    private final Workers workers = new Workers();

    private final List<String> steps = new ArrayList<>();
    /** Whether no thread has truncated the page. */
    private boolean exists = true;

    private IOException failure;
    private final PagePool pool = new PagePool(
            new PoolOptions(
                    "",
                    FRAMES,
                    FRAMES,
                    true,
                    Duration.ofMinutes(10),
                    "",
                    IllegalStateException::new,
                    Duration.ofMinutes(10),
                    LongWaitHandler.GIVE_UP::onLongWait),
            512,
            false,
            Policies.create(Policies.DEFAULT, ClockHand.DEFAULT, FRAMES),
            Pools::newTable,
            new StampedPages(),
            new PagePool.PageWriting(new Target(), new Log(), SharedUpdates.NONE, BATCHES),
            true,
            false);

    @AfterEach
    void check() {
        assertThat(pool.pinned()).as("pins that were left").isZero();
        pool.checkIntegrity();
    }

    private void change(long id) throws IOException {
        int frame = pool.pin(id);
        assertThat(pool.latches().acquireExclusive(frame, 1)).isTrue();
        pool.dirty().begin(frame, 100);
        pool.dirty().raise(frame, 110);
        pool.latches().releaseExclusive(frame);
        pool.unpin(frame);
    }

    private int flush() throws IOException {
        return pool.writer().flush(0, Long.MAX_VALUE, DirtyPages.NONE);
    }

    private int frameOf(long id) {
        int frame = 0;
        while (pool.framePool().states().identity(frame) != id) {
            frame++;
        }
        return frame;
    }

    /** Notes a call, and the frame's pins, marks and latch. */
    private void step(String call, long id) {
        int frame = frameOf(id);
        long state = pool.framePool().states().state(frame);
        boolean latched = !pool.latches().tryExclusive(frame);
        if (!latched) {
            pool.latches().releaseUnchanged(frame);
        }
        steps.add(call
                + (FrameState.pins(state) == 0 ? ", not pinned" : "")
                + (FrameState.isWriting(state) ? "" : ", not marked as being written")
                + (FrameState.isDirty(state) ? ", dirty" : "")
                + (latched ? ", latched" : ""));
    }

    private final class Log implements WriteAheadLog {
        @Override
        public long end() {
            return 1_000;
        }

        @Override
        public void makeDurable(long lsn) {
            step("log " + lsn, PAGE);
        }
    }

    private final class Target implements PageTarget {
        @Override
        public boolean exists(long id) {
            step("exists", id);
            return exists;
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
            return "the test";
        }

        @Override
        public long page(long id) {
            return id;
        }

        @Override
        public void write(long first, ByteBuffer pages) throws IOException {
            step("write " + first, first);
            if (failure != null) {
                throw failure;
            }
        }
    }

    /** Its existence is asked for under the pin, since a truncation waits for that. No latch is held during I/O. */
    @Test
    void pageIsPinnedThenAskedForThenCopiedThenLoggedThenWritten() throws IOException {
        change(PAGE);
        assertThat(flush()).isEqualTo(1);
        assertThat(steps)
                .as("calls of a write, with the frame's state at each")
                .containsExactly("exists, dirty", "log 110", "write 7");
        assertThat(flush()).isZero();
    }

    @Test
    void pageThatDoesNotExistAnyMoreIsNotWritten() throws IOException {
        change(PAGE);
        exists = false;
        assertThat(flush()).as("pages written of which none exists").isZero();
        assertThat(steps).as("calls for a page that was truncated").containsOnly("exists, dirty");
        assertThat(pool.dirty().count()).isOne();
        exists = true;
        assertThat(flush()).isEqualTo(1);
    }

    @Test
    void pageThatCannotBeWrittenIsReleasedAndDirty() throws IOException {
        change(PAGE);
        failure = new IOException("write");
        for (int attempt = 0; attempt < 10; attempt++) {
            assertThatThrownBy(this::flush).isSameAs(failure);
            assertThat(pool.dirty().count()).isOne();
            assertThat(pool.pinned()).isZero();
        }
        failure = null;
        assertThat(flush()).isEqualTo(1);
    }

    /** Each of these writes takes one of a few batches. */
    @Test
    void pageThatIsWrittenByItselfGivesItsBatchBackWhateverHappens() throws IOException {
        change(PAGE);
        failure = new IOException("write");
        for (int attempt = 0; attempt < BATCHES + 1; attempt++) {
            assertThat(flushThatWaitsForTheLatch().failure()).isSameAs(failure);
        }
        failure = null;
        Workers.Worker<Integer> last = flushThatWaitsForTheLatch();
        Workers.await(last::isDone, "a page that is written by itself, after failures, gets no batch");
        assertThat(last.result()).isEqualTo(1);
    }

    private Workers.Worker<Integer> flushThatWaitsForTheLatch() throws IOException {
        int frame = pool.pin(PAGE);
        assertThat(pool.latches().acquireExclusive(frame, 1)).isTrue();
        Workers.Worker<Integer> flush = workers.start(this::flush);
        flush.awaitParkedOrDone();
        pool.latches().releaseUnchanged(frame);
        pool.unpin(frame);
        Workers.await(flush::isDone, "a flush that waits for a latch does not get it, or no batch,");
        return flush;
    }

    @Test
    void pageThatIsWrittenByItselfIsLoggedThenWritten() throws IOException {
        change(PAGE);
        assertThat(flushThatWaitsForTheLatch().result()).isEqualTo(1);
        assertThat(steps)
                .as("calls of a write of one page, with the frame's state at each")
                .endsWith("log 110", "write 7");
    }

    @Test
    void flushWritesNoPageOutsideOfItsRangeAndNoneThatTheCheckpointDoesNotNeed() throws IOException {
        for (long id = 3; id < 7; id++) {
            change(id);
        }
        change(PAGE);
        assertThat(pool.writer().flush(4, 5, DirtyPages.NONE)).isEqualTo(2);
        assertThat(pool.writer().flush(0, Long.MAX_VALUE, 100))
                .as("pages that need a position before 100, of which all begin at 100")
                .isZero();
        assertThat(pool.writer().flush(0, Long.MAX_VALUE, 101)).isEqualTo(3);
    }
}
