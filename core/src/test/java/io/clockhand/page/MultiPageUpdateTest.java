// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.page;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.clockhand.PoolFailedException;
import io.clockhand.testing.Pools;
import io.clockhand.testing.Workers;
import java.io.IOException;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Updates of several pages: all of them change, or none. No flusher runs. */
class MultiPageUpdateTest {
    private static final int PAGE_BYTES = 512;
    private static final int LSN = 8;
    private static final int VALUE = 16;

    @RegisterExtension
    private final Workers workers = new Workers();

    private final EventLog log = new EventLog();
    private EventLog.Recorded store;
    private BufferPool pool;
    private PagedFile file;
    private WritablePage left;
    private WritablePage right;

    @BeforeEach
    void open() throws IOException {
        store = log.store("a", PAGE_BYTES, 4);
        pool = builder().build();
        file = pool.open(1, store);
        left = pool.fixExclusive(file.id(0));
        right = pool.fixExclusive(file.id(1));
    }

    private BufferPoolBuilder builder() {
        return Pools.builder()
                .pageBytes(PAGE_BYTES)
                .frames(8)
                .log(log)
                .lsnOffset(LSN)
                .waitTimeout(Duration.ofMillis(200))
                .tuning(t -> t.flushThreads(0));
    }

    @AfterEach
    void check() throws IOException {
        pool.checkIntegrity();
        assertThat(pool.stats().pinned()).isZero();
        pool.closeWithoutWriting();
    }

    private void closePages() {
        right.close();
        left.close();
    }

    private long value(long page) throws IOException {
        try (PageGuard guard = pool.fix(file.id(page))) {
            return guard.getLong(VALUE);
        }
    }

    private void change(long value) {
        left.putLong(VALUE, value);
        right.putLong(VALUE, value);
    }

    // --- its end -----------------------------------------------------------------------------------------------------

    @Test
    void allPagesGetTheLsnOfTheirUpdate() throws IOException {
        long lsn;
        try (MultiPageUpdate update = pool.beginUpdate(left, right)) {
            lsn = log.append();
            change(7);
            update.endUpdate(lsn);
        }
        assertThat(left.getLong(LSN)).isEqualTo(lsn);
        assertThat(right.getLong(LSN)).isEqualTo(lsn);
        closePages();
        assertThat(value(0)).isEqualTo(7);
        assertThat(value(1)).isEqualTo(7);
        pool.flush();
        assertThat(log.events).containsExactly("log " + lsn, "a 0 to 1");
    }

    @Test
    void pagesAreAddedAndCreatedWhileTheUpdateRuns() throws IOException {
        long created;
        try (MultiPageUpdate split = pool.beginUpdate(left);
                WritablePage page = split.create(file)) {
            split.add(right);
            created = page.id();
            long lsn = log.append();
            change(7);
            page.putLong(VALUE, 8);
            split.endUpdate(lsn);
            assertThat(page.getLong(LSN)).isEqualTo(lsn);
        }
        closePages();
        assertThat(created).isEqualTo(file.id(4));
        assertThat(value(4)).isEqualTo(8);
        assertThat(value(1)).isEqualTo(7);
    }

    @Test
    void pageThatHasAGreaterLsnKeepsIt() {
        left.beginUpdate();
        left.putLong(LSN, 1_000);
        left.endUpdate(log.append());
        try (MultiPageUpdate update = pool.beginUpdate(left, right)) {
            update.endUpdate(log.append());
        }
        assertThat(left.getLong(LSN)).isEqualTo(1_000);
        assertThat(right.getLong(LSN)).isEqualTo(110);
        closePages();
    }

    @Test
    void engineWithoutALogEndsAnUpdateWithoutALsn() throws IOException {
        try (BufferPool plain = Pools.builder().pageBytes(PAGE_BYTES).frames(4).build()) {
            PagedFile logless = plain.open(1, log.store("b", PAGE_BYTES, 1));
            try (WritablePage page = plain.fixExclusive(logless.id(0));
                    MultiPageUpdate update = plain.beginUpdate(page)) {
                page.putLong(VALUE, 3);
                update.endUnloggedUpdate();
            }
            try (PageGuard page = plain.fix(logless.id(0))) {
                assertThat(page.getLong(VALUE)).isEqualTo(3);
            }
        }
        closePages();
    }

    @Test
    void afterAnEndThePagesBelongToNoUpdate() {
        try (MultiPageUpdate first = pool.beginUpdate(left, right)) {
            first.endUpdate(log.append());
            assertThatIllegalStateException()
                    .isThrownBy(() -> first.endUpdate(120))
                    .withMessageContaining("has ended");
            assertThatIllegalStateException().isThrownBy(first::cancelUpdate).withMessageContaining("has ended");
            assertThatIllegalStateException().isThrownBy(() -> first.add(left)).withMessageContaining("has ended");
            assertThatIllegalStateException()
                    .isThrownBy(() -> left.putLong(VALUE, 1))
                    .withMessageContaining("in an update only");
            try (MultiPageUpdate second = pool.beginUpdate(left, right)) {
                change(4);
                second.endUpdate(log.append());
            }
        }
        assertThat(left.getLong(VALUE)).isEqualTo(4);
        left.beginUpdate();
        left.putLong(VALUE, 5);
        left.endUpdate(log.append());
        closePages();
    }

    // --- undone ------------------------------------------------------------------------------------------------------

    @Test
    void cancelUndoesAllPagesWhichStayFixed() throws IOException {
        MultiPageUpdate update = pool.beginUpdate(left, right);
        change(7);
        update.cancelUpdate();
        assertThat(left.getLong(VALUE)).isZero();
        assertThat(right.getLong(VALUE)).isZero();
        assertThatIllegalStateException()
                .isThrownBy(() -> update.endUpdate(log.append()))
                .withMessageContaining("cancelled");
        assertThatIllegalStateException().isThrownBy(update::cancelUpdate).withMessageContaining("cancelled");
        update.close();
        closePages();
        assertThat(value(0)).isZero();
        assertThat(value(1)).isZero();
    }

    @Test
    void failedAppendUndoesAllPagesAndItsExceptionIsTheOneThatIsSeen() throws IOException {
        IOException full = new IOException("the log is full");
        assertThatThrownBy(() -> {
                    try (MultiPageUpdate split = pool.beginUpdate(left, right);
                            WritablePage created = split.create(file)) {
                        change(7);
                        created.putLong(VALUE, 7);
                        throw full;
                    }
                })
                .isSameAs(full)
                .hasNoSuppressedExceptions();
        closePages();
        assertThat(value(0)).isZero();
        assertThat(value(1)).isZero();
        assertThat(value(4)).as("stays in the file as a page of zeros").isZero();
        assertThat(file.pages()).isEqualTo(5);
    }

    /** As an engine closes its pages in finally blocks: the close of one must not hide why, nor keep the others. */
    @Test
    void closeOfAPageBeforeTheEndUndoesAllPages() throws IOException {
        IOException full = new IOException("the log is full");
        MultiPageUpdate[] update = new MultiPageUpdate[1];
        assertThatThrownBy(() -> {
                    update[0] = pool.beginUpdate(left, right);
                    try {
                        change(7);
                        throw full;
                    } finally {
                        left.close();
                        right.close();
                    }
                })
                .isSameAs(full);
        assertThatIllegalStateException()
                .isThrownBy(() -> update[0].endUpdate(log.append()))
                .withMessageContaining("one of its pages was closed");
        assertThat(value(0)).isZero();
        assertThat(value(1)).isZero();
    }

    @Test
    void afterTheCloseOfAPageTheOthersCannotBeChanged() throws IOException {
        try (MultiPageUpdate update = pool.beginUpdate(left, right)) {
            change(7);
            left.close();
            assertThat(right.getLong(VALUE)).isZero();
            assertThatIllegalStateException()
                    .isThrownBy(() -> right.putLong(VALUE, 8))
                    .withMessageContaining("in an update only");
            assertThatIllegalStateException()
                    .isThrownBy(() -> update.add(right))
                    .withMessageContaining("was closed");
        }
        right.close();
    }

    @Test
    void readersSeeNothingOfAnUpdateThatIsUndone() throws Exception {
        MultiPageUpdate update = pool.beginUpdate(left, right);
        change(7);
        Workers.Worker<Long> reader = workers.start(() -> value(1));
        reader.awaitParked();
        left.close();
        right.close();
        update.close();
        assertThat(reader.result()).isZero();
    }

    // --- refused -----------------------------------------------------------------------------------------------------

    @Test
    void recordFromBeforeAPageWasAddedIsRefused() {
        try (MultiPageUpdate update = pool.beginUpdate(left)) {
            long early = log.append();
            update.add(right);
            change(7);
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> update.endUpdate(early))
                    .withMessageContaining("was appended before")
                    .withMessageContaining("page 1 of a");
            update.endUpdate(log.append());
        }
        assertThat(right.getLong(VALUE)).isEqualTo(7);
        closePages();
    }

    @Test
    void numberThatIsTheLsnOfNoRecordIsRefusedAndTheUpdateGoesOn() {
        try (MultiPageUpdate update = pool.beginUpdate(left, right)) {
            change(7);
            for (long lsn : new long[] {-1, Long.MAX_VALUE, 1_000}) {
                assertThatIllegalArgumentException().isThrownBy(() -> update.endUpdate(lsn));
            }
            update.endUpdate(log.append());
        }
        assertThat(left.getLong(VALUE)).isEqualTo(7);
        closePages();
    }

    @Test
    void pageIsInOneUpdateAtATime() {
        try (MultiPageUpdate update = pool.beginUpdate(left)) {
            assertThatIllegalStateException().isThrownBy(() -> update.add(left)).withMessageContaining("already");
            assertThatIllegalStateException().isThrownBy(left::beginUpdate).withMessageContaining("already");
            assertThatIllegalStateException().isThrownBy(left::downgrade).withMessageContaining("in an update");
            assertThatIllegalStateException()
                    .isThrownBy(() -> left.endUpdate(log.append()))
                    .withMessageContaining("several pages");
            assertThatIllegalStateException().isThrownBy(left::cancelUpdate).withMessageContaining("several pages");
            right.beginUpdate();
            assertThatIllegalStateException().isThrownBy(() -> pool.beginUpdate(right));
            right.cancelUpdate();
            left.putLong(VALUE, 3);
            update.endUpdate(log.append());
        }
        assertThat(left.getLong(VALUE)).isEqualTo(3);
        closePages();
    }

    @Test
    void beginThatIsRefusedForOnePageLeavesTheOthersInNoUpdate() {
        right.beginUpdate();
        assertThatIllegalStateException().isThrownBy(() -> pool.beginUpdate(left, right));
        assertThatIllegalStateException()
                .isThrownBy(() -> left.putLong(VALUE, 1))
                .withMessageContaining("in an update only");
        right.endUpdate(log.append());
        closePages();
    }

    @Test
    void pageOfAnotherPoolIsRefused() throws IOException {
        try (BufferPool another = builder().build()) {
            PagedFile foreign = another.open(1, log.store("b", PAGE_BYTES, 1));
            try (MultiPageUpdate update = pool.beginUpdate(left);
                    WritablePage page = another.fixExclusive(foreign.id(0))) {
                assertThatIllegalArgumentException().isThrownBy(() -> update.add(page));
                assertThatIllegalArgumentException().isThrownBy(() -> update.create(foreign));
                page.beginUpdate(); // it is in none
                page.cancelUpdate();
            }
        }
        closePages();
    }

    @Test
    void otherThreadIsRefused() throws Exception {
        try (MultiPageUpdate update = pool.beginUpdate(left, right)) {
            change(7);
            long lsn = log.append();
            workers.start(() -> {
                        try (WritablePage page = pool.fixExclusive(file.id(2))) {
                            assertThatIllegalStateException()
                                    .isThrownBy(() -> update.add(page))
                                    .withMessageContaining("another thread");
                        }
                        assertThatIllegalStateException().isThrownBy(() -> update.create(file));
                        assertThatIllegalStateException().isThrownBy(() -> update.endUpdate(lsn));
                        assertThatIllegalStateException().isThrownBy(update::cancelUpdate);
                        assertThatIllegalStateException().isThrownBy(update::close);
                        return null;
                    })
                    .result();
            update.endUpdate(lsn);
        }
        assertThat(right.getLong(VALUE)).isEqualTo(7);
        closePages();
    }

    /** A record that the page added last may lack could lie before a checkpoint that has seen that page clean. */
    @Test
    void firstOfSeveralRecordsFromBeforeAPageWasAddedIsRefused() {
        try (MultiPageUpdate update = pool.beginUpdate(left)) {
            long early = log.append();
            update.add(right);
            long first = log.append();
            long last = log.append();
            change(7);
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> update.endUpdate(early, last))
                    .withMessageContaining("was appended before");
            assertThatIllegalArgumentException().isThrownBy(() -> update.endUpdate(last, first));
            update.endUpdate(first, last);
            assertThat(left.getLong(LSN)).isEqualTo(last);
        }
        closePages();
    }

    @Test
    void changesThatNoRecordDescribesNeedNoLsn() throws IOException {
        try (MultiPageUpdate update = pool.beginUpdate(left, right)) {
            change(7);
            update.endUnloggedUpdate();
        }
        closePages();
        assertThat(value(1)).isEqualTo(7);
    }

    @Test
    void logThatThrowsAsAPageIsAddedLeavesThePageInNoUpdate() throws IOException {
        IllegalStateException broken = new IllegalStateException("the log is closed");
        try (MultiPageUpdate update = pool.beginUpdate(left)) {
            log.endFailure = broken;
            assertThatThrownBy(() -> update.add(right)).isSameAs(broken);
            assertThatThrownBy(() -> pool.beginUpdate(right)).isSameAs(broken);
            assertThatThrownBy(() -> update.create(file)).isSameAs(broken);
            log.endFailure = null;
            left.putLong(VALUE, 7);
            assertThatIllegalStateException().isThrownBy(() -> right.putLong(VALUE, 7));
            assertThatCode(() -> update.endUpdate(log.append())).doesNotThrowAnyException();
        }
        closePages();
        assertThat(value(0)).isEqualTo(7);
        assertThat(value(1)).isZero();
    }

    @Test
    void poolThatIsClosedDuringAnUpdateLeavesItToBeUndone() throws IOException {
        MultiPageUpdate update = pool.beginUpdate(left, right);
        change(7);
        long lsn = log.append();
        assertThatIllegalStateException().isThrownBy(pool::closeWithoutWriting).withMessageContaining("guards open");
        assertThatIllegalStateException()
                .isThrownBy(() -> update.endUpdate(lsn))
                .withMessageContaining("closed");
        update.close();
        closePages();
        pool = builder().build(); // for the check at the end
        assertThat(log.events).noneMatch(event -> event.startsWith("a "));
    }

    @Test
    void updateOfAPoolThatHasFailedIsUndone() {
        MultiPageUpdate update = pool.beginUpdate(left, right);
        change(7);
        long lsn = log.append();
        pool.fail(new IOException("planned"));
        assertThatThrownBy(() -> update.endUpdate(lsn)).isInstanceOf(PoolFailedException.class);
        update.close();
        assertThat(left.getLong(VALUE)).isZero();
        closePages();
    }

    // --- checkpoints -------------------------------------------------------------------------------------------------

    @Test
    void checkpointDoesNotGoPastTheRecordWhileAPageIsNotWritten() throws IOException {
        long lsn;
        try (MultiPageUpdate update = pool.beginUpdate(left, right)) {
            lsn = log.append();
            change(7);
            assertThat(pool.checkpoint()).isEqualTo(lsn);
            update.endUpdate(lsn);
        }
        left.close();
        log.append();
        Throwable waited = catchThrowable(pool::flush); // the other page is latched
        assertThat(waited).hasMessageContaining("page 1 of a");
        assertThat(pool.checkpoint()).isEqualTo(lsn);
        right.close();
        assertThat(pool.sync()).isEqualTo(log.end());
        assertThat(store.longAt(1, VALUE)).isEqualTo(7);
        assertThat(log.events).last().isEqualTo("a forced");
    }

    // --- redo --------------------------------------------------------------------------------------------------------

    @Test
    void redoMakesAChangeThatThePageLacksAndNoOther() {
        long first = log.append();
        long second = log.append();
        assertThat(left.redo(second, page -> page.putLong(VALUE, 2))).isTrue();
        assertThat(left.redo(first, page -> page.putLong(VALUE, 1))).isFalse();
        assertThat(left.redo(second, page -> page.putLong(VALUE, 3))).isFalse();
        assertThat(left.getLong(VALUE)).isEqualTo(2);
        assertThat(left.getLong(LSN)).isEqualTo(second);
        closePages();
    }

    @Test
    void pageIsWrittenAgainAlthoughItHasTheChange() throws IOException {
        long lsn = log.append();
        left.redo(lsn, page -> page.putLong(VALUE, 2));
        closePages();
        pool.flush();
        assertThat(pool.dirtyPages()).isZero();
        try (WritablePage page = pool.fixExclusive(file.id(0))) {
            assertThat(page.redo(lsn, changed -> changed.putLong(VALUE, 3))).isFalse();
        }
        assertThat(pool.dirtyPages()).isEqualTo(1);
        assertThat(pool.checkpoint()).isEqualTo(lsn);
    }

    @Test
    void redoWhoseChangeThrowsLeavesThePageAsItWas() {
        long lsn = log.append();
        IOException bad = new IOException("the record is bad");
        assertThatThrownBy(() -> left.redo(lsn, page -> {
                    page.putLong(VALUE, 2);
                    throw bad;
                }))
                .isSameAs(bad);
        assertThat(left.getLong(VALUE)).isZero();
        assertThat(left.getLong(LSN)).isZero();
        assertThat(left.redo(lsn, page -> page.putLong(VALUE, 2))).isTrue();
        closePages();
    }

    @Test
    void redoIsRefusedForARecordThatTheLogDoesNotHaveAndWithoutLsnsInPages() throws IOException {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> left.redo(5_000, page -> page.putLong(VALUE, 2)))
                .withMessageContaining("behind the end of the log");
        assertThatIllegalArgumentException().isThrownBy(() -> left.redo(-1, page -> {}));
        try (BufferPool plain = Pools.builder().pageBytes(PAGE_BYTES).frames(4).build()) {
            PagedFile other = plain.open(1, log.store("b", PAGE_BYTES, 1));
            try (WritablePage page = plain.fixExclusive(other.id(0))) {
                assertThatIllegalStateException()
                        .isThrownBy(() -> page.redo(5, changed -> {}))
                        .withMessageContaining("lsnOffset");
            }
        }
        closePages();
    }
}
