// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.page;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.clockhand.LatchMode;
import io.clockhand.io.FileOption;
import io.clockhand.testing.Allocations;
import io.clockhand.testing.Gate;
import io.clockhand.testing.Pools;
import io.clockhand.testing.Workers;
import io.clockhand.wal.WideLsn;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Updates of rows under a shared latch: what others see, what is written, and what a checkpoint waits for. */
class SharedUpdateTest {
    private static final int PAGE_BYTES = 512;
    private static final int PAGES = 12;
    private static final int LSN = 8;
    private static final int ROW = 64;
    /** The number of the file whose pages are updated in shared mode. */
    private static final int ROWS = 1;

    @RegisterExtension
    private final Workers workers = new Workers();

    private final EventLog log = new EventLog();
    private volatile RuntimeException predicateFailure;
    private EventLog.Recorded store;
    private BufferPool pool;
    private PagedFile file;
    private EventLog.Recorded plainStore;
    private PagedFile plain;

    @BeforeEach
    void open() throws IOException {
        store = log.store("a", PAGE_BYTES, PAGES);
        pool = builder().lsnOffset(LSN).build();
        file = pool.open(ROWS, store);
        plainStore = log.store("b", PAGE_BYTES, 1);
        plain = pool.open(2, plainStore);
    }

    private BufferPoolBuilder builder() {
        return Pools.builder()
                .pageBytes(PAGE_BYTES)
                .frames(8)
                .log(log)
                .sharedUpdates(number -> {
                    if (predicateFailure != null) {
                        throw predicateFailure;
                    }
                    return number == ROWS;
                })
                .tuning(t -> t.flushThreads(0));
    }

    @AfterEach
    void check() throws IOException {
        pool.checkIntegrity();
        pool.closeWithoutWriting();
    }

    private long put(long page, int offset, long value) throws IOException {
        try (SharedUpdatePage rows = pool.fixForSharedUpdate(file.id(page))) {
            rows.beginUpdate();
            long lsn = log.append();
            rows.putLong(offset, value);
            rows.endUpdate(lsn);
            return lsn;
        }
    }

    private long read(long page, int offset) throws IOException {
        return readId(file.id(page), offset);
    }

    private long readId(long id, int offset) throws IOException {
        try (PageGuard guard = pool.fix(id)) {
            return guard.getLong(offset);
        }
    }

    // --- rows --------------------------------------------------------------------------------------------------------

    @Test
    void rowsOfEachSizeAreSetWithoutTheirNeighbours() throws IOException {
        put(0, ROW, -1);
        put(0, ROW + 8, -1);
        try (SharedUpdatePage rows = pool.fixForSharedUpdate(file.id(0))) {
            rows.beginUpdate();
            long lsn = log.append();
            rows.putByte(ROW + 1, (byte) 0x12);
            rows.putShort(ROW + 2, (short) 0x3456);
            rows.putInt(ROW + 4, 0x789ABCDE);
            assertThat(rows.putByteBits(ROW + 8, 0x0F, 0x05)).isEqualTo(0xFF);
            assertThat(rows.putShortBits(ROW + 10, 0x0FF0, 0x0120)).isEqualTo(0xFFFF);
            assertThat(rows.putIntBits(ROW + 12, 0xFF, 0)).isEqualTo(-1);
            rows.endUpdate(lsn);
        }
        assertThat(read(0, ROW)).isEqualTo(0xFF12_3456_789A_BCDEL);
        assertThat(read(0, ROW + 8)).isEqualTo(0xF5FF_F12F_FFFF_FF00L);
        try (SharedUpdatePage rows = pool.fixForSharedUpdate(file.id(0))) {
            rows.beginUpdate();
            assertThat(rows.putLongBits(ROW + 8, 0xFFL << 56, 1L << 56)).isEqualTo(0xF5FF_F12F_FFFF_FF00L);
            rows.endUpdate(log.append());
        }
        pool.flush();
        assertThat(store.longAt(0, ROW)).isEqualTo(0xFF12_3456_789A_BCDEL);
        assertThat(store.longAt(0, ROW + 8)).isEqualTo(0x01FF_F12F_FFFF_FF00L);
    }

    @Test
    void threadsUpdateRowsOfOnePageAtTheSameTimeAndOthersReadIt() throws IOException {
        try (SharedUpdatePage mine = pool.fixForSharedUpdate(file.id(0))) {
            mine.beginUpdate();
            long lsn = log.append();
            long later = workers.start(() -> put(0, ROW + 8, 8)).result();
            mine.putLong(ROW, 7);
            mine.endUpdate(lsn);
            assertThat(workers.start(() -> read(0, ROW)).result()).isEqualTo(7);
            assertThat(mine.getLong(LSN)).as("the greatest LSN").isEqualTo(later);
        }
        assertThat(read(0, ROW + 8)).isEqualTo(8);
    }

    @Test
    void misuseIsRefused() throws IOException {
        try (SharedUpdatePage rows = pool.fixForSharedUpdate(file.id(0))) {
            assertThatIllegalStateException()
                    .isThrownBy(() -> rows.putInt(ROW, 1))
                    .withMessageContaining("beginUpdate");
            assertThatIllegalStateException()
                    .isThrownBy(() -> rows.endUpdate(1))
                    .withMessageContaining("beginUpdate");
            rows.beginUpdate();
            assertThatIllegalStateException().isThrownBy(rows::beginUpdate).withMessageContaining("call endUpdate");
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> rows.putInt(ROW + 2, 1))
                    .withMessageContaining("multiple of 4");
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> rows.putByteBits(ROW, 0x100, 0))
                    .withMessageContaining("mask");
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> rows.putByteBits(ROW, 1, 2))
                    .withMessageContaining("mask");
            assertThatThrownBy(() -> rows.putByte(PAGE_BYTES, (byte) 1)).isInstanceOf(IndexOutOfBoundsException.class);
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> rows.raisePageLsn(12, 1))
                    .withMessageContaining("8");
            assertThatIllegalArgumentException()
                    .as("a row over the last byte of the LSN")
                    .isThrownBy(() -> rows.putByte(LSN + 7, (byte) 1))
                    .withMessageContaining("overwrite the LSN");
            assertThatIllegalArgumentException()
                    .as("a row over the first byte of the LSN")
                    .isThrownBy(() -> rows.putByte(LSN, (byte) 1))
                    .withMessageContaining("overwrite the LSN");
            rows.putByte(LSN - 1, (byte) 0);
            rows.putByte(LSN + 8, (byte) 0);
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> rows.endUpdate(-1))
                    .withMessageContaining("no LSNs");
            rows.endUpdate(log.append());
            assertThatIllegalStateException()
                    .isThrownBy(() -> rows.fix(file.id(1)))
                    .withMessageContaining("already");
        }
        assertThatIllegalArgumentException()
                .isThrownBy(() -> builder().lsnOffset(4).build())
                .withMessageContaining("multiple of 8");
    }

    @Test
    void updateThatIsNotEndedIsUndone() throws IOException {
        put(0, ROW, 0x1122_3344_5566_7788L);
        SharedUpdatePage rows = pool.newSharedUpdatePage().fix(file.id(0));
        rows.beginUpdate();
        rows.putShort(ROW, (short) -1);
        rows.putByteBits(ROW + 7, 0xF0, 0);
        for (int at = ROW + 16; at < PAGE_BYTES; at++) {
            rows.putByte(at, (byte) 1);
        }
        rows.putLong(ROW, 5);
        put(0, ROW + 8, 9); // by another object: its row stays

        assertThatIllegalStateException().isThrownBy(rows::close).withMessageContaining("undone");

        assertThat(read(0, ROW)).isEqualTo(0x1122_3344_5566_7788L);
        assertThat(read(0, ROW + 8)).isEqualTo(9);
        assertThat(read(0, ROW + 16)).isZero();
        rows.fix(file.id(0)).close(); // it can be used again
        assertThat(pool.checkpoint()).as("nothing is pending").isPositive();
    }

    @Test
    void cancelledUpdateIsUndoneAndAnotherMayFollow() throws IOException {
        try (SharedUpdatePage rows = pool.newSharedUpdatePage().fix(file.id(0))) {
            rows.beginUpdate();
            rows.putLong(ROW, 3);
            rows.cancelUpdate();
            assertThat(rows.getLong(ROW)).isZero();
            assertThatIllegalStateException().isThrownBy(rows::cancelUpdate).withMessageContaining("beginUpdate");
            rows.beginUpdate();
            long lsn = log.append();
            rows.putLong(ROW, 4);
            rows.endUpdate(lsn);
        }
        assertThat(read(0, ROW)).isEqualTo(4);
    }

    @Test
    void undoneUpdateLeavesTheRowsOfTheOneBeforeAndIsNotPending() throws IOException {
        SharedUpdatePage rows = pool.newSharedUpdatePage().fix(file.id(0));
        rows.beginUpdate();
        rows.putLong(ROW, 3);
        assertThatIllegalStateException().isThrownBy(rows::close).withMessageContaining("undone");
        log.append();

        rows.fix(file.id(0));
        rows.beginUpdate();
        long first = log.append();
        rows.putLong(ROW, 1);
        rows.endUpdate(first);
        rows.beginUpdate();
        rows.putLong(ROW + 8, 2);
        assertThatIllegalStateException().isThrownBy(rows::close).withMessageContaining("undone");

        assertThat(read(0, ROW)).as("the row of the update that has ended").isEqualTo(1);
        assertThat(read(0, ROW + 8)).as("the row of the update that was undone").isZero();
        assertThat(pool.checkpoint())
                .as("the first LSN of the page, which is known since no update of it is pending")
                .isEqualTo(first);
    }

    // --- other modes -------------------------------------------------------------------------------------------------

    @Test
    void updateModeIsExclusiveOnSuchPages() throws IOException {
        PageGuard guard = pool.newGuard();
        try (SharedUpdatePage rows = pool.fixForSharedUpdate(file.id(0))) {
            assertThat(rows.isShared()).isTrue();
            assertThat(guard.tryFixUpgradable(file.id(0))).isFalse();
            assertThat(guard.tryFix(file.id(0))).isTrue();
            guard.close();
        }
        try (PageGuard update = pool.fixUpgradable(file.id(0))) {
            assertThat(update.mode()).isEqualTo(LatchMode.EXCLUSIVE);
            assertThat(pool.newSharedUpdatePage().tryFix(file.id(0))).isFalse();
            assertThat(guard.tryFix(file.id(0))).isFalse();
            try (WritablePage page = update.upgrade()) {
                page.beginUpdate();
                page.putLong(ROW, 3);
                page.endUpdate(log.append());
            }
        }
        assertThat(read(0, ROW)).isEqualTo(3);
        try (PageGuard update = pool.fixUpgradable(plain.id(0))) {
            assertThat(update.mode()).isEqualTo(LatchMode.UPGRADABLE);
            assertThat(guard.tryFix(plain.id(0))).isTrue();
            guard.close();
        }
    }

    @Test
    void pageOfAnotherKindIsLatchedExclusively() throws IOException {
        SharedUpdatePage rows = pool.fixForSharedUpdate(plain.id(0));
        assertThat(rows.isShared()).isFalse();
        assertThat(pool.newGuard().tryFix(plain.id(0))).isFalse();
        rows.beginUpdate();
        long lsn = log.append();
        rows.putInt(ROW, 1);
        rows.endUpdate(lsn);
        assertThat(rows.getLong(LSN)).isEqualTo(lsn);
        rows.beginUpdate();
        rows.putInt(ROW, 2);
        assertThatIllegalStateException().isThrownBy(rows::close).withMessageContaining("undone");
        assertThat(readId(plain.id(0), ROW)).isEqualTo(1L << 32);
        pool.flush();
        assertThat(plainStore.longAt(0, ROW)).isEqualTo(1L << 32);
        assertThat(rows.tryFix(plain.id(0))).isTrue();
        rows.close();
    }

    @Test
    void optimisticReadStaysValidWhileRowsChangeAndWhileThePageIsWritten() throws IOException {
        put(0, ROW, 1);
        OptimisticPage reader = pool.newOptimisticPage();
        reader.read(file.id(0));
        assertThat(reader.getLong(ROW)).isEqualTo(1);
        put(0, ROW, 2);
        assertThat(reader.getLong(ROW)).isEqualTo(2);
        pool.flush();
        assertThat(reader.validateAndRelease()).isTrue();
        reader.close();
    }

    @Test
    void engineThatCannotTellWhetherAFileIsSharedOpensItLater() throws IOException {
        EventLog.Recorded third = log.store("c", PAGE_BYTES, 1);
        predicateFailure = new IllegalArgumentException("injected");

        assertThatThrownBy(() -> pool.open(3, third)).isSameAs(predicateFailure);

        predicateFailure = null;
        pool.fix(pool.open(3, third).id(0)).close();
    }

    @Test
    void engineThatCannotTellWhetherAFileIsSharedLeavesNoFileBehind(@TempDir Path folder) {
        Path path = folder.resolve("pages.db");
        predicateFailure = new IllegalArgumentException("injected");

        assertThatThrownBy(() -> pool.open(3, path, FileOption.CREATE)).isSameAs(predicateFailure);

        assertThat(path).doesNotExist();
    }

    @Test
    void engineIsAskedOnceForEachFile() throws IOException {
        predicateFailure = new IllegalArgumentException("asked again");

        put(0, ROW, 1);
        pool.fixUpgradable(file.id(0)).close();
        pool.flush();

        assertThat(store.longAt(0, ROW)).isEqualTo(1);
    }

    @Test
    void readOfSuchAPageIsNotPromotedToWrite() throws IOException {
        OptimisticPage reader = pool.newOptimisticPage();
        reader.read(file.id(0));
        put(0, ROW, 2);
        assertThatIllegalStateException()
                .isThrownBy(() -> reader.promote(pool.newWritablePage()))
                .withMessageContaining("may have changed");
        reader.close();
        pool.fix(plain.id(0)).close();
        reader.read(plain.id(0));
        try (WritablePage page = pool.newWritablePage()) {
            assertThat(reader.promote(page)).isTrue();
        }
    }

    // --- writing -----------------------------------------------------------------------------------------------------

    @Test
    void pageIsCopiedBetweenUpdatesOnly() throws Exception {
        Workers.Worker<Void> flush;
        long lsn;
        try (SharedUpdatePage rows = pool.fixForSharedUpdate(file.id(0))) {
            rows.beginUpdate();
            lsn = log.append();
            flush = workers.run(() -> pool.flush());
            flush.awaitParked();
            assertThat(log.events).isEmpty();
            rows.putLong(ROW, 7);
            rows.endUpdate(lsn);
        }
        flush.result();
        assertThat(log.events).containsExactly("log " + lsn, "a 0");
        assertThat(store.longAt(0, ROW)).isEqualTo(7);
        assertThat(store.longAt(0, LSN)).isEqualTo(lsn);
    }

    @Test
    void rowsChangeWhileTheCopyIsWritten() throws Exception {
        put(0, ROW, 1);
        Gate writing = new Gate();
        store.before = page -> writing.pass();
        Workers.Worker<Void> flush = workers.run(() -> pool.flush());
        writing.awaitReached();
        put(0, ROW, 2);
        writing.open();
        flush.result();
        store.before = page -> {};

        assertThat(store.longAt(0, ROW)).isEqualTo(1);
        pool.flush();
        assertThat(store.longAt(0, ROW)).isEqualTo(2);
    }

    @Test
    void logIsDurableUpToTheLastUpdateWhereThePoolDoesNotStoreLsns() throws IOException {
        pool.closeWithoutWriting();
        store = log.store("b", PAGE_BYTES, PAGES);
        pool = builder().build();
        file = pool.open(1, store);
        put(0, ROW, 1);
        long lsn = put(0, ROW, 2);
        pool.flush();
        assertThat(log.events).containsExactly("log " + lsn, "b 0");
    }

    @Test
    void logIsDurableUpToTheLastUpdateEvenIfTheLsnInThePageIsOverwritten() throws IOException {
        long lsn = put(0, ROW, 1);
        log.append();
        try (WritablePage page = pool.fixExclusive(file.id(0))) {
            page.beginUpdate();
            page.fill(0, PAGE_BYTES, (byte) 0);
            page.endUnloggedUpdate();
        }
        pool.flush();
        assertThat(log.events).containsExactly("log " + lsn, "a 0");
    }

    @Test
    void laterUpdateWithALesserLsnLeavesTheGreaterOneInThePage() throws IOException {
        while (log.append() < 300) {
            // the records of other pages
        }
        for (long id : new long[] {file.id(0), plain.id(0)}) {
            try (SharedUpdatePage rows = pool.fixForSharedUpdate(id)) {
                rows.beginUpdate();
                rows.endUpdate(300);
                rows.beginUpdate();
                rows.endUpdate(200);
            }
            assertThat(readId(id, LSN)).as("the LSN in page %d", id).isEqualTo(300);
            try (WritablePage whole = pool.fixExclusive(id)) {
                whole.beginRedo(250);
                whole.endUpdate(250);
            }
            assertThat(readId(id, LSN)).as("the LSN in page %d", id).isEqualTo(300);
        }
    }

    @Test
    void failedWriteKeepsTheFirstLsn() throws IOException {
        long first = put(0, ROW, 1);
        store.writeFailure = new IOException("injected");
        assertThatThrownBy(() -> pool.flush()).hasMessageContaining("injected");
        put(0, ROW, 2);
        store.writeFailure = null;
        assertThat(pool.checkpoint()).isEqualTo(first);
        pool.flush();
        assertThat(pool.checkpoint()).isEqualTo(log.end());
    }

    // --- checkpoints -------------------------------------------------------------------------------------------------

    @Test
    void checkpointWaitsForTheLsnOfAnUpdateThatHasBegun() throws Exception {
        put(1, ROW, 1);
        pool.flush();
        try (SharedUpdatePage rows = pool.fixForSharedUpdate(file.id(0))) {
            rows.beginUpdate();
            long lsn = log.append();
            long later = log.append();
            Workers.Worker<Long> checkpoint = workers.start(() -> pool.checkpoint());
            checkpoint.awaitParkedOrDone();
            rows.putLong(ROW, 7);
            rows.endUpdate(lsn);
            assertThat(checkpoint.result()).isEqualTo(lsn).isLessThan(later);
        }
    }

    @Test
    void checkpointGoesBackToTheFirstOfSeveralRecordsOfAnUpdate() throws Exception {
        long first;
        try (SharedUpdatePage rows = pool.fixForSharedUpdate(file.id(0))) {
            rows.beginUpdate();
            first = log.append();
            long begin = first;
            long last = log.append();
            rows.putLong(ROW, 7);
            assertThatIllegalArgumentException().isThrownBy(() -> rows.endUpdate(last, begin));
            rows.endUpdate(first, last);
            assertThat(rows.getLong(LSN)).isEqualTo(last);
        }
        assertThat(pool.checkpoint()).isEqualTo(first);
    }

    @Test
    void checkpointDoesWithoutAnUpdateThatDoesNotEnd() throws Exception {
        long begin = log.end();
        SharedUpdatePage rows = pool.fixForSharedUpdate(file.id(0));
        rows.beginUpdate();
        log.append();
        assertThat(pool.checkpoint()).isEqualTo(begin);
        assertThatIllegalStateException().isThrownBy(rows::close);
    }

    @Test
    void checkpointGoesNotBackBeforeTheLogForAnUpdateWithoutARecord() throws Exception {
        long begin = log.end();
        try (SharedUpdatePage rows = pool.fixForSharedUpdate(file.id(0))) {
            rows.beginUpdate();
            rows.putLong(ROW, 1);
            rows.endUnloggedUpdate();
        }
        assertThat(pool.checkpoint()).isEqualTo(begin);
        log.append();
        put(0, ROW, 2);
        assertThat(pool.checkpoint()).isEqualTo(begin);
        pool.flush(); // the page, whose next update is the first of a new context
        long first = put(0, ROW, 3);
        assertThat(pool.checkpoint()).isEqualTo(first);
    }

    @Test
    void checkpointOfADirtyPageDoesNotWaitForMoreUpdates() throws Exception {
        long first = put(0, ROW, 1);
        SharedUpdatePage rows = pool.fixForSharedUpdate(file.id(0));
        rows.beginUpdate();
        log.append();
        assertThat(pool.checkpoint()).isEqualTo(first);
        assertThatIllegalStateException().isThrownBy(rows::close);
    }

    // --- LSNs of ten bytes -------------------------------------------------------------------------------------------

    @Test
    void lsnOfTenBytesIsRaisedAndReadWithoutItsNeighbours() throws IOException {
        int offset = 16;
        put(0, offset + 8, 0xFFFF_FFFFL);
        try (SharedUpdatePage rows = pool.fixForSharedUpdate(file.id(0))) {
            rows.beginUpdate();
            rows.raisePageLsn(offset, WideLsn.of(3, 5, 7));
            rows.raisePageLsn(offset, WideLsn.of(3, 5, 6));
            assertThat(rows.getWideLsn(offset)).isEqualTo(WideLsn.of(3, 5, 7)).hasToString("3:5:7");
            rows.raisePageLsn(offset, WideLsn.of(3, 5, 32_767));
            rows.raisePageLsn(offset, WideLsn.of(2, 9, 1));
            rows.raisePageLsn(offset, WideLsn.of(0xFFFF_FFFFL, 0, 0));
            rows.raisePageLsn(offset, WideLsn.of(4, 0, 1));
            rows.endUpdate(log.append());
        }
        try (PageGuard guard = pool.fix(file.id(0))) {
            assertThat(guard.getWideLsn(offset)).isEqualTo(WideLsn.of(0xFFFF_FFFFL, 0, 0));
            assertThat(guard.getInt(offset + 12)).isEqualTo(-1);
            assertThatIllegalArgumentException().isThrownBy(() -> guard.getWideLsn(12));
        }
        OptimisticPage reader = pool.newOptimisticPage();
        reader.read(file.id(0));
        assertThatIllegalStateException().isThrownBy(() -> reader.getWideLsn(offset));
        reader.close();
    }

    @Test
    void lsnOfTenBytesIsWrittenByRedo() throws IOException {
        WideLsn lsn = WideLsn.of(1, 2, 3);
        try (WritablePage page = pool.fixExclusive(file.id(0))) {
            page.beginUpdate();
            page.putWideLsn(16, lsn);
            assertThatIllegalArgumentException().isThrownBy(() -> page.putWideLsn(12, lsn));
            page.endUpdate(log.append());
            assertThat(page.getWideLsn(16)).isEqualTo(lsn).isGreaterThan(WideLsn.ZERO);
        }
        assertThatIllegalArgumentException().isThrownBy(() -> WideLsn.of(1, 1, 32_768));
        assertThatIllegalArgumentException().isThrownBy(() -> WideLsn.of(-1, 1, 1));
    }

    // --- costs -------------------------------------------------------------------------------------------------------

    @Test
    @Tag("nightly")
    void updatesAllocateNothingAfterTheFirstOfAPage() throws Exception {
        SharedUpdatePage rows = pool.newSharedUpdatePage();
        Workers.Work updates = () -> {
            for (int i = 0; i < 10_000; i++) {
                rows.fix(file.id(0));
                rows.beginUpdate();
                long lsn = log.append();
                rows.putLong(ROW, i);
                rows.raisePageLsn(16, lsn);
                rows.endUpdate(lsn);
                rows.close();
            }
        };
        updates.run();
        assertThat(Allocations.ofEachRun(updates)).isLessThan(2_000);
    }
}
