// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.io;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.clockhand.testing.Workers;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A store with a journal: the calls that it makes, failures of both stores, and the life of the journal's file. */
class DoubleWriteFailuresTest {
    private static final int PAGE_BYTES = 512;
    private static final int JOURNAL_PAGES = 6;

    private final MemoryPageStore pagesInMemory = new MemoryPageStore("orders.db", PAGE_BYTES);
    private final MemoryPageStore journalInMemory = new MemoryPageStore("orders.journal", PAGE_BYTES);
    private final FailingStore pages = new FailingStore(pagesInMemory);
    private final FailingStore journal = new FailingStore(journalInMemory);

    @TempDir
    private Path folder;

    @RegisterExtension
    private final Workers workers = new Workers();

    private DoubleWritePageStore open() throws IOException {
        return DoubleWritePageStore.open(pages, journal, JOURNAL_PAGES);
    }

    private static ByteBuffer run(int count, int value) {
        ByteBuffer run = ByteBuffer.allocateDirect(count * PAGE_BYTES);
        while (run.hasRemaining()) {
            run.put((byte) (value + run.position() / PAGE_BYTES));
        }
        return run.flip();
    }

    private static void assertHolds(PageStore store, int first, int count, int value) throws IOException {
        for (int i = 0; i < count; i++) {
            ByteBuffer page = ByteBuffer.allocateDirect(PAGE_BYTES);
            store.read(first + i, page);
            assertThat(page.flip()).as("page %d", first + i).isEqualTo(run(1, value + i));
        }
    }

    @Test
    void runIsOneBatchWithOneForceOfTheJournalAndNoneOfTheStore() throws IOException {
        PageStore store = open();
        int journalWrites = journal.writes;
        int journalForces = journal.forces;
        int forces = pages.forces;

        store.writeRun(2, run(4, 7));

        assertThat(journal.writes - journalWrites)
                .as("a header and a run of images")
                .isEqualTo(2);
        assertThat(journal.forces - journalForces).isOne();
        assertThat(pages.writes).isOne();
        assertThat(pages.forces).isEqualTo(forces);
        assertHolds(store, 2, 4, 7);
    }

    @Test
    void storeIsForcedOnlyWhenTheJournalIsFull() throws IOException {
        PageStore store = open();
        for (int batch = 0; batch < 2; batch++) {
            store.write(batch, run(1, batch));
        }
        assertThat(pages.forces)
                .as("two batches of two pages fit behind the beginning")
                .isZero();

        store.write(2, run(1, 2));
        assertThat(pages.forces).isOne();
        assertThat(journal.pages()).isEqualTo(JOURNAL_PAGES);
    }

    @Test
    void runThatIsLongerThanTheJournalExtendsIt() throws IOException {
        PageStore store = open();
        store.writeRun(0, run(20, 1));
        store.writeRun(0, run(20, 2));

        assertHolds(store, 0, 20, 2);
        assertThat(journal.pages()).isEqualTo(22);
        DoubleWritePageStore again = crashed();
        assertThat(again.restoredPages()).isEqualTo(20);
        assertHolds(again, 0, 20, 2);
    }

    /** The stores as a crash of the process leaves them, which loses no bytes. */
    private DoubleWritePageStore crashed() throws IOException {
        return DoubleWritePageStore.open(copy(pagesInMemory), copy(journalInMemory), JOURNAL_PAGES);
    }

    private static MemoryPageStore copy(MemoryPageStore store) throws IOException {
        MemoryPageStore copy = new MemoryPageStore(store.name(), PAGE_BYTES);
        copy.extend(store.pages());
        ByteBuffer page = ByteBuffer.allocate(PAGE_BYTES);
        for (long number = 0; number < store.pages(); number++) {
            store.read(number, page.clear());
            copy.write(number, page.flip());
        }
        return copy;
    }

    @Test
    void failedJournalLeavesThePagesInPlaceAndIsNamed() throws IOException {
        PageStore store = open();
        store.writeRun(0, run(3, 1));
        int writes = pages.writes;
        for (int journalWrites = 0; journalWrites < 2; journalWrites++) {
            journal.failWritesAfter(journalWrites);
            assertThatThrownBy(() -> store.writeRun(0, run(3, 50)))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("cannot write pages 0 to 2 of orders.db, which stay as they were")
                    .hasMessageContaining("the journal orders.journal cannot take its images")
                    .hasMessageContaining("No space left");
            journal.succeed();
        }
        journal.failForcesAfter(0);
        assertThatThrownBy(() -> store.write(1, run(1, 50)))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("cannot write page 1 of orders.db")
                .hasMessageContaining("cannot force orders.journal");

        assertThat(pages.writes).isEqualTo(writes);
        assertHolds(store, 0, 3, 1);
        journal.succeed();
        store.writeRun(0, run(3, 60));
        assertHolds(store, 0, 3, 60);
    }

    @Test
    void imagesOfAFailedWriteInPlaceAreWrittenAgainBeforeTheJournalIsCleared() throws IOException {
        PageStore store = open();
        pages.failWritesAfter(0);
        assertThatThrownBy(() -> store.writeRun(0, run(3, 1)))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("page 0 of orders.db");
        assertThat(pages.pages()).isZero();

        assertThatThrownBy(() -> store.writeRun(5, run(3, 10)))
                .as("the journal is full, and cannot be cleared")
                .isInstanceOf(IOException.class)
                .hasMessageContaining("cannot write pages 5 to 7 of orders.db")
                .hasMessageContaining(
                        "the journal orders.journal cannot take its images: cannot write page 0 of orders.db");

        pages.succeed();
        store.writeRun(5, run(3, 10));
        assertHolds(store, 0, 3, 1);
        assertHolds(store, 5, 3, 10);
    }

    @Test
    void forceAfterAFailedOneWritesTheImagesOnceMore() throws IOException {
        PageStore store = open();
        store.writeRun(0, run(3, 1));
        pages.failForcesAfter(0);
        assertThatThrownBy(store::force).isInstanceOf(IOException.class).hasMessageContaining("cannot force orders.db");
        pagesInMemory.writeRun(0, run(3, 100)); // the operating system has dropped the pages
        pages.succeed();

        store.force();

        assertHolds(store, 0, 3, 1);
        int writes = pages.writes;
        store.force();
        assertThat(pages.writes).as("once").isEqualTo(writes);
    }

    @Test
    void journalThatHasChangedIsNotUsedToRepairAndSaysSo() throws IOException {
        PageStore store = open();
        store.write(0, run(1, 1));
        store.write(1, run(1, 2));
        journalInMemory.write(4, run(1, 77));
        pages.failForcesAfter(0);
        assertThatThrownBy(store::force).isInstanceOf(IOException.class);
        pages.succeed();

        assertThatThrownBy(store::force)
                .isInstanceOf(IOException.class)
                .hasMessageContaining("only 1 of 2 batches in the journal orders.journal are valid");
        assertThatThrownBy(() -> store.write(5, run(1, 3))).isInstanceOf(IOException.class);
        assertHolds(store, 1, 1, 2);
    }

    @Test
    void batchOfWhichTheJournalHasNotAllIsIgnored() throws IOException {
        PageStore store = open();
        store.writeRun(0, run(2, 1));
        ByteBuffer torn = run(1, 1).put(100, (byte) 99);
        for (int journalPage = 1; journalPage <= 3; journalPage++) {
            MemoryPageStore broken = copy(journalInMemory);
            broken.write(journalPage, torn.clear());
            MemoryPageStore inPlace = copy(pagesInMemory);
            inPlace.writeRun(0, run(2, 30));

            DoubleWritePageStore opened = DoubleWritePageStore.open(inPlace, broken, JOURNAL_PAGES);
            assertThat(opened.restoredPages()).isZero();
            assertHolds(opened, 0, 2, 30);
        }
        assertHolds(crashed(), 0, 2, 1);
    }

    @Test
    void journalWithoutABeginningIsEmptiedSoThatItsOldBatchesNeverCount() throws IOException {
        PageStore store = open();
        store.writeRun(0, run(2, 1));
        MemoryPageStore oldPages = copy(pagesInMemory);
        MemoryPageStore oldJournal = copy(journalInMemory);
        ByteBuffer beginning = ByteBuffer.allocate(oldJournal.pageBytes());
        oldJournal.read(0, beginning);
        beginning.put(20, (byte) ~beginning.get(20)); // damaged when it was cleared
        oldJournal.write(0, beginning.flip());

        DoubleWritePageStore opened = DoubleWritePageStore.open(oldPages, oldJournal, JOURNAL_PAGES);
        assertThat(opened.restoredPages()).isZero();
        for (long page = 1; page < JOURNAL_PAGES; page++) {
            assertHolds(oldJournal, (int) page, 1, 0);
        }
    }

    @Test
    void fileThatIsNoJournalStaysAsItIs() throws IOException {
        PageStore store = open();
        store.writeRun(0, run(2, 1));
        store.force();
        MemoryPageStore pages = copy(pagesInMemory);
        long before = pages.pages();

        assertThatThrownBy(() -> DoubleWritePageStore.open(copy(journalInMemory), pages, JOURNAL_PAGES))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("is not a journal");

        assertThat(pages.pages()).isEqualTo(before);
        assertHolds(pages, 0, 1, 1);
    }

    @Test
    void truncatedPagesAreNotRestored() throws IOException {
        PageStore store = open();
        store.writeRun(0, run(3, 1));
        store.truncate(1);

        DoubleWritePageStore again = crashed();
        assertThat(again.restoredPages()).isZero();
        assertThat(again.pages()).isOne();
    }

    @Test
    void failedWriteBehindTheEndIsNotRestoredAfterATruncation() throws IOException {
        PageStore store = open();
        store.write(0, run(1, 1));
        store.truncate(1);
        journal.failForcesAfter(0); // the batch is whole all the same
        assertThatThrownBy(() -> store.write(4, run(1, 4))).isInstanceOf(IOException.class);
        journal.succeed();
        store.truncate(1);

        assertThat(crashed().pages()).isOne();
    }

    @Test
    void extensionAfterAFailedWriteBehindTheEndIsNotOverwrittenLater() throws IOException {
        PageStore store = open();
        pages.failWritesAfter(0);
        assertThatThrownBy(() -> store.write(1, run(1, 4))).isInstanceOf(IOException.class);
        pages.succeed();
        store.extend(4);
        pages.failForcesAfter(0);
        assertThatThrownBy(store::force).isInstanceOf(IOException.class);
        pages.succeed();
        int writes = pages.writes;
        store.force();

        assertThat(pages.writes)
                .as("writes with that of the run of the extension, and of no image")
                .isEqualTo(writes + 1);
        assertThat(store.pages()).isEqualTo(4);
    }

    /** Its batch may be whole in the journal nevertheless. */
    @Test
    void imageWhoseForceHasFailedIsNotRestoredOverAnExtension() throws IOException {
        PageStore store = open();
        journal.failForcesAfter(0);
        assertThatThrownBy(() -> store.write(2, run(1, 4))).isInstanceOf(IOException.class);
        journal.succeed();
        store.extend(4);
        store.force();

        assertThat(crashed().restoredPages()).as("restored pages").isZero();
    }

    @Test
    void imageThatATruncationCouldNotRemoveIsNotRestoredOverAnExtension() throws IOException {
        PageStore store = open();
        store.writeRun(0, run(2, 1));
        pages.failWritesAfter(0);
        assertThatThrownBy(() -> store.write(3, run(1, 4))).isInstanceOf(IOException.class);
        pages.succeed();
        journal.failForcesAfter(0);
        assertThatThrownBy(() -> store.truncate(2)).isInstanceOf(IOException.class);
        journal.succeed();
        store.force();
        store.extend(4);
        store.force();

        assertThat(crashed().restoredPages()).as("restored pages").isZero();
    }

    /** {@return a store that was truncated from ten pages to five; the journal has an image of page 9} */
    private PageStore truncatedWithAForceThatFailed() throws IOException {
        PageStore store = open();
        store.extend(10);
        pages.failWritesAfter(0);
        assertThatThrownBy(() -> store.write(9, run(1, 4))).isInstanceOf(IOException.class);
        pages.succeed();
        pages.failForcesAfter(0);
        assertThatThrownBy(() -> store.truncate(5)).isInstanceOf(IOException.class);
        pages.succeed();
        return store;
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void imageOfAPageThatWasCutOffIsNotWrittenOnceMoreThoughTheForceFailed(boolean isForced) throws IOException {
        PageStore store = truncatedWithAForceThatFailed();

        if (isForced) {
            store.force();
            assertThat(store.pages())
                    .as("pages after the truncation and a force")
                    .isEqualTo(5);
            assertThat(crashed().restoredPages())
                    .as("images after a force and a crash")
                    .isZero();
        }
        store.extend(10);
        assertHolds(store, 9, 1, 0);
        assertThat(crashed().restoredPages())
                .as("images after an extension and a crash")
                .isZero();
    }

    @Test
    void pageThatIsWrittenAfterATruncationWhoseForceFailedIsThereAfterACrash() throws IOException {
        PageStore store = truncatedWithAForceThatFailed();

        store.write(7, run(1, 6));
        assertThat(crashed().restoredPages())
                .as("images after a crash: not that of the page that was cut off")
                .isEqualTo(1);
    }

    @Test
    void closedStoreIsForcedAndItsJournalIsEmpty() throws IOException {
        Path file = folder.resolve("orders.db");
        Path journalFile = folder.resolve("orders.journal");
        try (PageStore store = openFiles(file, journalFile)) {
            store.writeRun(0, run(3, 1));
        }
        try (DoubleWritePageStore store = openFiles(file, journalFile)) {
            assertThat(store.restoredPages()).isZero();
            assertHolds(store, 0, 3, 1);
        }
    }

    private static DoubleWritePageStore openFiles(Path file, Path journalFile) throws IOException {
        return DoubleWritePageStore.open(
                FilePageStore.open(file, PAGE_BYTES, FileOption.CREATE),
                FilePageStore.open(journalFile, PAGE_BYTES, FileOption.CREATE));
    }

    @Test
    void storeThatCannotBeForcedIsClosedWithItsBatchesInTheJournal() throws IOException {
        PageStore store = open();
        store.writeRun(0, run(3, 1));
        MemoryPageStore oldPages = copy(pagesInMemory);
        MemoryPageStore oldJournal = copy(journalInMemory);
        pages.failForcesAfter(0);

        assertThatThrownBy(store::close).isInstanceOf(IOException.class).hasMessageContaining("cannot force orders.db");
        assertThatThrownBy(() -> pagesInMemory.read(0, run(1, 0))).hasMessageContaining("orders.db is closed");
        assertThatThrownBy(() -> journalInMemory.read(0, run(1, 0))).hasMessageContaining("orders.journal is closed");
        store.close();
        assertThat(DoubleWritePageStore.open(oldPages, oldJournal, JOURNAL_PAGES)
                        .restoredPages())
                .isEqualTo(3);
    }

    @Test
    void storeThatThrowsAnythingIsClosedWithItsJournal() throws IOException {
        for (Throwable thrown : List.of(new IllegalStateException("device"), new Error("device"))) {
            MemoryPageStore inPlace = new MemoryPageStore("orders.db", PAGE_BYTES);
            MemoryPageStore images = new MemoryPageStore("orders.journal", PAGE_BYTES);
            PageStore throwing = new ForwardingStore(inPlace) {
                @Override
                public void force() {
                    if (thrown instanceof Error e) {
                        throw e;
                    }
                    throw (RuntimeException) thrown;
                }
            };
            PageStore store = DoubleWritePageStore.open(throwing, images, JOURNAL_PAGES);
            store.write(0, run(1, 1));

            assertThatThrownBy(store::close).isSameAs(thrown);
            assertThatThrownBy(() -> inPlace.read(0, run(1, 0))).hasMessageContaining("orders.db is closed");
            assertThatThrownBy(() -> images.read(0, run(1, 0))).hasMessageContaining("orders.journal is closed");
        }
    }

    @Test
    void deletedStoreLeavesNeitherFile() throws IOException {
        Path file = folder.resolve("orders.db");
        Path journalFile = folder.resolve("orders.journal");
        PageStore store = openFiles(file, journalFile);
        store.writeRun(0, run(3, 1));
        store.delete();
        store.close();

        assertThat(file).doesNotExist();
        assertThat(journalFile).doesNotExist();
    }

    @Test
    void storeThatCannotTakeAPageIsDeletedAllTheSame() throws IOException {
        PageStore store = open();
        store.writeRun(0, run(2, 1));
        pages.failWritesAfter(0);
        assertThatThrownBy(() -> store.write(1, run(1, 7))).isInstanceOf(IOException.class);

        store.delete();

        assertThat(pages.forces)
                .as("forces of the store, which has no pages then")
                .isOne();
        assertThatThrownBy(() -> pagesInMemory.read(0, run(1, 0))).hasMessageContaining("orders.db is closed");
        assertThatThrownBy(() -> journalInMemory.read(0, run(1, 0))).hasMessageContaining("orders.journal is closed");
    }

    @Test
    void storeWhoseJournalHasChangedIsDeletedAllTheSame() throws IOException {
        PageStore store = open();
        store.write(0, run(1, 1));
        journalInMemory.write(2, run(1, 77));
        pages.failForcesAfter(0);
        assertThatThrownBy(store::delete)
                .isInstanceOf(IOException.class)
                .hasMessageContaining("cannot force orders.db");
        pages.succeed();

        store.delete();

        assertThatThrownBy(() -> pagesInMemory.read(0, run(1, 0))).hasMessageContaining("orders.db is closed");
    }

    @Test
    void restoringThatFailsNamesStoreAndJournalAndCanBeTriedAgain() throws IOException {
        PageStore store = open();
        store.writeRun(0, run(3, 1));
        MemoryPageStore inPlace = copy(pagesInMemory);
        inPlace.writeRun(0, run(3, 30));
        FailingStore fails = new FailingStore(inPlace);
        fails.failWritesAfter(1);
        MemoryPageStore oldJournal = copy(journalInMemory);

        assertThatThrownBy(() -> DoubleWritePageStore.open(fails, oldJournal, JOURNAL_PAGES))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("cannot restore pages of orders.db from the journal orders.journal")
                .hasMessageContaining("No space left");
        DoubleWritePageStore again = DoubleWritePageStore.open(copy(inPlace), copy(oldJournal), JOURNAL_PAGES);
        assertThat(again.restoredPages()).isEqualTo(3);
        assertHolds(again, 0, 3, 1);
    }

    @Test
    void threadsWriteThroughOneJournal() throws IOException {
        PageStore store = open();
        List<Workers.Worker<Void>> all = new ArrayList<>();
        for (int thread = 0; thread < 4; thread++) {
            int first = 5 * thread;
            all.add(workers.run(() -> {
                for (int value = 0; value < 200; value++) {
                    store.writeRun(first, run(1 + value % 5, value % 100));
                    assertHolds(store, first, 1 + value % 5, value % 100);
                    if (value % 50 == 0) {
                        store.force();
                    }
                }
                store.writeRun(first, run(5, 20));
            }));
        }
        all.forEach(Workers.Worker::result);
        DoubleWritePageStore again = crashed();
        for (int thread = 0; thread < 4; thread++) {
            assertHolds(again, 5 * thread, 5, 20);
        }
    }

    @Test
    void storesThatDoNotFitAreRefused() throws IOException {
        assertRefused("orders.db cannot be its own journal", pages, pages, 9);
        assertRefused("orders.journal would have 2 pages; it needs 3", pages, journal, 2);
        PageStore other = new MemoryPageStore("large.journal", 1024);
        assertRefused(
                "the pages of the journal large.journal have 1024 bytes, those of orders.db have 512", pages, other, 9);
        FilePageStore.open(folder.resolve("read.db"), PAGE_BYTES, FileOption.CREATE)
                .close();
        try (PageStore read = FilePageStore.open(folder.resolve("read.db"), PAGE_BYTES, FileOption.READ_ONLY)) {
            assertRefused("must be writable", read, journal, 9);
            assertRefused("must be writable", pages, read, 9);
        }
        open();
        assertThatThrownBy(this::open)
                .isInstanceOf(IOException.class)
                .hasMessageContaining("orders.db is in use by a pool, or has a journal already");
        assertThatThrownBy(() -> DoubleWritePageStore.open(new MemoryPageStore("items.db", PAGE_BYTES), journal))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("the journal orders.journal is in use by another store than items.db");
    }

    private static void assertRefused(String message, PageStore store, PageStore journal, long journalPages) {
        assertThatThrownBy(() -> DoubleWritePageStore.open(store, journal, journalPages))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(message);
    }
}
