// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.page;

import static org.assertj.core.api.Assertions.assertThat;

import io.clockhand.internal.frame.FrameState;
import io.clockhand.internal.frame.FrameStates;
import io.clockhand.testing.Gate;
import io.clockhand.testing.Pools;
import io.clockhand.testing.Workers;
import io.clockhand.wal.WriteAheadLog;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** When the flusher begins to write, and when it stops: by the share of dirty frames, and by time. */
class FlusherRoundsTest {
    private static final int PAGE_BYTES = 512;
    private static final int FRAMES = 100;
    private static final int PAGES = 300;
    private static final Duration NEVER = Duration.ofDays(1);

    private final EventLog log = new EventLog();
    private EventLog.Recorded store;
    private BufferPool pool;
    private PagedFile file;
    /** The thread of the flusher that came to the gate. */
    private volatile Thread writer;

    private int misses;

    private void open(int threads, Duration interval) throws IOException {
        open(threads, interval, log);
    }

    private void open(int threads, Duration interval, WriteAheadLog poolLog) throws IOException {
        store = log.store("a", PAGE_BYTES, PAGES);
        pool = Pools.builder()
                .pageBytes(PAGE_BYTES)
                .frames(FRAMES)
                .log(poolLog)
                .waitTimeout(Duration.ofMinutes(10))
                .exhaustedAfter(Duration.ofMinutes(10))
                .tuning(t -> t.flushThreads(threads).flushInterval(interval))
                .build();
        file = pool.open(1, store);
    }

    @AfterEach
    void close() throws IOException {
        pool.checkIntegrity();
        pool.closeWithoutWriting();
    }

    private void update(int from, int to) throws IOException {
        for (int page = from; page < to; page++) {
            try (WritablePage changed = pool.fixExclusive(file.id(page))) {
                changed.beginUpdate();
                changed.endUpdate(log.append());
            }
        }
    }

    private void awaitWritten(long pages, String failure) {
        Workers.await(() -> pool.stats().writing().pagesWritten() >= pages, failure);
    }

    private void awaitDirty(int most, String failure) {
        Workers.await(() -> pool.dirtyPages() <= most, failure);
    }

    // --- the share of dirty frames -----------------------------------------------------------------------------------

    /** From 75 of 100 frames on all dirty pages are written but the last, which is latched perhaps. */
    @Test
    void flusherWritesWhenThreeQuartersOfTheFramesAreDirty() throws IOException {
        open(1, NEVER);
        update(0, 74);
        assertThat(pool.dirtyPages()).isEqualTo(74);
        update(74, 75);
        awaitWritten(74, "the flusher does not write though three quarters of the frames are dirty");
    }

    /** The first batch of a round has 64 pages; while it is written, 70 pages become dirty again. */
    @Test
    void flusherGoesOnUntilClearlyFewerThanThreeQuartersAreDirty() throws IOException {
        open(1, NEVER);
        Gate gate = gateAtFirstWrite();
        update(0, 75);
        gate.awaitReached();
        update(0, 64);
        update(80, 86);
        assertThat(pool.dirtyPages())
                .as("dirty pages while the first batch is written")
                .isEqualTo(81);
        gate.open();
        awaitDirty(65, "the flusher stops when as many pages are dirty as when it begins");
    }

    @Test
    void flusherStopsWhenATenthOfTheFramesFewerAreDirty() throws IOException {
        open(1, NEVER);
        Gate gate = gateAtFirstWrite();
        update(0, 75);
        gate.awaitReached();
        update(0, 60);
        gate.open();
        awaitWritten(75, "the flusher does not end its round");
        Workers.await(
                () -> writer.getState() == Thread.State.TIMED_WAITING
                        || pool.stats().writing().pagesWritten() > 75,
                "the flusher neither parks nor writes");
        pool.closeWithoutWriting(); // the flusher has ended its pass then
        assertThat(pool.stats().writing().pagesWritten())
                .as("pages that the flusher wrote, which stops at 65 dirty ones")
                .isEqualTo(75);
    }

    private Gate gateAtFirstWrite() {
        Gate gate = new Gate();
        store.before = page -> {
            store.before = none -> {};
            writer = Thread.currentThread();
            gate.pass();
        };
        return gate;
    }

    // --- the queue ---------------------------------------------------------------------------------------------------

    /** The pages are queued while the only thread of the flusher writes another one. */
    @Test
    void pageThatWasUsedSinceItWasQueuedIsNotWritten() throws IOException {
        open(1, NEVER);
        Gate gate = gateAtFirstWrite();
        update(0, 1);
        missUntilQueued(0);
        gate.awaitReached();
        update(1, 3);
        missUntilQueued(1);
        missUntilQueued(2);
        for (int use = 0; use < 3; use++) {
            pool.fix(file.id(1)).close();
        }
        gate.open();
        awaitDirty(1, "the flusher does not write the page that was not used");
        pool.closeWithoutWriting(); // the flusher has ended its pass then
        assertThat(pool.stats().writing().pagesWritten())
                .as("pages that were written: all but the one that was used")
                .isEqualTo(2);
    }

    private void missUntilQueued(int page) throws IOException {
        FrameStates states = pool.pages().framePool().states();
        int frame = IntStream.range(0, FRAMES)
                .filter(f -> states.identity(f) == file.id(page))
                .findFirst()
                .orElseThrow();
        while (!FrameState.isQueued(states.state(frame))) {
            pool.fix(file.id(100 + misses++ % 200)).close();
        }
    }

    // --- time --------------------------------------------------------------------------------------------------------

    @Test
    void pagesAreWrittenAfterAnIntervalOrTwo() throws IOException {
        open(1, Duration.ofMillis(5));
        for (int round = 0; round < 3; round++) {
            update(round, round + 1);
            awaitWritten(
                    round + 1, "the flusher does not write a page that has been dirty for longer than an interval");
        }
    }

    /** With two threads one writes by time, so one that failed must not count for ever. */
    @Test
    void pagesAreWrittenByTimeAfterWritesThatHaveFailed() throws IOException {
        open(2, Duration.ofMillis(5));
        store.writeFailure = new IOException("cannot write page 0 of a");
        update(0, 1);
        Workers.await(() -> pool.stats().writing().failedWrites() > 0, "the flusher does not write");
        store.writeFailure = null;
        awaitWritten(1, "the flusher writes no more by time after writes that have failed");
    }

    @Test
    void pagesAreWrittenByShareAfterWritesThatHaveFailed() throws IOException {
        open(1, NEVER);
        store.writeFailure = new IOException("cannot write");
        update(0, 75);
        Workers.await(() -> pool.stats().writing().failedWrites() > 0, "the flusher does not write");
        store.writeFailure = null;
        awaitWritten(10, "the flusher writes no more by share after a write that has failed");
    }

    /** Only threads of the flusher get the failure, which collect the pages of a round. */
    @Test
    void pagesAreWrittenByTimeAfterTheLogHasFailed() throws IOException {
        AtomicInteger failures = new AtomicInteger();
        open(2, Duration.ofMillis(5), new WriteAheadLog() {
            @Override
            public long end() {
                if (Thread.currentThread().getName().equals("clockhand-flush") && failures.getAndIncrement() < 2) {
                    throw new IllegalStateException("injected");
                }
                return log.end();
            }

            @Override
            public void makeDurable(long lsn) throws IOException {
                log.makeDurable(lsn);
            }
        });
        update(0, 1);
        awaitWritten(1, "the flusher writes no more by time after the log has failed");
        assertThat(failures.get()).isGreaterThan(2);
    }

    /** The thread of the flusher reads the end of the log once for each interval, and changes a page then. */
    @Test
    void pageThatWasChangedAfterTheLastIntervalIsNotWrittenYet() throws IOException {
        AtomicInteger intervals = new AtomicInteger();
        AtomicLong writtenByTheNext = new AtomicLong(-1);
        open(1, Duration.ofMillis(5), new WriteAheadLog() {
            private boolean changes;

            @Override
            public long end() {
                if (Thread.currentThread().getName().equals("clockhand-flush") && !changes) {
                    int interval = intervals.incrementAndGet();
                    if (interval == 3) {
                        changes = true;
                        changeAtOnce(7);
                        changes = false;
                    } else if (interval == 4) {
                        writtenByTheNext.set(pool.stats().writing().pagesWritten());
                    }
                }
                return log.end();
            }

            @Override
            public void makeDurable(long lsn) throws IOException {
                log.makeDurable(lsn);
            }
        });
        store.before = page -> {
            if (page == 0) {
                throw new UncheckedIOException(new IOException("page 0 stays dirty, so that intervals go on"));
            }
        };
        update(0, 1);
        awaitWritten(1, "the flusher does not write a page that has been dirty for longer than an interval");
        assertThat(writtenByTheNext)
                .as("pages written at the end of the interval in which they were changed")
                .hasValue(0);
        store.before = page -> {};
    }

    private void changeAtOnce(int page) {
        try {
            update(page, page + 1);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
