// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.io;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.stream.LongStream;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;

/** Batches of a store with a journal: what they cost, what a crash at each step leaves, and failures of both stores. */
class DoubleWriteBatchTest {
    private static final int PAGE_BYTES = 512;
    private static final int JOURNAL_PAGES = 100;
    /** As many numbers as a page of this size has space for behind its header. */
    private static final int MOST_LISTED = 59;

    private static final long[] SCATTERED = {1, 4, 5, 9};

    private final MemoryPageStore pagesInMemory = new MemoryPageStore("orders.db", PAGE_BYTES);
    private final MemoryPageStore journalInMemory = new MemoryPageStore("orders.journal", PAGE_BYTES);
    private final FailingStore pages = new FailingStore(pagesInMemory);
    private final FailingStore journal = new FailingStore(journalInMemory);

    private DoubleWritePageStore open(int journalPages) throws IOException {
        return DoubleWritePageStore.open(pages, journal, journalPages);
    }

    private DoubleWritePageStore openWithOldPages() throws IOException {
        DoubleWritePageStore store = open(JOURNAL_PAGES);
        store.writeRun(0, images(10, 1));
        store.force();
        return store;
    }

    private static ByteBuffer images(int count, long first) {
        ByteBuffer images = ByteBuffer.allocateDirect(count * PAGE_BYTES);
        while (images.hasRemaining()) {
            images.putLong(first + images.position() / PAGE_BYTES);
        }
        return images.flip();
    }

    private static void write(PageStore store, long[] numbers, long first) throws IOException {
        store.writeBatch(numbers, 0, numbers.length, images(numbers.length, first));
    }

    private static void assertHolds(PageStore store, long page, long value) throws IOException {
        ByteBuffer found = ByteBuffer.allocate(PAGE_BYTES);
        store.read(page, found);
        assertThat(found.flip()).as("page %d", page).isEqualTo(images(1, value));
    }

    private static void assertHold(PageStore store, long[] numbers, long first) throws IOException {
        for (int i = 0; i < numbers.length; i++) {
            assertHolds(store, numbers[i], first + i);
        }
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

    // --- cost --------------------------------------------------------------------------------------------------------

    @Test
    void scatteredPagesAreOneAppendAndOneForceOfTheJournal() throws IOException {
        PageStore store = openWithOldPages();
        int journalWrites = journal.writes;
        int journalForces = journal.forces;
        int writes = pages.writes;
        int forces = pages.forces;

        write(store, SCATTERED, 50);

        assertThat(journal.writes - journalWrites).as("a header and the images").isEqualTo(2);
        assertThat(journal.forces - journalForces).isOne();
        assertThat(pages.writes - writes).as("1, 4 to 5, and 9").isEqualTo(3);
        assertThat(pages.forces).isEqualTo(forces);
        assertHold(store, SCATTERED, 50);
    }

    @Test
    void batchThatIsLongerThanTheJournalIsDividedAndDoesNotExtendIt() throws IOException {
        PageStore store = open(6);
        int forces = pages.forces;
        long[] even = LongStream.range(0, 10).map(i -> 2 * i).toArray();

        write(store, even, 50);

        assertThat(journal.pages()).isEqualTo(6);
        assertThat(pages.forces - forces)
                .as("4 and 4 pages, which fill the journal, and 2")
                .isEqualTo(2);
        assertHold(store, even, 50);
        assertThat(copied().restoredPages()).isEqualTo(2);
    }

    @Test
    void batchThatIsLongerThanTheListOfAHeaderIsDivided() throws IOException {
        PageStore store = open(JOURNAL_PAGES);
        int forces = journal.forces;
        long[] even = LongStream.rangeClosed(0, MOST_LISTED).map(i -> 2 * i).toArray();

        store.writeBatch(even, 0, MOST_LISTED, images(MOST_LISTED, 50));
        assertThat(journal.forces - forces).isOne();
        assertThat(copied().restoredPages()).isEqualTo(MOST_LISTED);

        store = DoubleWritePageStore.open(new MemoryPageStore("a", PAGE_BYTES), memory("b"), JOURNAL_PAGES);
        write(store, even, 50);
        assertHold(store, even, 50);
    }

    private static MemoryPageStore memory(String name) {
        return new MemoryPageStore(name, PAGE_BYTES);
    }

    @Test
    void batchThatDoesNotFitBehindTheOthersClearsTheJournal() throws IOException {
        PageStore store = open(6);
        write(store, new long[] {0, 2}, 10);
        int forces = pages.forces;
        write(store, new long[] {1, 3}, 20);

        assertThat(pages.forces - forces).isOne();
        assertThat(copied().restoredPages()).isEqualTo(2);
    }

    // --- crashes -----------------------------------------------------------------------------------------------------

    /** The stores as a crash of the process leaves them. */
    private DoubleWritePageStore copied() throws IOException {
        return DoubleWritePageStore.open(copy(pagesInMemory), copy(journalInMemory), JOURNAL_PAGES);
    }

    @Test
    void pagesThatACrashHasTornInPlaceAreRestoredFromTheList() throws IOException {
        PageStore store = openWithOldPages();
        write(store, SCATTERED, 50);
        store.writeRun(4, images(1, 70));
        MemoryPageStore torn = copy(pagesInMemory);
        for (long page : SCATTERED) {
            torn.write(page, images(1, 99).putLong(0, -1));
        }

        DoubleWritePageStore again = DoubleWritePageStore.open(torn, copy(journalInMemory), JOURNAL_PAGES);

        assertThat(again.restoredPages())
                .as("the newest image of each of the pages 0 to 9")
                .isEqualTo(10);
        assertHolds(again, 1, 50);
        assertHolds(again, 4, 70);
        assertHolds(again, 5, 52);
        assertHolds(again, 9, 53);
        assertHolds(again, 0, 1);
    }

    @Test
    void batchOfWhichTheJournalHasNotAllIsIgnored() throws IOException {
        PageStore store = open(JOURNAL_PAGES);
        write(store, SCATTERED, 50);
        int[] sectors = {8, 36, 40, 48, 64, 71}; // of the header page: fields, checksum, and the list
        for (int at : sectors) {
            assertIgnoredIfByteChanges(1, at);
        }
        for (int image = 0; image < SCATTERED.length; image++) {
            assertIgnoredIfByteChanges(2 + image, 100);
        }
        assertThat(copied().restoredPages()).isEqualTo(SCATTERED.length);
    }

    private void assertIgnoredIfByteChanges(long journalPage, int at) throws IOException {
        MemoryPageStore torn = copy(journalInMemory);
        ByteBuffer page = ByteBuffer.allocate(PAGE_BYTES);
        torn.read(journalPage, page);
        torn.write(journalPage, page.put(at, (byte) ~page.get(at)).flip());
        MemoryPageStore inPlace = memory("orders.db");
        inPlace.writeRun(0, images(10, 1));

        DoubleWritePageStore again = DoubleWritePageStore.open(inPlace, torn, JOURNAL_PAGES);

        assertThat(again.restoredPages())
                .as("byte %d of journal page %d", at, journalPage)
                .isZero();
        for (int number = 0; number < 10; number++) {
            assertHolds(again, number, 1 + number);
        }
    }

    @Test
    void bytesBehindAHeaderAreZeroWhenThoseOfALongerOneAreBehindTheOneBefore() throws IOException {
        PageStore store = openWithOldPages();
        write(store, SCATTERED, 50);
        store.truncate(10); // clears it
        assertZero(0, 40 + ((int) longAt(0, 28) + 7) / 8 * 8); // behind the origin
        write(store, SCATTERED, 60);
        write(store, new long[] {3, 7}, 70);
        assertThat(longAt(6, 40 + 8)).isEqualTo(7);
        assertZero(6, 40 + 16);
        store.write(3, images(1, 80));
        assertZeroBehindHeader(9);
    }

    private void assertZeroBehindHeader(long page) throws IOException {
        assertZero(page, 40);
    }

    private void assertZero(long page, int from) throws IOException {
        for (int at = from; at < PAGE_BYTES; at += Long.BYTES) {
            assertThat(longAt(page, at))
                    .as("byte %d of journal page %d", at, page)
                    .isZero();
        }
    }

    private long longAt(long page, int at) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate(PAGE_BYTES);
        journalInMemory.read(page, bytes);
        return bytes.getLong(at);
    }

    /** Written here byte by byte, as a journal had only runs before it had lists. */
    @Test
    void journalOfRunsIsReadAsBefore() throws IOException {
        MemoryPageStore old = memory("orders.journal");
        ByteBuffer run = images(2, 30);
        old.write(0, header(7, 0, 0, 0));
        old.write(1, header(8, 3, 2, checksum(run)));
        old.writeRun(2, run.rewind());
        MemoryPageStore inPlace = memory("orders.db");
        inPlace.writeRun(0, images(5, 1));

        DoubleWritePageStore again = DoubleWritePageStore.open(inPlace, old, JOURNAL_PAGES);

        assertThat(again.restoredPages()).isEqualTo(2);
        assertHold(again, new long[] {0, 1, 2}, 1);
        assertHold(again, new long[] {3, 4}, 30);
    }

    private static ByteBuffer header(long number, long first, int count, int images) {
        ByteBuffer header = ByteBuffer.allocate(PAGE_BYTES);
        header.putLong(0x436c6f636b446f75L).putInt(PAGE_BYTES).putLong(number).putLong(first);
        header.putInt(count).putInt(images);
        int checksum = checksum(header.duplicate().flip());
        return header.putInt(checksum).clear();
    }

    private static int checksum(ByteBuffer bytes) {
        CRC32C crc = new CRC32C();
        crc.update(bytes);
        return (int) crc.getValue();
    }

    // --- failures ----------------------------------------------------------------------------------------------------

    @Test
    void failedJournalLeavesThePagesInPlaceAndIsNamed() throws IOException {
        PageStore store = openWithOldPages();
        int writes = pages.writes;
        for (int journalWrites = 0; journalWrites < 3; journalWrites++) {
            journal.failWritesAfter(journalWrites);
            journal.failForcesAfter(0);
            assertThatThrownBy(() -> write(store, SCATTERED, 50))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("cannot write 4 of the pages 1 to 9 of orders.db, which stay as they were")
                    .hasMessageContaining("the journal orders.journal cannot take its images");
            journal.succeed();
        }
        assertThat(pages.writes).isEqualTo(writes);
        for (int page = 0; page < 10; page++) {
            assertHolds(store, page, 1 + page);
        }
        store.write(4, images(1, 60));
        DoubleWritePageStore again = copied();
        assertHolds(again, 4, 60);
        assertHolds(again, 9, 10);
    }

    @Test
    void pagesThatCouldNotBeWrittenInPlaceAreWrittenBeforeTheNextForceEnds() throws IOException {
        PageStore store = openWithOldPages();
        for (int run = 0; run < 3; run++) {
            long value = 50L + 10L * run;
            pages.failWritesAfter(run);
            assertThatThrownBy(() -> write(store, SCATTERED, value))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("No space left");
            pages.succeed();
            assertHold(copied(), SCATTERED, value);

            store.force();
            assertHold(store, SCATTERED, value);
            assertHold(pagesInMemory, SCATTERED, value);
        }
    }

    @Test
    void storeOfChecksumsAndOthersPassOnThatBatchesAreWanted() throws IOException {
        PageStore store = open(JOURNAL_PAGES);
        assertThat(store.writesBatches()).isTrue();
        assertThat(new ChecksummedPageStore(store, 7, 0).writesBatches()).isTrue();
        assertThat(new ChecksummedPageStore(pagesInMemory, 7, 0).writesBatches())
                .isFalse();
        assertThat(pagesInMemory.writesBatches()).isFalse();
    }

    @Test
    void batchOfPagesWithChecksumsIsOneForce() throws IOException {
        PageStore store = new ChecksummedPageStore(open(JOURNAL_PAGES), 7, 0);
        int forces = journal.forces;
        write(store, SCATTERED, 50);
        store.writeBatch(SCATTERED, 0, 4, images(4, 60).asReadOnlyBuffer());

        assertThat(journal.forces - forces).isEqualTo(2);
        for (long page : SCATTERED) {
            store.read(page, ByteBuffer.allocate(PAGE_BYTES));
        }
    }
}
