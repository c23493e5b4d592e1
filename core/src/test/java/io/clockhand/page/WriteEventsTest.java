// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.page;

import static io.clockhand.page.FlightRecordings.only;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.clockhand.testing.Allocations;
import io.clockhand.testing.Pools;
import io.clockhand.testing.Workers;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The events of a pool that writes, in recordings of Flight Recorder. */
class WriteEventsTest {
    private static final String BATCH = "io.clockhand.BatchWrite";
    private static final String CHECKPOINT = "io.clockhand.Checkpoint";
    private static final String PASS = "io.clockhand.FlusherPass";
    private static final String SEARCH = "io.clockhand.VictimSearch";
    private static final String WAIT = "io.clockhand.Wait";
    private static final String STATISTICS = "io.clockhand.PoolStatistics";

    private static final int PAGE_BYTES = 512;
    private static final int FRAMES = 8;
    private static final int PAGES = 40;

    @TempDir
    private Path directory;

    private final EventLog log = new EventLog();
    private EventLog.Recorded store;
    private BufferPool pool;
    private PagedFile file;

    private void open(int flushThreads, Duration flushInterval) throws IOException {
        store = log.store("a", PAGE_BYTES, PAGES);
        pool = Pools.builder()
                .name("written")
                .pageBytes(PAGE_BYTES)
                .frames(FRAMES)
                .log(log)
                .tuning(t -> t.flushThreads(flushThreads).flushInterval(flushInterval))
                .build();
        file = pool.open(1, store);
    }

    private void openWithoutFlusher() throws IOException {
        open(0, Duration.ofSeconds(1));
    }

    @AfterEach
    void close() throws IOException {
        pool.checkIntegrity();
        pool.closeWithoutWriting();
    }

    private long update(long page) throws IOException {
        try (WritablePage changed = pool.fixExclusive(file.id(page))) {
            changed.beginUpdate();
            long lsn = log.append();
            changed.putLong(16, lsn);
            changed.endUpdate(lsn);
            return lsn;
        }
    }

    private List<RecordedEvent> recorded(String event, Workers.Work work) throws Exception {
        return FlightRecordings.recorded(directory, event, work);
    }

    // --- batches -----------------------------------------------------------------------------------------------------

    @Test
    void batchTellsItsPagesItsWritesAndItsWaitForTheLog() throws Exception {
        openWithoutFlusher();
        update(7);
        update(3);
        update(2);
        RecordedEvent batch = only(recorded(BATCH, pool::flush));
        assertThat(batch.getString("pool")).isEqualTo("written");
        assertThat(batch.getString("file")).isEqualTo("a");
        assertThat(batch.getLong("page")).isEqualTo(2);
        assertThat(batch.getInt("pages")).isEqualTo(3);
        assertThat(batch.getInt("pagesWritten")).isEqualTo(3);
        assertThat(batch.getLong("bytes")).isEqualTo(3 * PAGE_BYTES);
        assertThat(batch.getInt("writes")).as("2 and 3 are adjacent").isEqualTo(2);
        assertThat(batch.getDuration("logNanos")).isPositive().isLessThan(batch.getDuration());
        assertThat(batch.getStackTrace()).isNull();
    }

    @Test
    void batchThatFailsTellsHowManyPagesWereWritten() throws Exception {
        openWithoutFlusher();
        update(7);
        update(3);
        update(2);
        store.before = page -> {
            if (page == 7) {
                throw new IllegalStateException("cannot write page 7");
            }
        };
        RecordedEvent batch =
                only(recorded(BATCH, () -> assertThatThrownBy(pool::flush).isInstanceOf(IllegalStateException.class)));
        assertThat(batch.getInt("pages")).isEqualTo(3);
        assertThat(batch.getInt("pagesWritten")).isEqualTo(2);
        assertThat(batch.getInt("writes")).isEqualTo(2);
        store.before = page -> {};
    }

    @Test
    void batchWhoseLogFailsIsNotWritten() throws Exception {
        openWithoutFlusher();
        update(3);
        log.failure = new IOException("log");
        Workers.Work flush = () -> assertThatThrownBy(pool::flush).isSameAs(log.failure);
        RecordedEvent batch = only(recorded(BATCH, flush));
        assertThat(batch.getInt("pagesWritten")).isZero();
        assertThat(batch.getInt("writes")).isZero();
        RecordedEvent wait = only(recorded(WAIT, flush));
        assertThat(wait.getBoolean("timedOut")).isTrue();
    }

    @Test
    void pagesOfAFileThatIsClosedAreBatchesOfOne() throws Exception {
        openWithoutFlusher();
        PagedFile second = pool.open(2, log.store("b", PAGE_BYTES, PAGES));
        try (WritablePage changed = pool.fixExclusive(second.id(5))) {
            changed.beginUpdate();
            changed.endUpdate(log.append());
        }
        RecordedEvent batch = only(recorded(BATCH, second::close));
        assertThat(batch.getLong("page")).isEqualTo(5);
        assertThat(batch.getInt("pages")).isEqualTo(1);
        assertThat(batch.getInt("pagesWritten")).isEqualTo(1);
        assertThat(batch.getInt("writes")).isEqualTo(1);
        assertThat(pool.stats().writing().batches()).isEqualTo(1);
    }

    @Test
    void waitForTheLogIsAWaitOfTheWritingThread() throws Exception {
        openWithoutFlusher();
        update(3);
        RecordedEvent wait = only(recorded(WAIT, pool::flush));
        assertThat(wait.getString("pool")).isEqualTo("written");
        assertThat(wait.getString("waitedFor")).isEqualTo("the log to be durable");
        assertThat(wait.getBoolean("timedOut")).isFalse();
        assertThat(wait.getStackTrace().getFrames()).isNotEmpty();
    }

    // --- checkpoints -------------------------------------------------------------------------------------------------

    @Test
    void checkpointTellsItsPositionsAndWhatItWrote() throws Exception {
        openWithoutFlusher();
        update(1);
        long second = update(2);
        RecordedEvent checkpoint = only(
                recorded(CHECKPOINT, () -> assertThat(pool.checkpoint(second)).isEqualTo(second)));
        assertThat(checkpoint.getString("pool")).isEqualTo("written");
        assertThat(checkpoint.getInt("dirty")).isEqualTo(2);
        assertThat(checkpoint.getInt("pagesWritten")).isEqualTo(1);
        assertThat(checkpoint.getLong("redo")).isEqualTo(second);
        assertThat(checkpoint.getLong("logEnd")).isEqualTo(log.end());
        assertThat(checkpoint.getLong("distance")).isEqualTo(log.end() - second).isPositive();
        assertThat(checkpoint.getBoolean("failed")).isFalse();
        assertThat(checkpoint.getDuration()).isPositive();
        assertThat(pool.stats().writing().lastCheckpointDistance()).isEqualTo(checkpoint.getLong("distance"));
    }

    @Test
    void checkpointThatFailsIsRecordedAndNotCounted() throws Exception {
        openWithoutFlusher();
        update(1);
        store.forceFailure = new IOException("force");
        RecordedEvent checkpoint = only(
                recorded(CHECKPOINT, () -> assertThatThrownBy(pool::checkpoint).isSameAs(store.forceFailure)));
        assertThat(checkpoint.getBoolean("failed")).isTrue();
        assertThat(checkpoint.getLong("distance")).isZero();
        assertThat(pool.stats().writing().checkpoints()).isZero();
        assertThat(pool.stats().writing().lastCheckpointNanos()).isZero();
        store.forceFailure = null;
    }

    // --- the flusher -------------------------------------------------------------------------------------------------

    @Test
    void passAfterAnIntervalTellsItsReasonAndItsPages() throws Exception {
        open(1, Duration.ofMillis(5));
        List<RecordedEvent> passes = recorded(PASS, () -> {
            update(3);
            Workers.await(() -> pool.stats().writing().batches() > 0, "a write by the flusher");
            pool.closeWithoutWriting(); // the flusher has ended its pass then
        });
        RecordedEvent pass = only(passes);
        assertThat(pass.getString("pool")).isEqualTo("written");
        assertThat(pass.getString("reason")).isEqualTo("interval");
        assertThat(pass.getInt("dirty")).isEqualTo(1);
        assertThat(pass.getInt("pagesWritten")).isEqualTo(1);
        assertThat(pass.getBoolean("failed")).isFalse();
    }

    @Test
    void passAtAShareOfDirtyFramesTellsItsReason() throws Exception {
        open(1, Duration.ofHours(1));
        List<RecordedEvent> passes = recorded(PASS, () -> {
            for (int page = 0; page < FRAMES - FRAMES / 4; page++) {
                update(page);
            }
            Workers.await(() -> pool.stats().writing().batches() > 0, "a write by the flusher");
            pool.closeWithoutWriting();
        });
        assertThat(passes).extracting(pass -> pass.getString("reason")).contains("dirty");
    }

    @Test
    void threadThatMustWriteBeforeItChangesAPageIsAPass() throws Exception {
        openWithoutFlusher();
        RecordedEvent pass = only(recorded(PASS, () -> {
            for (int page = 0; page < FRAMES; page++) {
                update(page);
            }
        }));
        assertThat(pass.getString("reason")).isEqualTo("change");
        assertThat(pass.getInt("dirty")).isEqualTo(FRAMES - 1);
        assertThat(pass.getInt("pagesWritten")).isEqualTo(FRAMES - 1);
    }

    @Test
    void passThatFailsIsRecorded() throws Exception {
        openWithoutFlusher();
        for (int page = 0; page < FRAMES - 1; page++) {
            update(page);
        }
        store.writeFailure = new IOException("write");
        RecordedEvent pass =
                only(recorded(PASS, () -> assertThatThrownBy(() -> update(20)).isSameAs(store.writeFailure)));
        assertThat(pass.getBoolean("failed")).isTrue();
        assertThat(pass.getInt("pagesWritten")).isZero();
        store.writeFailure = null;
    }

    // --- misses ------------------------------------------------------------------------------------------------------

    @Test
    void searchThatFindsOnlyDirtyFramesCountsItsReadStalls() throws Exception {
        openWithoutFlusher();
        try (PageGuard pinned = pool.fix(file.id(20))) {
            for (int page = 0; page < FRAMES - 1; page++) {
                update(page);
            }
            RecordedEvent search =
                    only(recorded(SEARCH, () -> pool.fix(file.id(21)).close()));
            assertThat(search.getInt("readStalls")).isPositive();
            assertThat(search.getInt("declined")).isPositive();
            assertThat(search.getLong("framesScanned")).isGreaterThanOrEqualTo(FRAMES - 1);
            assertThat(pinned.getLong(16)).isZero();
        }
        assertThat(pool.stats().writing().readStalls()).isPositive();
    }

    @Test
    void searchThatFindsACleanFrameHasNoReadStall() throws Exception {
        openWithoutFlusher();
        for (int page = 0; page < FRAMES; page++) {
            pool.fix(file.id(page)).close();
        }
        RecordedEvent search = only(recorded(SEARCH, () -> pool.fix(file.id(21)).close()));
        assertThat(search.getInt("readStalls")).isZero();
    }

    // --- figures, and off --------------------------------------------------------------------------------------------

    @Test
    void statisticsHaveTheFiguresOfWriting() throws Exception {
        try (Recording recording = new Recording()) {
            recording.enable(STATISTICS).with("period", "endChunk");
            recording.start();
            openWithoutFlusher();
            update(1);
            pool.flush();
            update(2);
            pool.checkpoint();
            recording.stop();
            WriteStats stats = pool.stats().writing();
            RecordedEvent event =
                    only(FlightRecordings.of(STATISTICS, FlightRecordings.all(directory, recording)).stream()
                            .filter(each -> each.getString("pool").equals("written"))
                            .toList());
            assertThat(event.getInt("dirty")).isEqualTo(1);
            assertThat(event.getLong("batches")).isEqualTo(1);
            assertThat(event.getLong("logWaits")).isEqualTo(1);
            assertThat(event.getDuration("logWaitNanos").toNanos()).isEqualTo(stats.logWaitNanos());
            assertThat(event.getLong("checkpoints")).isEqualTo(1);
            assertThat(event.getDuration("lastCheckpointNanos").toNanos()).isEqualTo(stats.lastCheckpointNanos());
            assertThat(event.getLong("lastCheckpointDistance")).isEqualTo(10);
        }
    }

    private Workers.Work writes(int rounds) {
        return () -> {
            for (int i = 0; i < rounds; i++) {
                update(1);
                pool.flush();
                pool.checkpoint();
                log.events.clear();
            }
        };
    }

    @Test
    void noEventIsRecordedWhileItIsOff() throws Exception {
        openWithoutFlusher();
        int rounds = 50;
        assertThat(allocatedWhileOff(writes(rounds))).isPositive();
        assertThat(recorded(BATCH, writes(rounds))).hasSize(rounds);
    }

    @Test
    @Tag("nightly")
    void noEventIsAllocatedWhileItIsOff() throws Exception {
        openWithoutFlusher();
        int rounds = 2_000;
        Workers.Work writes = writes(rounds);
        long last = -1;
        long now = Allocations.during(writes);
        for (int run = 0; run < 50 && Math.abs(now - last) > rounds; run++) { // until the code is compiled
            last = now;
            now = Allocations.during(writes);
        }
        long before = allocatedWhileOff(writes);
        long[] on = new long[1];
        assertThat(recorded(BATCH, () -> on[0] = Allocations.ofEachRun(writes))).hasSize(3 * rounds);
        long after = allocatedWhileOff(writes);
        assertThat(on[0] - Math.max(before, after))
                .as("each batch allocates its event, if it is on: %d before, %d, and %d after", before, on[0], after)
                .isGreaterThan(rounds * 48L);
    }

    /** Expects that nothing is recorded. */
    private long allocatedWhileOff(Workers.Work writes) throws Exception {
        try (Recording recording = new Recording()) {
            for (String event : List.of(BATCH, CHECKPOINT, PASS, WAIT)) {
                recording.disable(event);
            }
            recording.start();
            long allocated = Allocations.ofEachRun(writes);
            recording.stop();
            assertThat(FlightRecordings.all(directory, recording)).isEmpty();
            return allocated;
        }
    }
}
