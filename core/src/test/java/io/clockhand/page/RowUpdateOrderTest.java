// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.page;

import static org.assertj.core.api.Assertions.assertThat;

import io.clockhand.io.MemoryPageStore;
import io.clockhand.testing.Pools;
import io.clockhand.testing.Workers;
import io.clockhand.wal.WriteAheadLog;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Updates of rows, copies and checkpoints, with the steps of another thread between two of one thread's. */
class RowUpdateOrderTest {
    private static final int PAGE_BYTES = 512;
    private static final int LEFT = 64;
    private static final int RIGHT = 72;

    @RegisterExtension
    private final Workers workers = new Workers();

    private final Log log = new Log();
    private final MemoryPageStore store = new MemoryPageStore("a", PAGE_BYTES);
    private BufferPool pool;
    private PagedFile file;

    /** A log that does something once, before it says where it ends. */
    private static final class Log implements WriteAheadLog {
        private final AtomicLong end = new AtomicLong(100);
        private volatile Runnable beforeEnd = () -> {};

        long append() {
            return end.getAndAdd(10);
        }

        @Override
        public long end() {
            Runnable before = beforeEnd;
            beforeEnd = () -> {};
            before.run();
            return end.get();
        }

        @Override
        public void makeDurable(long lsn) {
            // nothing crashes
        }
    }

    /** The pages have rows that are updated in shared mode; no flusher runs. */
    @BeforeEach
    void open() throws IOException {
        pool = Pools.builder()
                .pageBytes(PAGE_BYTES)
                .frames(8)
                .log(log)
                .lsnOffset(8)
                .sharedUpdates(file -> true)
                .tuning(t -> t.flushThreads(0))
                .build();
        file = pool.open(1, store);
        file.create().close();
        pool.flush();
    }

    @AfterEach
    void check() throws IOException {
        pool.checkIntegrity();
        pool.closeWithoutWriting();
    }

    private long updateRow(int row) {
        try (SharedUpdatePage rows = pool.fixForSharedUpdate(file.id(0))) {
            rows.beginUpdate();
            long lsn = log.append();
            rows.putLong(row, lsn);
            rows.endUpdate(lsn);
            return lsn;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void checkpointIsHeldBackByAnUpdateOfARowThatComesAsAnotherOneBegins() throws IOException {
        long[] first = new long[1];
        log.beforeEnd = () -> first[0] = updateRow(LEFT);
        updateRow(RIGHT);
        assertThat(pool.checkpoint())
                .as("where redo begins, before the first update of a row")
                .isEqualTo(first[0]);
    }

    @Test
    void checkpointIsHeldBackByAnUpdateOfARowThatIsOlderThanOneThatHasEnded() throws IOException {
        try (SharedUpdatePage rows = pool.fixForSharedUpdate(file.id(0))) {
            rows.beginUpdate();
            long first = log.append();
            updateRow(RIGHT);
            assertThat(pool.checkpoint())
                    .as("where redo begins, before the update that has not ended")
                    .isEqualTo(first);
            rows.putLong(LEFT, first);
            rows.endUpdate(first);
        }
    }

    @Test
    void pageOfRowsIsNotCopiedDuringAnUpdate() throws IOException {
        Workers.Worker<Void> flush;
        long lsn;
        try (SharedUpdatePage rows = pool.fixForSharedUpdate(file.id(0))) {
            rows.beginUpdate();
            lsn = log.append();
            flush = workers.run(() -> pool.flush());
            flush.awaitParkedOrDone();
            assertThat(flush.isDone())
                    .as("the page was copied during the update")
                    .isFalse();
            rows.putLong(LEFT, lsn);
            rows.endUpdate(lsn);
        }
        flush.result();
        assertThat(pool.checkpoint()).isEqualTo(log.end());
    }
}
