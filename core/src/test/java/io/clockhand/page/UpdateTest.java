// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.page;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.clockhand.PoolFailedException;
import io.clockhand.WaitTimeoutException;
import io.clockhand.io.ChecksummedPageStore;
import io.clockhand.testing.Gate;
import io.clockhand.testing.Pools;
import io.clockhand.testing.Workers;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Changes of pages, by one thread: what is dirty, what is written, and when. No flusher runs. */
class UpdateTest {
    private static final int PAGE_BYTES = 512;
    private static final int FRAMES = 8;
    private static final int PAGES = 40;

    @RegisterExtension
    private final Workers workers = new Workers();

    private final EventLog log = new EventLog();
    private EventLog.Recorded store;
    private BufferPool pool;
    private PagedFile file;

    @BeforeEach
    void open() throws IOException {
        store = log.store("a", PAGE_BYTES, PAGES);
        pool = Pools.builder()
                .pageBytes(PAGE_BYTES)
                .frames(FRAMES)
                .log(log)
                .lsnOffset(8)
                .waitTimeout(Duration.ofMillis(200))
                .tuning(t -> t.flushThreads(0))
                .build();
        file = pool.open(1, store);
    }

    @AfterEach
    void check() throws IOException {
        pool.checkIntegrity();
        pool.closeWithoutWriting();
    }

    private long update(long page, long value) throws IOException {
        try (WritablePage changed = pool.fixExclusive(file.id(page))) {
            changed.beginUpdate();
            long lsn = log.append();
            changed.putLong(16, value);
            changed.endUpdate(lsn);
            return lsn;
        }
    }

    private long read(long page) throws IOException {
        try (PageGuard guard = pool.fix(file.id(page))) {
            return guard.getLong(16);
        }
    }

    @Test
    void changesSurviveEvictionFromAPoolThatHasNoCleanFrameLeft() throws IOException {
        for (int page = 0; page < PAGES; page++) {
            update(page, 1000 + page);
        }
        for (int page = 0; page < PAGES; page++) {
            assertThat(read(page)).isEqualTo(1000 + page);
        }

        assertThat(pool.dirtyPages()).isLessThanOrEqualTo(FRAMES);
    }

    @Test
    void flushWritesDirtyPagesInOrderAdjacentOnesTogetherAfterTheLog() throws IOException {
        update(7, 1);
        update(3, 2);
        long last = update(2, 3);
        read(5);

        file.flush();

        assertThat(log.events).containsExactly("log " + last, "a 2 to 3", "a 7");
        assertThat(store.longAt(3, 16)).isEqualTo(2);
        assertThat(store.longAt(2, 8)).as("the LSN in the page").isEqualTo(last);
        assertThat(pool.dirtyPages()).isZero();
        file.flush();
        assertThat(log.events).as("nothing is written twice").hasSize(3);
    }

    @Test
    void checkpointReturnsWhereTheOldestUnwrittenUpdateBegan() throws IOException {
        long first = update(1, 1);
        long second = update(2, 2);
        update(1, 3);
        assertThat(pool.checkpoint()).isEqualTo(first);

        assertThat(pool.checkpoint(second))
                .as("page 1 is written, page 2 is not")
                .isEqualTo(second);
        assertThat(store.longAt(1, 16)).isEqualTo(3);
        assertThat(store.longAt(2, 16)).isZero();

        pool.flush();
        assertThat(pool.checkpoint()).isEqualTo(log.end());
        assertThat(log.events).endsWith("a 2", "a forced");
    }

    @Test
    void updateThatBeganButHasNoRecordYetHoldsTheCheckpointBack() throws IOException {
        try (WritablePage page = pool.fixExclusive(file.id(0))) {
            page.beginUpdate();
            long begun = log.end();
            log.append();

            assertThat(pool.checkpoint()).isEqualTo(begun);

            page.endUpdate(begun);
        }
    }

    @Test
    void updateThatIsNotEndedIsUndoneAndTheCloseSaysSo() throws IOException {
        update(4, 77);
        WritablePage page = pool.fixExclusive(file.id(4));
        page.beginUpdate();
        page.putLong(16, 1);
        page.fill(0, PAGE_BYTES, (byte) 9);

        assertThatIllegalStateException()
                .isThrownBy(page::close)
                .withMessageContaining("page 4 of a")
                .withMessageContaining("undone");

        assertThat(read(4)).isEqualTo(77);
        pool.flush();
        assertThat(store.longAt(4, 16)).isEqualTo(77);
        assertThat(store.longAt(4, 200)).isZero();
    }

    @Test
    void pageCanBeChangedInAnUpdateOnly() throws IOException {
        WritablePage page = pool.fixExclusive(file.id(0));

        assertThatIllegalStateException()
                .isThrownBy(() -> page.putByte(0, (byte) 1))
                .withMessageContaining("beginUpdate");
        assertThatIllegalStateException().isThrownBy(() -> page.endUpdate(5)).withMessageContaining("beginUpdate");
        page.beginUpdate();
        assertThatIllegalStateException().isThrownBy(page::beginUpdate).withMessageContaining("endUpdate");
        assertThatIllegalStateException()
                .as("a downgrade in an update")
                .isThrownBy(page::downgrade)
                .withMessageContaining("endUpdate");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> page.endUpdate(-1))
                .withMessageContaining("-1 is no LSN");
        assertThatThrownBy(() -> page.putLong(PAGE_BYTES - 7, 1)).isInstanceOf(IndexOutOfBoundsException.class);
        page.endUpdate(log.append());
        page.close();
    }

    /** A checkpoint between the record and the begin of the update could go past the record. */
    @Test
    void recordFromBeforeTheUpdateBeganIsRefused() throws IOException {
        try (WritablePage page = pool.fixExclusive(file.id(1))) {
            long early = log.append();
            page.beginUpdate();
            page.putLong(16, 7);
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> page.endUpdate(early))
                    .withMessageContaining("was appended before");
            page.endUpdate(log.append());
        }
        assertThat(read(1)).isEqualTo(7);
    }

    /** Where pages keep no LSNs, an engine may learn its log's end by the redo. */
    @Test
    void redoMayComeBeforeTheLogKnowsItsEnd() throws IOException {
        try (BufferPool other =
                Pools.builder().pageBytes(PAGE_BYTES).frames(FRAMES).log(log).build()) {
            PagedFile others = other.open(1, log.store("b", PAGE_BYTES, PAGES));
            long repeated = log.end() + 100;
            try (WritablePage page = other.fixExclusive(others.id(1))) {
                page.beginRedo(repeated);
                page.putLong(16, 7);
                page.endUpdate(repeated);
                assertThat(page.getLong(16)).isEqualTo(7);
            }
            while (log.append() < repeated) {
                // the records that the engine finds
            }
        }
    }

    /** The page could not be written until the log has grown that far. */
    @Test
    void lsnBehindTheEndOfTheLogIsRefusedThoughThePageDoesNotKeepIt() throws IOException {
        try (BufferPool other =
                Pools.builder().pageBytes(PAGE_BYTES).frames(FRAMES).log(log).build()) {
            PagedFile others = other.open(1, log.store("b", PAGE_BYTES, PAGES));
            try (WritablePage page = other.fixExclusive(others.id(1))) {
                page.beginUpdate();
                assertThatIllegalArgumentException()
                        .isThrownBy(() -> page.endUpdate(log.end() + 1))
                        .withMessageContaining("lies behind the end of the log");
                page.endUpdate(log.append());
            }
        }
    }

    @Test
    void everyWayToChangeBytesChangesThose() throws IOException {
        try (WritablePage page = pool.fixExclusive(file.id(0));
                PageGuard other = pool.fix(file.id(1))) {
            page.beginUpdate();
            page.putByte(20, (byte) 0x81);
            page.putShort(22, (short) 0x0102);
            page.putShortLittleEndian(24, (short) 0x0102);
            page.putInt(28, 0x01020304);
            page.putIntLittleEndian(32, 0x01020304);
            page.putLongLittleEndian(40, 0x0102030405060708L);
            page.putBytes(48, new byte[] {1, 2, 3, 4}, 1, 2);
            page.putBytes(50, ByteBuffer.wrap(new byte[] {5, 6}));
            page.putBytes(60, page, 20, 32);
            page.putBytes(100, other, 0, 8);
            page.fill(110, 3, (byte) 7);
            page.endUpdate(log.append());

            assertThat(page.getUnsignedByte(20)).isEqualTo(0x81);
            assertThat(page.getShort(22)).isEqualTo((short) 0x0102);
            assertThat(page.getShortLittleEndian(24)).isEqualTo((short) 0x0102);
            assertThat(page.getInt(28)).isEqualTo(0x01020304);
            assertThat(page.getIntLittleEndian(32)).isEqualTo(0x01020304);
            assertThat(page.getLongLittleEndian(40)).isEqualTo(0x0102030405060708L);
            assertThat(page.getInt(48)).isEqualTo(0x02030506);
            assertThat(page.getInt(68)).as("a copy within the page").isEqualTo(0x01020304);
            assertThat(page.getInt(109)).isEqualTo(0x00070707);
        }
    }

    @Test
    void pageThatCouldNotBeWrittenStaysDirtyWithItsPosition() throws IOException {
        long lsn = update(1, 5);
        store.writeFailure = new IOException("cannot write page 1 of a: no space left on device");

        assertThatThrownBy(pool::flush).isSameAs(store.writeFailure);

        assertThat(pool.dirtyPages()).isEqualTo(1);
        assertThat(pool.checkpoint())
                .as("the checkpoint beside a page that could not be written")
                .isEqualTo(lsn);
        update(1, 6);
        assertThat(pool.checkpoint())
                .as("the first update is not in the file either")
                .isEqualTo(lsn);
        store.writeFailure = null;
        pool.flush();
        assertThat(store.longAt(1, 16)).isEqualTo(6);
        assertThat(pool.checkpoint()).isEqualTo(log.end());
    }

    @Test
    void pageIsNotWrittenIfTheLogIsNotDurable() throws IOException {
        update(1, 5);
        log.failure = new IOException("the log is full");

        assertThatThrownBy(pool::flush).isSameAs(log.failure);

        assertThat(log.events).isEmpty();
        assertThat(pool.dirtyPages()).isEqualTo(1);
        log.failure = null;
    }

    @Test
    void missFailsWithTheCauseIfNoDirtyPageCanBeWritten() throws IOException {
        for (int page = 0; page < FRAMES - 2; page++) {
            update(page, 5);
        }
        store.writeFailure = new IOException("cannot write page 1 of a");

        assertThatThrownBy(() -> {
                    for (int page = 10; page < 20; page++) {
                        update(page, 5);
                    }
                })
                .isSameAs(store.writeFailure);

        store.writeFailure = null;
        for (int page = 10; page < 20; page++) {
            update(page, 6);
        }
    }

    @Test
    void failedForceIsFinal() throws IOException {
        update(1, 5);
        pool.flush();
        store.forceFailure = new IOException("cannot force a");
        assertThatThrownBy(pool::checkpoint).isSameAs(store.forceFailure);
        store.forceFailure = null;

        assertThatThrownBy(pool::checkpoint)
                .isInstanceOf(PoolFailedException.class)
                .hasMessageContaining("cannot force a")
                .hasMessageContaining("redo from the last checkpoint");
        try (WritablePage page = pool.fixExclusive(file.id(1))) {
            assertThatThrownBy(page::beginUpdate).isInstanceOf(PoolFailedException.class);
        }
        assertThat(read(1)).isEqualTo(5);
    }

    @Test
    void truncationForgetsTheChangesOfThePagesThatGo() throws IOException {
        long lsn = update(1, 5);
        update(30, 6);
        update(31, 7);

        file.truncate(30);

        assertThat(pool.dirtyPages()).isEqualTo(1);
        assertThat(pool.checkpoint()).isEqualTo(lsn);
        pool.flush();
        assertThat(log.events).doesNotContain("a 30", "a 31");
        assertThat(log.events).contains("a 1");
    }

    @Test
    void closingAFileWritesAndForcesItsChanges() throws IOException {
        long lsn = update(1, 5);

        file.close();

        assertThat(log.events).containsExactly("log " + lsn, "a 1", "a forced");
        assertThat(pool.dirtyPages()).isZero();
        assertThat(pool.checkpoint()).isEqualTo(log.end());
    }

    @Test
    void fileStaysOpenIfItsChangesCannotBeWritten() throws IOException {
        update(1, 5);
        store.writeFailure = new IOException("cannot write page 1 of a");
        assertThatThrownBy(file::close).isSameAs(store.writeFailure);
        assertThat(file.isOpen()).isTrue();
        store.writeFailure = null;

        assertThat(read(1)).isEqualTo(5);
        file.close();
        assertThat(log.events).contains("a 1");
    }

    @Test
    void poolStaysOpenIfItsChangesCannotBeWritten() throws IOException {
        update(1, 5);
        store.writeFailure = new IOException("cannot write page 1 of a");
        assertThatThrownBy(pool::close).isSameAs(store.writeFailure);
        store.writeFailure = null;

        assertThat(read(1)).isEqualTo(5);
        pool.close();
        assertThat(log.events).endsWith("a 1", "a forced");
    }

    @Test
    void closingWithoutWritingLosesTheChanges() throws IOException {
        update(1, 5);

        pool.closeWithoutWriting();

        assertThat(log.events).isEmpty();
    }

    @Test
    void flushOfAPageThatThisThreadChangesTimesOutAndNamesThePage() throws IOException {
        try (WritablePage page = pool.fixExclusive(file.id(3))) {
            page.beginUpdate();
            page.endUpdate(log.append());

            assertThatThrownBy(pool::flush, "a flush during a change")
                    .hasMessageContaining("page 3 of a")
                    .hasMessageContaining("latched to write");
        }
    }

    @Test
    void errorInAWriteLeavesNoPinAndNoMarkBehind() throws IOException {
        for (int page = 0; page < 6; page += 2) {
            update(page, 5);
        }
        store.writeError = new OutOfMemoryError("injected");

        assertThatThrownBy(pool::flush).isInstanceOf(OutOfMemoryError.class);

        pool.checkIntegrity();
        assertThat(pool.dirtyPages()).isEqualTo(3);
        pool.flush();
        assertThat(log.events).contains("a 0", "a 2", "a 4");
    }

    @Test
    void checkpointForcesAFileThatWasOpenedAndNotChanged() throws IOException {
        pool.checkpoint();
        assertThat(log.events).as("its pages may be in the system's cache only").containsExactly("a forced");
        pool.checkpoint();
        assertThat(log.events).hasSize(1);
    }

    @Test
    void pageThatIsWrittenDuringAForceIsForcedByTheNextCheckpoint() throws IOException {
        update(1, 5);
        pool.flush();
        store.before = page -> {
            store.before = none -> {};
            try {
                update(2, 6);
                pool.flush();
            } catch (IOException e) {
                throw new AssertionError(e);
            }
        };
        pool.checkpoint();
        assertThat(log.events).endsWith("a 2", "a forced");

        pool.checkpoint();
        assertThat(log.events).endsWith("a forced", "a forced");
        pool.checkpoint();
        assertThat(log.events).filteredOn("a forced"::equals).hasSize(2);
    }

    @Test
    void checkpointDoesNotReturnBeforeTheForceOfAnotherThread() throws IOException {
        update(1, 5);
        pool.flush();
        Gate gate = new Gate();
        store.before = page -> gate.pass();
        Workers.Worker<Long> first = workers.start(pool::checkpoint);
        gate.awaitReached();
        Workers.Worker<Long> second = workers.start(pool::checkpoint);
        second.awaitParked();
        assertThat(second.isDone()).isFalse();

        gate.open();

        assertThat(first.result()).isEqualTo(log.end());
        assertThat(second.result()).isEqualTo(log.end());
    }

    @Test
    void checkpointForcesAFileWhoseCloseWaits() throws IOException {
        update(1, 5);
        try (PageGuard reader = pool.fix(file.id(1))) {
            assertThatThrownBy(file::close).isInstanceOf(WaitTimeoutException.class);
            assertThat(log.events).endsWith("a 1");

            assertThat(pool.checkpoint()).isEqualTo(log.end());

            assertThat(log.events).endsWith("a forced");
            assertThat(reader.getLong(16)).isEqualTo(5);
        }
        file.close();
    }

    @Test
    void failedForceInACloseIsFinalToo() throws IOException {
        update(1, 5);
        store.forceFailure = new IOException("cannot force a");
        assertThatThrownBy(file::close).isSameAs(store.forceFailure);
        store.forceFailure = null;

        assertThatThrownBy(file::close).isInstanceOf(PoolFailedException.class);
        assertThatThrownBy(pool::close).isInstanceOf(PoolFailedException.class);
    }

    @Test
    void closeOfThePoolWritesChangesOfAFileWhoseCloseTimedOut() throws IOException {
        update(1, 5);
        update(2, 6);
        store.before = page -> {
            store.before = none -> {};
            try {
                update(2, 7); // while its older image is written
            } catch (IOException e) {
                throw new AssertionError(e);
            }
        };
        try (PageGuard reader = pool.fix(file.id(1))) {
            assertThatThrownBy(file::close).isInstanceOf(WaitTimeoutException.class);
            assertThat(reader.getLong(16)).isEqualTo(5);
        }

        pool.close();

        assertThat(log.events).containsSubsequence("a 1 to 2", "a 2", "a forced");
    }

    @Test
    void smallerLsnDoesNotReplaceAGreaterOne() throws IOException {
        long lsn = update(1, 5);
        try (WritablePage page = pool.fixExclusive(file.id(1))) {
            page.beginRedo(lsn - 5);
            page.endUpdate(lsn - 5);
            assertThat(page.getLong(8)).isEqualTo(lsn);
        }
        assertThat(pool.checkpoint()).isEqualTo(lsn - 5);
    }

    @Test
    void writesAreCounted() throws IOException {
        for (int page = 0; page < 3; page++) {
            update(page, 1);
        }
        update(7, 1);
        store.writeFailure = new IOException("cannot write page 0 of a");
        assertThatThrownBy(pool::flush).isSameAs(store.writeFailure);
        store.writeFailure = null;
        WriteStats failed = pool.stats().writing();
        // the run of three pages, then each page by itself
        assertThat(failed).isEqualTo(new WriteStats(4, 0, 0, 0, 5, 0, 0, 0, 1, failed.logWaitNanos(), 0, 0, 0));
        assertThat(failed.pagesPerBatch()).isNaN();
        pool.flush();
        long begun = update(9, 1);
        pool.checkpoint();
        WriteStats written = pool.stats().writing();
        assertThat(written)
                .isEqualTo(new WriteStats(
                        1, 4, 2, 1, 5, 0, 0, 0, 2, written.logWaitNanos(), 1, written.lastCheckpointNanos(), 10));
        assertThat(log.end() - begun).as("the distance").isEqualTo(10);
        assertThat(written.pagesPerBatch()).isEqualTo(4);
        assertThat(written.logWaitNanos()).isPositive();
        assertThat(written.lastCheckpointNanos()).isPositive();
        pool.flush();

        try (PageGuard pinned = pool.fix(file.id(20))) {
            for (int page = 0; page < FRAMES - 1; page++) {
                update(page, 2);
            }
            read(21);
            assertThat(pinned.getLong(16)).isZero();
        }
        assertThat(pool.stats().writing().readStalls()).isPositive();
    }

    @Test
    void pageThatIsReadIsWrittenAllTheSame() throws IOException {
        update(3, 9);
        try (PageGuard reader = pool.fix(file.id(3))) {
            pool.flush();

            assertThat(reader.getLong(16)).isEqualTo(9);
            assertThat(store.longAt(3, 16)).isEqualTo(9);
        }
    }

    @Test
    void checkpointDoesNotGoPastTheRecordOfACreationUntilThePageWasWritten() throws IOException {
        PagedFile checked = pool.open(2, new ChecksummedPageStore(log.store("b", PAGE_BYTES, 0), 2, 0));
        long end = log.end();
        checked.create().close();
        log.append();
        assertThat(pool.checkpoint()).isEqualTo(end);
        pool.flush();
        assertThat(pool.checkpoint()).isEqualTo(log.end());
    }

    @Test
    void checkpointGoesPastTheRecordOfACreationWhenTheExtensionIsForced() throws IOException {
        file.create().close();
        log.append();
        log.events.clear();
        assertThat(pool.checkpoint()).isEqualTo(log.end());
        assertThat(log.events).containsExactly("a forced");
    }
}
