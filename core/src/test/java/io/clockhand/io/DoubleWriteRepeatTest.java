// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.io;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.clockhand.testkit.DiskFault;
import io.clockhand.testkit.FaultRule;
import io.clockhand.testkit.SimulatedDisk;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.BitSet;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** A double-write store that fails when it writes the images of its journal once more. */
class DoubleWriteRepeatTest {
    private static final int PAGE_BYTES = 512;
    private static final int SECTOR_BYTES = 64;

    private final SimulatedDisk disk = new SimulatedDisk(1, SECTOR_BYTES);

    private PageStore open() throws IOException {
        return DoubleWritePageStore.open(disk.pages("pages", PAGE_BYTES), disk.pages("journal", PAGE_BYTES), 40);
    }

    /** A run of pages that all have this value in each long. */
    private static ByteBuffer pages(int count, long value) {
        ByteBuffer run = ByteBuffer.allocate(count * PAGE_BYTES);
        while (run.hasRemaining()) {
            run.putLong(value);
        }
        return run.flip();
    }

    private static void assertHolds(PageStore store, long page, long value) throws IOException {
        ByteBuffer found = ByteBuffer.allocate(PAGE_BYTES);
        store.read(page, found);
        assertThat(found.flip()).as("page %d", page).isEqualTo(pages(1, value));
    }

    private void failOnce(DiskFault fault, String file, int skipped) {
        disk.faults().add(FaultRule.of(fault).in(file).skip(skipped).times(1));
    }

    /** The pool has evicted the page, as it was written with success; so a read must not find an older image. */
    @Test
    void pageThatWasWrittenIsNotReadAsItWasBefore() throws IOException {
        PageStore store = open();
        store.write(0, pages(1, 1));
        store.write(1, pages(1, 1));
        store.write(0, pages(1, 2));
        failOnce(DiskFault.WRITE_ERROR, "pages", 0);
        assertThatThrownBy(() -> store.write(1, pages(1, 2))).isInstanceOf(IOException.class);
        disk.faults().clear();

        // the images of the journal follow one another: page 0, page 1, page 0, page 1
        failOnce(DiskFault.WRITE_ERROR, "pages", 1);
        assertThatThrownBy(store::force).isInstanceOf(IOException.class);

        assertHolds(store, 0, 2);
    }

    /** Pages 0 to 3 are written as runs and one by one, and no write of theirs fails; that of page 4 does. */
    @ParameterizedTest
    @CsvSource({"WRITE_ERROR, pages", "SHORT_WRITE, pages", "TORN_WRITE, pages", "READ_ERROR, journal"})
    void repetitionThatFailsAtAnyCallLeavesTheNewestImages(DiskFault fault, String file) throws IOException {
        PageStore store = open();
        store.writeRun(0, pages(5, 1));
        store.write(2, pages(1, 2));
        store.writeRun(1, pages(3, 3));
        store.write(0, pages(1, 4));
        store.write(3, pages(1, 5));
        failOnce(DiskFault.TORN_WRITE, "pages", 0);
        assertThatThrownBy(() -> store.write(4, pages(1, 6))).isInstanceOf(IOException.class);

        int failed = 0;
        for (boolean fails = true; fails; failed += fails ? 1 : 0) {
            disk.faults().clear();
            failOnce(fault, file, failed);
            fails = fails(store);
            assertHolds(store, 0, 4);
            assertHolds(store, 1, 3);
            assertHolds(store, 2, 3);
            assertHolds(store, 3, 5);
            assertThat(failed).as("repetitions that failed").isLessThan(50);
        }
        assertThat(failed).as("repetitions that failed").isGreaterThanOrEqualTo(5);
        assertHolds(store, 4, 6);
        disk.faults().clear();
        disk.crash();
        try (PageStore again = open()) {
            assertHolds(again, 3, 5);
            assertHolds(again, 4, 6);
        }
    }

    /** The system drops zeros and lengths as it drops images; and no other thread than the writer is told. */
    @Test
    void pagesThatWereExtendedAreThereAfterAForceThatFollowsAFailedOne() throws IOException {
        PageStore store = open();
        store.extend(8);
        store.write(3, pages(1, 5));
        store.force();
        store.extend(12);
        store.write(9, pages(1, 6));
        failOnce(DiskFault.FAILED_FORCE, "pages", 0);
        assertThatThrownBy(store::force).isInstanceOf(IOException.class);

        store.force();
        disk.crash();

        try (PageStore again = open()) {
            assertThat(again.pages()).as("pages after a crash").isEqualTo(12);
            assertHolds(again, 3, 5);
            assertHolds(again, 8, 0);
            assertHolds(again, 9, 6);
            assertHolds(again, 11, 0);
        }
    }

    /** What a failed extension has left, and the next one found, is lost with the force that fails. */
    @Test
    void pagesThatAFailedExtensionHasLeftAreWrittenAgain() throws IOException {
        BitSet written = new BitSet();
        int[] left = {4};
        PageStore pages = new ForwardingStore(disk.pages("pages", PAGE_BYTES)) {
            @Override
            public void extend(long pages) throws IOException {
                super.extend(left[0] == 0 ? pages : left[0]);
                if (left[0] != 0) {
                    left[0] = 0;
                    throw new IOException("No space left on device; it may have more pages now");
                }
            }

            @Override
            public void writeRun(long first, ByteBuffer source) throws IOException {
                written.set((int) first, (int) first + source.remaining() / PAGE_BYTES);
                super.writeRun(first, source);
            }
        };
        PageStore store = DoubleWritePageStore.open(pages, disk.pages("journal", PAGE_BYTES));
        assertThatThrownBy(() -> store.extend(10)).hasMessageContaining("No space left");
        store.extend(20);
        failOnce(DiskFault.FAILED_FORCE, "pages", 0);
        assertThatThrownBy(store::force).isInstanceOf(IOException.class);
        written.clear();
        store.force();

        assertThat(written.nextClearBit(0))
                .as("the first page that was not written again")
                .isEqualTo(20);
    }

    /** A run of zeros does not have a single one of them. */
    @Test
    void pagesOfAnySizeThatWereExtendedAreWrittenAgain() throws IOException {
        LargePages pages = new LargePages();
        PageStore store = DoubleWritePageStore.open(pages, new LargePages(), 3);
        store.extend(4);
        pages.failsForce = true;
        assertThatThrownBy(store::force).isInstanceOf(IOException.class);
        pages.written.clear();
        store.force();

        assertThat(pages.written.keySet()).as("pages that were written again").containsExactly(0L, 1L, 2L, 3L);
    }

    /** A store of an engine's own, with pages that no file here has. */
    private static final class LargePages implements PageStore {
        private static final int SIZE = 2 * StoreExtension.zeros().capacity();

        final NavigableMap<Long, byte[]> written = new TreeMap<>();
        boolean failsForce;
        private long pages;

        @Override
        public String name() {
            return "large pages";
        }

        @Override
        public int pageBytes() {
            return SIZE;
        }

        @Override
        public long pages() {
            return pages;
        }

        @Override
        public void read(long page, ByteBuffer target) {
            target.put(written.get(page));
        }

        @Override
        public void write(long page, ByteBuffer source) {
            byte[] bytes = new byte[SIZE];
            source.get(bytes);
            written.put(page, bytes);
            pages = Math.max(pages, page + 1);
        }

        @Override
        public void truncate(long count) {
            pages = count;
            written.tailMap(count).clear();
        }

        @Override
        public boolean tryOwn() {
            return true;
        }

        @Override
        public void force() throws IOException {
            if (failsForce) {
                failsForce = false;
                throw new IOException("Input/output error");
            }
        }

        @Override
        public void close() {}
    }

    /** More than one run of zeros has, before and behind a page that has an image. */
    @Test
    void eachPageOfALargeExtensionIsWrittenAgain() throws IOException {
        int count = 2 * StoreExtension.zeros().capacity() / PAGE_BYTES + 10;
        BitSet written = new BitSet();
        PageStore pages = new ForwardingStore(disk.pages("pages", PAGE_BYTES)) {
            @Override
            public void write(long page, ByteBuffer source) throws IOException {
                written.set((int) page);
                super.write(page, source);
            }

            @Override
            public void writeRun(long first, ByteBuffer source) throws IOException {
                written.set((int) first, (int) first + source.remaining() / PAGE_BYTES);
                super.writeRun(first, source);
            }
        };
        PageStore store = DoubleWritePageStore.open(pages, disk.pages("journal", PAGE_BYTES), 40);
        store.extend(count);
        store.write(5, pages(1, 6));
        failOnce(DiskFault.FAILED_FORCE, "pages", 0);
        assertThatThrownBy(store::force).isInstanceOf(IOException.class);
        written.clear();

        store.force();

        assertThat(written.nextClearBit(0))
                .as("the first page that is not written again")
                .isEqualTo(count);
    }

    @Test
    void pagesThatWereTruncatedSinceAnExtensionAreNotWrittenAgain() throws IOException {
        PageStore store = open();
        store.extend(12);
        failOnce(DiskFault.FAILED_FORCE, "pages", 0);
        assertThatThrownBy(store::force).isInstanceOf(IOException.class);

        store.truncate(5);
        store.force();

        assertThat(store.pages()).as("pages after a truncation").isEqualTo(5);
        disk.crash();
        try (PageStore again = open()) {
            assertThat(again.pages()).as("pages after a crash").isEqualTo(5);
        }
    }

    private static boolean fails(PageStore store) {
        try {
            store.force();
            return false;
        } catch (IOException e) {
            return true;
        }
    }

    /** If one batch is not valid any more, the images of the others are not written either. */
    @ParameterizedTest
    @EnumSource(names = {"WRITE_ERROR", "TORN_WRITE"})
    void journalThatHasChangedLeavesThePagesAsTheyAre(DiskFault fault) throws IOException {
        PageStore store = open();
        store.write(0, pages(1, 1));
        store.write(0, pages(1, 2));
        failOnce(fault, "pages", 0);
        assertThatThrownBy(() -> store.write(1, pages(1, 3))).isInstanceOf(IOException.class);
        disk.pages("journal", PAGE_BYTES).write(4, pages(1, 77)); // the image of the second batch
        disk.faults().clear();

        assertThatThrownBy(store::force).hasMessageContaining("only 1 of 3 batches in the journal journal are valid");
        assertHolds(store, 0, 2);
    }
}
