// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.page;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.clockhand.internal.flush.DirtyPages;
import io.clockhand.internal.flush.PageWriter;
import io.clockhand.testing.Gate;
import io.clockhand.testing.Pools;
import io.clockhand.testing.Workers;
import java.io.IOException;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * The order of the steps of a write, where another thread comes between them: pages that two threads write, pages that
 * cannot be copied at once, and pages of a file that is being closed. No flusher runs, and no wait times out.
 */
class WriteOrderTest {
    private static final int PAGE_BYTES = 512;
    private static final int FRAMES = 8;
    private static final int PAGES = 150;

    @RegisterExtension
    private final Workers workers = new Workers();

    private final EventLog log = new EventLog();
    private EventLog.Recorded store;
    private BufferPool pool;
    private PagedFile file;

    @BeforeEach
    void open() throws IOException {
        open(FRAMES);
    }

    private void open(int frames) throws IOException {
        store = log.store("a", PAGE_BYTES, PAGES);
        pool = Pools.builder()
                .pageBytes(PAGE_BYTES)
                .frames(frames)
                .log(log)
                .waitTimeout(Duration.ofMinutes(10))
                .exhaustedAfter(Duration.ofMinutes(10))
                .tuning(t -> t.flushThreads(0))
                .build();
        file = pool.open(1, store);
    }

    @AfterEach
    void check() throws IOException {
        pool.checkIntegrity();
        pool.closeWithoutWriting();
    }

    private long update(long page) throws IOException {
        try (WritablePage changed = pool.fixExclusive(file.id(page))) {
            return update(changed);
        }
    }

    private long update(WritablePage page) {
        page.beginUpdate();
        long lsn = log.append();
        page.putLong(16, lsn);
        page.endUpdate(lsn);
        return lsn;
    }

    /** Holds the next write of a page up. */
    private Gate gateAt(long page) {
        Gate gate = new Gate();
        store.before = first -> {
            if (first == page) {
                store.before = none -> {};
                gate.pass();
            }
        };
        return gate;
    }

    // --- pages that another thread writes ----------------------------------------------------------------------------

    private Workers.Worker<Void> startSecondFlush() {
        Workers.Worker<Void> second = workers.run(() -> {
            pool.flush();
            log.events.add("second flush returns");
        });
        second.awaitParkedOrDone();
        return second;
    }

    @Test
    void flushWaitsForAPageThatAnotherThreadWrites() throws IOException {
        long lsn = update(1);
        Gate gate = gateAt(1);
        Workers.Worker<Void> first = workers.run(pool::flush);
        gate.awaitReached();
        Workers.Worker<Void> second = startSecondFlush();
        gate.open();
        first.result();
        second.result();
        assertThat(log.events)
                .as("a flush returns when the page is in the file that another thread writes")
                .containsExactly("log " + lsn, "a 1", "second flush returns");
    }

    /** None of them is dirty at the moment, so that a flush must find place for more pages than are dirty. */
    @Test
    void flushWaitsForManyPagesThatAnotherThreadWrites() throws IOException {
        pool.closeWithoutWriting();
        open(200);
        for (int page = 0; page < 60; page++) {
            update(page);
        }
        Gate gate = gateAt(0);
        Workers.Worker<Void> first = workers.run(pool::flush);
        gate.awaitReached();
        assertThat(pool.dirtyPages()).as("dirty pages while all are written").isZero();
        assertThat(pool.pages().writer().dirtyIds(0, Long.MAX_VALUE, DirtyPages.NONE))
                .as("pages that a flush finds while all are written")
                .hasSize(60);
        Workers.Worker<Void> second = startSecondFlush();
        gate.open();
        first.result();
        second.result();
        assertThat(log.events)
                .as("a flush returns when the pages are in the file that another thread writes")
                .endsWith("a 0 to 59", "second flush returns");
    }

    @Test
    void waitForALogThatFailsIsCounted() throws IOException {
        update(1);
        log.failure = new IOException("log");
        assertThatThrownBy(pool::flush).isSameAs(log.failure);
        log.failure = null;
        WriteStats stats = pool.stats().writing();
        assertThat(stats.logWaits()).as("waits for a log that has failed").isOne();
        assertThat(stats.batches()).as("batches of which no page was written").isZero();
        assertThat(stats.pagesWritten()).isZero();
    }

    @Test
    void flushWritesAPageThatWasChangedWhileAnotherThreadWritesItsOlderCopy() throws IOException {
        long lsn = update(1);
        Gate gate = gateAt(1);
        Workers.Worker<Void> first = workers.run(pool::flush);
        gate.awaitReached();
        long later = update(1);
        Workers.Worker<Void> second = startSecondFlush();
        gate.open();
        first.result();
        second.result();
        assertThat(log.events)
                .as("the second flush writes the change that the copy of the first does not have")
                .containsExactly("log " + lsn, "a 1", "log " + later, "a 1", "second flush returns");
        assertThat(store.longAt(1, 16)).isEqualTo(later);
    }

    @Test
    void checkpointDoesNotGoPastAPageThatIsBeingWritten() throws IOException {
        long lsn = update(1);
        Gate gate = gateAt(1);
        Workers.Worker<Void> flush = workers.run(pool::flush);
        gate.awaitReached();
        assertThat(pool.checkpoint()).as("checkpoint during the write").isEqualTo(lsn);
        long later = update(1);
        gate.open();
        flush.result();
        assertThat(pool.checkpoint())
                .as("checkpoint after the write of a copy without the last change")
                .isEqualTo(later);
    }

    @Test
    void checkpointDoesNotGoPastAPageThatIsFlushedDuringItsForce() throws IOException {
        long lsn = update(1);
        store.before = page -> {
            if (page < 0) {
                store.before = none -> {};
                flushAtOnce();
            }
        };
        assertThat(pool.checkpoint())
                .as("checkpoint during whose force a page was written, which is perhaps not on the device")
                .isEqualTo(lsn);
        assertThat(log.events).endsWith("a 1", "a forced");
        assertThat(pool.checkpoint()).isEqualTo(log.end());
    }

    private void flushAtOnce() {
        try {
            pool.flush();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    // --- pages that cannot be copied at once -------------------------------------------------------------------------

    /** Starts a flush of a page that the caller has latched, which waits for the latch. */
    private Workers.Worker<Void> startFlushThatWaits() {
        Workers.Worker<Void> flush = workers.run(pool::flush);
        flush.awaitParked();
        return flush;
    }

    @Test
    void pageWhoseLatchAFlushHasWaitedForIsWrittenAfterTheLog() throws IOException {
        update(3);
        long lsn;
        Workers.Worker<Void> flush;
        try (WritablePage page = pool.fixExclusive(file.id(3))) {
            flush = startFlushThatWaits();
            lsn = update(page);
            assertThat(log.events).as("events while the page is latched").isEmpty();
        }
        flush.result();
        assertThat(log.events)
                .as("a page that is written by itself needs the log first")
                .containsExactly("log " + lsn, "a 3");
        assertThat(store.longAt(3, 16)).isEqualTo(lsn);
        assertThat(pool.dirtyPages()).isZero();
    }

    @Test
    void pageWhoseLatchAFlushHasWaitedForStaysDirtyIfItCannotBeWritten() throws IOException {
        long lsn = update(3);
        store.writeFailure = new IOException("cannot write page 3 of a");
        Workers.Worker<Void> flush;
        try (WritablePage page = pool.fixExclusive(file.id(3))) {
            flush = startFlushThatWaits();
            assertThat(page.getLong(16)).isEqualTo(lsn);
        }
        assertThat(flush.failure()).isSameAs(store.writeFailure);
        store.writeFailure = null;
        assertThat(pool.dirtyPages())
                .as("dirty pages after a page that was written by itself could not be")
                .isOne();
        assertThat(pool.checkpoint()).as("checkpoint after the failed write").isEqualTo(lsn);
        assertThat(pool.stats().writing().failedWrites()).isOne();
        assertThat(pool.stats().writing().pagesWritten()).isZero();
        pool.flush();
        assertThat(store.longAt(3, 16)).isEqualTo(lsn);
        assertThat(pool.checkpoint()).isEqualTo(log.end());
    }

    @Test
    void pageWhoseLatchAFlushHasWaitedForIsNotWrittenIfTheLogFails() throws IOException {
        update(3);
        log.failure = new IOException("log");
        Workers.Worker<Void> flush;
        try (WritablePage page = pool.fixExclusive(file.id(3))) {
            flush = startFlushThatWaits();
            assertThat(page.getLong(16)).isPositive();
        }
        assertThat(flush.failure()).isSameAs(log.failure);
        log.failure = null;
        assertThat(log.events).as("writes though the log has failed").isEmpty();
        assertThat(pool.dirtyPages()).isOne();
        pool.flush();
        assertThat(pool.dirtyPages()).isZero();
    }

    /** A batch has 64 pages, so each of the two pages was to be written by another one. */
    @Test
    void pagesThatSeveralBatchesOfAFlushCouldNotCopyAreWrittenInTheEnd() throws IOException {
        pool.closeWithoutWriting();
        open(200);
        for (int page = 0; page < 130; page++) {
            update(page);
        }
        Workers.Worker<Void> flush;
        try (WritablePage first = pool.fixExclusive(file.id(5));
                WritablePage second = pool.fixExclusive(file.id(100))) {
            flush = startFlushThatWaits();
            assertThat(pool.dirtyPages())
                    .as("dirty pages while two are latched")
                    .isEqualTo(2);
            assertThat(first.id()).isLessThan(second.id());
        }
        flush.result();
        assertThat(pool.dirtyPages()).as("dirty pages after a flush").isZero();
        assertThat(pool.stats().writing().pagesWritten()).isEqualTo(130);
        assertThat(log.events).endsWith("a 5", log.events.get(log.events.size() - 2), "a 100");
    }

    /** There are four large batches, and a few small ones: more failures than these use each of them. */
    @Test
    void failuresLoseNoBatch() throws IOException {
        long lsn = update(3);
        store.writeFailure = new IOException("cannot write page 3 of a");
        for (int failure = 0; failure < FRAMES; failure++) {
            assertThat(ended(pool::flush).failure()).isSameAs(store.writeFailure);
            assertThat(ended(() -> pool.pages().writer().flushFrames(0, FRAMES)).failure())
                    .isSameAs(store.writeFailure);
        }
        store.writeFailure = null;
        ended(pool::flush).result();
        assertThat(store.longAt(3, 16)).isEqualTo(lsn);
    }

    private Workers.Worker<Void> ended(Workers.Work work) {
        Workers.Worker<Void> worker = workers.run(work);
        Workers.await(worker::isDone, "a flush that takes a batch, after failures, does not end");
        return worker;
    }

    // --- pages of a file that is being closed ------------------------------------------------------------------------

    /** The close flushes the file first; a page that is changed meanwhile is written when its frame was claimed. */
    @Test
    void pageThatIsChangedWhileItsFileIsBeingClosedIsWrittenAfterTheLog() throws IOException {
        update(1);
        Gate gate = gateAt(1);
        Workers.Worker<Void> close = workers.run(file::close);
        gate.awaitReached();
        long lsn = update(2);
        gate.open();
        close.result();
        assertThat(log.events)
                .as("the log is durable before the page is written")
                .containsSubsequence("a 1", "log " + lsn, "a 2");
        assertThat(log.events).endsWith("a 2", "a forced");
        assertThat(pool.dirtyPages()).isZero();
    }

    @Test
    void pageThatCannotBeWrittenWhenItsFileIsClosedKeepsItsPosition() throws IOException {
        long lsn = update(1);
        log.failure = new IOException("log");
        assertThatThrownBy(file::close).isSameAs(log.failure);
        log.failure = null;
        assertThat(log.events).as("writes though the log has failed").isEmpty();
        assertThat(pool.dirtyPages()).isOne();
        store.writeFailure = new IOException("cannot write page 1 of a");
        assertThatThrownBy(file::close).isSameAs(store.writeFailure);
        store.writeFailure = null;
        assertThat(pool.dirtyPages()).isOne();
        assertThat(pool.checkpoint()).as("checkpoint after the failed close").isEqualTo(lsn);
        file.close();
        assertThat(log.events).endsWith("a 1", "a forced");
        assertThat(pool.checkpoint()).isEqualTo(log.end());
    }

    // --- pages that do not exist any more ----------------------------------------------------------------------------

    @Test
    void failedWriteOfAPageThatIsTruncatedDoesNotHoldCheckpointsBack() throws IOException {
        update(30);
        store.writeFailure = new IOException("cannot write page 30 of a");
        assertThatThrownBy(pool::flush).isSameAs(store.writeFailure);
        store.writeFailure = null;
        file.truncate(20);
        assertThat(pool.checkpoint())
                .as("checkpoint after the only dirty page, whose write has failed, was truncated")
                .isEqualTo(log.end());
    }

    // --- the write-back queue ----------------------------------------------------------------------------------------

    @Test
    void queuedPagesThatCouldNotBeWrittenAreNotCountedAsBeingWritten() throws IOException {
        pool.pages().queue().use(() -> {}); // one that lags for ever
        for (int page = 0; page < FRAMES - 2; page++) {
            update(page);
        }
        for (int page = 10; page < 14; page++) {
            pool.fix(file.id(page)).close(); // a miss, which meets dirty pages
        }
        PageWriter writer = pool.pages().writer();
        assertThat(pool.pages().queue().isEmpty()).isFalse();
        store.writeFailure = new IOException("cannot write");
        assertThatThrownBy(() -> writer.writeQueued(1)).isSameAs(store.writeFailure);
        assertThat(writer.writesQueued())
                .as("pages of the queue count as being written after a failure")
                .isFalse();
        store.writeFailure = null;
        update(0);
        pool.fix(file.id(20)).close();
        while (!pool.pages().queue().isEmpty()) {
            writer.writeQueued(1);
        }
        assertThat(writer.writesQueued()).isFalse();
    }
}
