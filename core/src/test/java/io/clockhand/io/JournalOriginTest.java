// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.io;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A journal that was not cleared, since its process was killed, is opened with a store that may be another one: its
 * images are written to the store to which they belong, and to no other one. The stores and journals of a killed
 * process are those of {@link #kill}, which copies the files while they are open.
 */
class JournalOriginTest {
    private static final int PAGE_BYTES = 512;
    private static final int JOURNAL_PAGES = 20;

    @TempDir
    private Path folder;

    private Path file(String name) {
        return folder.resolve(name);
    }

    private FilePageStore store(String name) throws IOException {
        return FilePageStore.open(file(name), PAGE_BYTES, FileOption.CREATE);
    }

    private DoubleWritePageStore open(String pages, String journal) throws IOException {
        return open(store(pages), store(journal), true);
    }

    /** Closes both if they do not open. */
    private static DoubleWritePageStore open(PageStore pages, PageStore journal, boolean checks) throws IOException {
        boolean opened = false;
        try {
            DoubleWritePageStore store = checks
                    ? DoubleWritePageStore.open(pages, journal, JOURNAL_PAGES)
                    : DoubleWritePageStore.openUnchecked(pages, journal, JOURNAL_PAGES);
            opened = true;
            return store;
        } finally {
            if (!opened) {
                pages.close();
                journal.close();
            }
        }
    }

    private static ByteBuffer run(int count, long value) {
        ByteBuffer run = ByteBuffer.allocate(count * PAGE_BYTES);
        while (run.hasRemaining()) {
            run.putLong(value);
        }
        return run.flip();
    }

    private static long value(PageStore store, long page) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate(PAGE_BYTES);
        store.read(page, bytes);
        return bytes.getLong(0);
    }

    /** Leaves the files of an open store as a process does that is killed: under the same names, with the journal. */
    private void kill(String pages, String journal, DoubleWritePageStore store) throws IOException {
        for (String name : new String[] {pages, journal}) {
            Files.copy(file(name), file(name + ".killed"));
        }
        store.close();
        for (String name : new String[] {pages, journal}) {
            Files.move(file(name + ".killed"), file(name), StandardCopyOption.REPLACE_EXISTING);
        }
    }

    /** A store of pages with a value, whose journal has images of the first of them with the next value. */
    private void killed(String pages, int count, long value) throws IOException {
        DoubleWritePageStore store = open(pages, pages + ".journal");
        store.writeRun(0, run(count, value));
        store.close();
        store = open(pages, pages + ".journal");
        store.writeRun(0, run(2, value + 1));
        kill(pages, pages + ".journal", store);
    }

    private void assertRefused(String pages, String journal, String... parts) throws IOException {
        byte[] before = Files.readAllBytes(file(pages));
        byte[] images = Files.readAllBytes(file(journal));
        assertThatThrownBy(() -> open(pages, journal))
                .isInstanceOf(IOException.class)
                .hasMessageContainingAll(
                        "cannot restore pages of " + file(pages), file(journal).toString())
                .hasMessageContainingAll(parts);
        assertThat(file(pages)).hasBinaryContent(before);
        assertThat(file(journal)).hasBinaryContent(images);
    }

    private void assertRestored(DoubleWritePageStore store, int images, long... values) throws IOException {
        assertThat(store.restoredPages()).as("images").isEqualTo(images);
        for (int page = 0; page < values.length; page++) {
            assertThat(value(store, page)).as("page %d", page).isEqualTo(values[page]);
        }
        store.close();
    }

    // --- another store -----------------------------------------------------------------------------------------------

    @Test
    void journalOfAnotherStoreIsRefused() throws IOException {
        killed("orders", 6, 10);
        killed("items", 6, 20);
        assertRefused("orders", "items.journal", "it belongs to", "items", "page ");
        assertRestored(open("orders", "orders.journal"), 2, 11, 11, 10, 10);
        assertRestored(open("items", "items.journal"), 2, 21, 21, 20, 20);
    }

    /** Neither has a page without an image: only the names tell. */
    @Test
    void journalOfAnotherYoungStoreIsRefused() throws IOException {
        for (String name : new String[] {"orders", "items"}) {
            DoubleWritePageStore store = open(name, name + ".journal");
            store.writeRun(0, run(3, name.length()));
            kill(name, name + ".journal", store);
        }
        assertRefused("orders", "items.journal", "it belongs to", "items", "not to");
        assertRestored(open("orders", "orders.journal"), 3, 6, 6, 6);
    }

    @Test
    void journalOfAStoreThatWasDeletedIsRefusedByANewOneOfItsName() throws IOException {
        DoubleWritePageStore store = open("orders", "orders.journal");
        store.writeRun(0, run(3, 1));
        kill("orders", "orders.journal", store);
        Files.delete(file("orders"));
        assertThatThrownBy(() -> open("orders", "orders.journal"))
                .isInstanceOf(IOException.class)
                .hasMessageContainingAll("cannot restore pages", "has just been created");
        assertThat(file("orders")).isEmptyFile();
    }

    // --- another run -------------------------------------------------------------------------------------------------

    @Test
    void journalIsRefusedByAnOlderCopyOfItsStore() throws IOException {
        DoubleWritePageStore store = open("orders", "orders.journal");
        store.writeRun(0, run(6, 1));
        store.force();
        Files.copy(file("orders"), file("backup"));
        store.writeRun(4, run(2, 2));
        store.close();
        store = open("orders", "orders.journal");
        store.writeRun(0, run(2, 3));
        kill("orders", "orders.journal", store);
        Files.copy(file("backup"), file("orders"), StandardCopyOption.REPLACE_EXISTING);
        assertRefused("orders", "orders.journal", "an older copy");
    }

    /** The journal is filled again and again, so that it was cleared since the copy was made, but not opened. */
    @Test
    void journalIsRefusedByACopyOfThisRun() throws IOException {
        DoubleWritePageStore store = open("orders", "orders.journal");
        store.writeRun(0, run(40, 1));
        store.force();
        Files.copy(file("orders"), file("backup"));
        for (int page = 10; page < 40; page++) {
            store.write(page, run(1, 2));
        }
        kill("orders", "orders.journal", store);
        Files.copy(file("backup"), file("orders"), StandardCopyOption.REPLACE_EXISTING);
        assertRefused("orders", "orders.journal", "an older copy");
    }

    @Test
    void journalOfAnEarlierRunIsRefused() throws IOException {
        killed("orders", 6, 10);
        Files.copy(file("orders.journal"), file("old.journal"));
        DoubleWritePageStore store = open("orders", "orders.journal");
        store.writeRun(0, run(6, 30));
        store.close();
        assertRefused("orders", "old.journal", "written without this journal since");
    }

    // --- the same store ----------------------------------------------------------------------------------------------

    @Test
    void storeCanBeCopiedWithItsJournal() throws IOException {
        killed("orders", 6, 10);
        Files.copy(file("orders"), file("copy"));
        Files.copy(file("orders.journal"), file("copy.journal"));
        assertRestored(open("copy", "copy.journal"), 2, 11, 11, 10, 10);
    }

    @Test
    void youngStoreThatWasRenamedIsRestoredOnRequest() throws IOException {
        DoubleWritePageStore store = open("orders", "orders.journal");
        store.writeRun(0, run(3, 1));
        kill("orders", "orders.journal", store);
        Files.move(file("orders"), file("renamed"));
        assertRefused("renamed", "orders.journal", "it belongs to", "orders", "not to");
        assertRestored(open(store("renamed"), store("orders.journal"), false), 3, 1, 1, 1);
    }

    @Test
    void emptyJournalFitsAnyStore() throws IOException {
        DoubleWritePageStore store = open("orders", "journal");
        store.writeRun(0, run(3, 1));
        store.close();
        store = open("items", "journal");
        store.writeRun(0, run(3, 2));
        store.close();
        assertRestored(open("orders", "journal"), 0, 1, 1, 1);
    }

    @Test
    void pageThatCannotBeReadTellsNothing() throws IOException {
        killed("orders", 6, 10);
        PageStore damaged = new ForwardingStore(store("orders")) {
            @Override
            public void read(long page, ByteBuffer target) throws IOException {
                if (page == 5) {
                    throw new IOException("cannot read page 5");
                }
                super.read(page, target);
            }
        };
        assertRestored(open(damaged, store("orders.journal"), true), 2, 11, 11, 10, 10);
    }

    @Test
    void pagesThatWereTruncatedAreNotExpected() throws IOException {
        DoubleWritePageStore store = open("orders", "orders.journal");
        store.writeRun(0, run(6, 1));
        store.close();
        store = open("orders", "orders.journal");
        store.truncate(3);
        store.writeRun(3, run(2, 2));
        store.write(2, run(1, 3));
        kill("orders", "orders.journal", store);
        assertRestored(open("orders", "orders.journal"), 3, 1, 1, 3, 2, 2);
    }

    @Test
    void pagesOfAStoreThatWritesBytesOfItsOwnAreNotTakenForThoseOfAnother() throws IOException {
        DoubleWritePageStore store = openChecksummed();
        for (int page = 0; page < 3; page++) {
            store.write(page, run(1, 1));
        }
        store.truncate(2); // clears the journal, which begins with what it knows of the pages then
        store.write(0, run(1, 2));
        kill("orders", "orders.journal", store);
        assertRestored(openChecksummed(), 1, 2, 1);
    }

    private DoubleWritePageStore openChecksummed() throws IOException {
        return open(new ChecksummedPageStore(store("orders"), 1, PAGE_BYTES - 4), store("orders.journal"), true);
    }

    @Test
    void nameLongerThanThePlaceForItIsKnownByItsEnd() throws IOException {
        String name = "n".repeat(230);
        killed(name + "1", 2, 10);
        killed(name + "2", 2, 20);
        assertRefused(name + "1", name + "2.journal", "n2");
        assertRestored(open(name + "1", name + "1.journal"), 2, 11, 11);
    }

    // --- two journals ------------------------------------------------------------------------------------------------

    @Test
    void secondJournalOfAnOpenStoreIsRefused() throws IOException {
        try (FilePageStore pages = store("orders");
                PageStore other = store("other.journal")) {
            DoubleWritePageStore store = DoubleWritePageStore.open(pages, store("orders.journal"), JOURNAL_PAGES);
            store.write(0, run(1, 1));
            for (PageStore twice : new PageStore[] {pages, new ChecksummedPageStore(pages, 1, 0)}) {
                assertThatThrownBy(() -> DoubleWritePageStore.open(twice, other, JOURNAL_PAGES))
                        .isInstanceOf(IOException.class)
                        .hasMessageContainingAll(
                                file("orders").toString(),
                                "has a journal already",
                                file("other.journal").toString());
            }
            assertThat(other.pages()).isZero();
            store.write(0, run(1, 2));
            assertThat(value(store, 0)).isEqualTo(2);
            store.close();
        }
    }
}
