// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.io;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.clockhand.testing.Gate;
import io.clockhand.testing.Workers;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The calls that a store with a journal makes of both stores, in their order, on which its promise after a crash
 * depends: see the table and the proof in {@link DoubleWritePageStore}.
 */
class DoubleWriteStepsTest {
    private static final int PAGE_BYTES = 512;
    private static final int JOURNAL_PAGES = 6;

    @RegisterExtension
    private final Workers workers = new Workers();

    private final List<String> steps = new CopyOnWriteArrayList<>();
    private MemoryPageStore pagesInMemory = new MemoryPageStore("pages", PAGE_BYTES);
    private MemoryPageStore journalInMemory = new MemoryPageStore("journal", PAGE_BYTES);
    private Recording pages = new Recording(pagesInMemory);
    private Recording journal = new Recording(journalInMemory);

    private interface Hook {
        void before(String step) throws IOException;
    }

    /** Notes each call that changes a store, unless a hook fails it. */
    private final class Recording extends ForwardingStore {
        private volatile Hook hook = step -> {};

        Recording(PageStore store) {
            super(store);
        }

        private void step(String step) throws IOException {
            hook.before(step);
            steps.add(name() + " " + step);
        }

        @Override
        public void write(long page, ByteBuffer source) throws IOException {
            step("write " + page);
            store.write(page, source);
        }

        @Override
        public void writeRun(long first, ByteBuffer source) throws IOException {
            step("write " + first + " to " + (first + source.remaining() / PAGE_BYTES - 1));
            store.writeRun(first, source);
        }

        @Override
        public void extend(long count) throws IOException {
            step("extend to " + count);
            store.extend(count);
        }

        @Override
        public void truncate(long count) throws IOException {
            step("truncate to " + count);
            store.truncate(count);
        }

        @Override
        public void force() throws IOException {
            step("force");
            store.force();
        }

        @Override
        public void close() throws IOException {
            step("close");
            store.close();
        }

        @Override
        public void delete() throws IOException {
            step("delete");
            store.delete();
        }

        /** Fails the next call that has this name. */
        void failNext(String failing) {
            hook = step -> {
                if (step.equals(failing)) {
                    hook = none -> {};
                    throw new IOException("cannot " + step + " of " + name());
                }
            };
        }
    }

    private DoubleWritePageStore open() throws IOException {
        return DoubleWritePageStore.open(pages, journal, JOURNAL_PAGES);
    }

    private DoubleWritePageStore openAndForget() throws IOException {
        DoubleWritePageStore opened = open();
        steps.clear();
        return opened;
    }

    private static ByteBuffer run(int count, long value) {
        ByteBuffer run = ByteBuffer.allocate(count * PAGE_BYTES);
        while (run.hasRemaining()) {
            run.putLong(value);
        }
        return run.flip();
    }

    private static void assertHolds(PageStore store, long page, long value) throws IOException {
        ByteBuffer found = ByteBuffer.allocate(PAGE_BYTES);
        store.read(page, found);
        assertThat(found.flip()).as("page %d", page).isEqualTo(run(1, value));
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

    /** As after a crash of the process, which loses no bytes. */
    private void crash() throws IOException {
        pagesInMemory = copy(pagesInMemory);
        journalInMemory = copy(journalInMemory);
        pages = new Recording(pagesInMemory);
        journal = new Recording(journalInMemory);
        steps.clear();
    }

    private void expect(String what, String... expected) {
        assertThat(steps).as("steps of %s", what).containsExactly(expected);
    }

    // --- steps without a failure -------------------------------------------------------------------------------------

    @Test
    void newJournalIsEmptiedAndForcedThenMarkedAndForcedThenBegun() throws IOException {
        open();
        expect(
                "a new journal",
                "journal truncate to 0",
                "journal force",
                "journal extend to 6",
                "journal write 0",
                "journal force",
                "journal write 0",
                "journal force");
    }

    @Test
    void imagesAreForcedInPlaceBeforeTheJournalIsCleared() throws IOException {
        PageStore store = open();
        store.writeRun(3, run(2, 7));
        store.write(0, run(1, 8));
        crash();
        assertThat(open().restoredPages()).isEqualTo(3);
        expect(
                "the restoring of three pages",
                "journal write 0",
                "journal write 1",
                "journal write 2",
                "journal write 3",
                "journal write 4",
                "journal write 5",
                "journal force",
                "pages write 0",
                "pages write 3",
                "pages write 4",
                "pages force",
                "journal extend to 6",
                "journal write 0",
                "journal force");
    }

    @Test
    void pagesAreWrittenInPlaceWhenTheirImagesAreForced() throws IOException {
        PageStore store = openAndForget();
        store.write(5, run(1, 1));
        expect("a write of one page", "journal write 1", "journal write 2 to 2", "journal force", "pages write 5");
        steps.clear();
        store.writeRun(1, run(2, 1));
        expect(
                "a write of a run that fills the journal",
                "journal write 3",
                "journal write 4 to 5",
                "journal force",
                "pages write 1 to 2");
        steps.clear();
        store.write(9, run(1, 1));
        expect(
                "a write that finds the journal full",
                "pages force",
                "journal write 0",
                "journal force",
                "journal write 1",
                "journal write 2 to 2",
                "journal force",
                "pages write 9");
        steps.clear();
        store.writeBatch(new long[] {0, 4}, 0, 2, run(2, 1));
        expect(
                "a write of two pages that are not adjacent",
                "journal write 3",
                "journal write 4 to 5",
                "journal force",
                "pages write 0",
                "pages write 4");
    }

    @Test
    void truncationFollowsTheEndOfTheImages() throws IOException {
        PageStore store = openAndForget();
        store.truncate(0);
        expect("a truncation without images", "pages truncate to 0");
        store.writeRun(0, run(3, 1));
        steps.clear();
        store.truncate(1);
        expect(
                "a truncation when the journal has images",
                "pages force",
                "journal write 0",
                "journal force",
                "pages truncate to 1");
    }

    @Test
    void extensionFollowsTheForceOfATruncation() throws IOException {
        PageStore store = openAndForget();
        store.extend(4);
        expect("an extension", "pages extend to 4");
        store.truncate(1);
        steps.clear();
        store.extend(4);
        expect("an extension after a truncation", "pages force", "pages extend to 4");
        steps.clear();
        store.extend(5);
        expect("another extension", "pages extend to 5");
        store.truncate(1);
        store.force();
        steps.clear();
        store.extend(5);
        expect("an extension after a truncation that was forced", "pages extend to 5");
    }

    @Test
    void closedStoreIsForcedBeforeItsJournalIsCleared() throws IOException {
        PageStore store = openAndForget();
        store.write(5, run(1, 1));
        steps.clear();
        store.close();
        expect(
                "a close when the journal has images",
                "pages force",
                "journal write 0",
                "journal force",
                "pages close",
                "journal close");
        steps.clear();
        store.close();
        expect("a second close", "pages close", "journal close");
    }

    @Test
    void deletedStoreLeavesNoImagesToAStoreOfItsName() throws IOException {
        PageStore store = openAndForget();
        store.write(5, run(1, 1));
        steps.clear();
        store.delete();
        expect(
                "a deletion when the journal has images",
                "pages force",
                "journal write 0",
                "journal force",
                "pages delete",
                "journal delete");
    }

    // --- steps after a failure ---------------------------------------------------------------------------------------

    @Test
    void journalOfADeletedStoreThatCouldNotBeDeletedRestoresNothing() throws IOException {
        PageStore store = open();
        store.write(5, run(1, 1));
        MemoryPageStore[] left = new MemoryPageStore[1];
        journal.hook = step -> {
            if (step.equals("delete")) {
                left[0] = copy(journalInMemory);
                throw new IOException("cannot delete journal");
            }
        };
        assertThatThrownBy(store::delete).hasMessage("cannot delete journal");

        MemoryPageStore later = new MemoryPageStore("pages", PAGE_BYTES);
        assertThat(DoubleWritePageStore.open(later, left[0], JOURNAL_PAGES).restoredPages())
                .as("pages of the deleted store that a new one of its name gets")
                .isZero();
        assertThat(later.pages()).isZero();
    }

    @Test
    void deletionThatFailedGoesOnWhereItEnded() throws IOException {
        PageStore store = open();
        store.write(5, run(1, 1));
        pages.failNext("delete");
        assertThatThrownBy(store::delete).hasMessageContaining("cannot delete");
        journal.failNext("delete");
        steps.clear();
        assertThatThrownBy(store::delete).hasMessageContaining("cannot delete");
        expect("a second deletion", "pages delete");
        steps.clear();
        store.delete();
        expect("a third deletion", "journal delete");
    }

    @Test
    void forceAfterAFailureWritesTheNewestImagesOnceMoreFirst() throws IOException {
        PageStore store = open();
        store.write(5, run(1, 1));
        pages.failNext("write 1");
        assertThatThrownBy(() -> store.write(1, run(1, 2))).isInstanceOf(IOException.class);
        steps.clear();
        store.force();
        expect("a force after a failed write", "pages write 1", "pages write 5", "pages force");
        steps.clear();
        store.force();
        expect("the force after it", "pages force");

        pages.failNext("force");
        assertThatThrownBy(store::force).isInstanceOf(IOException.class);
        steps.clear();
        store.force();
        expect("a force after a failed one", "pages write 1", "pages write 5", "pages force");
    }

    @Test
    void writeThatSucceedsAfterOneThatFailedLeavesBothToTheForce() throws IOException {
        PageStore store = open();
        pages.failNext("write 1");
        assertThatThrownBy(() -> store.write(1, run(1, 2))).isInstanceOf(IOException.class);
        store.write(5, run(1, 1));
        steps.clear();
        store.force();
        expect("a force after a failed write and one that succeeded", "pages write 1", "pages write 5", "pages force");
    }

    @Test
    void extensionFollowsTheForceOfATruncationThatFailed() throws IOException {
        PageStore store = openAndForget();
        store.extend(4);
        pages.failNext("truncate to 1");
        assertThatThrownBy(() -> store.truncate(1)).isInstanceOf(IOException.class);
        steps.clear();
        store.extend(6);
        expect("an extension after a truncation that failed", "pages force", "pages extend to 6");
    }

    @ParameterizedTest
    @ValueSource(strings = {"write 5", "force"})
    void forceThatFailsLeavesItsImagesToTheNext(String failing) throws IOException {
        PageStore store = open();
        pages.failNext("write 5");
        assertThatThrownBy(() -> store.write(5, run(1, 1))).isInstanceOf(IOException.class);
        pages.failNext(failing);
        assertThatThrownBy(store::force).isInstanceOf(IOException.class);
        steps.clear();
        store.force();
        expect("a force after a failed write and a failed force", "pages write 5", "pages force");
    }

    @Test
    void fullJournalIsNotClearedBeforeAFailureIsRepaired() throws IOException {
        PageStore store = open();
        pages.failNext("write 0 to 2");
        assertThatThrownBy(() -> store.writeRun(0, run(3, 1))).isInstanceOf(IOException.class);
        steps.clear();
        store.writeRun(5, run(3, 2));
        expect(
                "a write after a failed one, which finds the journal full",
                "pages write 0",
                "pages write 1",
                "pages write 2",
                "pages force",
                "journal write 0",
                "journal force",
                "journal write 1",
                "journal write 2 to 4",
                "journal force",
                "pages write 5 to 7");
    }

    @Test
    void extensionAfterAFailureClearsTheJournalFirst() throws IOException {
        PageStore store = open();
        pages.failNext("write 2");
        assertThatThrownBy(() -> store.write(2, run(1, 1))).isInstanceOf(IOException.class);
        steps.clear();
        store.extend(4);
        expect(
                "an extension after a failed write",
                "pages write 2",
                "pages force",
                "journal write 0",
                "journal force",
                "pages extend to 4");
    }

    @Test
    void truncationAfterAFailureWritesOnlyThePagesThatStay() throws IOException {
        PageStore store = open();
        store.write(0, run(1, 1));
        pages.failNext("write 2");
        assertThatThrownBy(() -> store.write(2, run(1, 1))).isInstanceOf(IOException.class);
        steps.clear();
        store.truncate(2);
        expect(
                "a truncation after a failed write",
                "pages write 0",
                "pages truncate to 2",
                "pages force",
                "journal write 0",
                "journal force");
        steps.clear();
        store.extend(3);
        expect("an extension after it", "pages extend to 3");
    }

    @ParameterizedTest
    @ValueSource(strings = {"write 0", "force"})
    void journalWhoseClearingFailedIsClearedBeforeTheNextImages(String failing) throws IOException {
        PageStore store = open();
        store.writeRun(0, run(3, 1));
        journal.failNext(failing);
        assertThatThrownBy(() -> store.writeRun(5, run(3, 2))).isInstanceOf(IOException.class);
        steps.clear();
        store.write(5, run(1, 2));
        expect(
                "a write after the journal could not be cleared",
                "pages force",
                "journal write 0",
                "journal force",
                "journal write 1",
                "journal write 2 to 2",
                "journal force",
                "pages write 5");
    }

    /** Its images are whole in the journal, but the message of the call states that the page stays as it was. */
    @Test
    void imagesWhoseForceFailedAreNotWrittenOnceMore() throws IOException {
        PageStore store = open();
        store.writeRun(0, run(5, 1));
        store.force();
        store.truncate(5); // clears the journal
        pages.failNext("write 0");
        assertThatThrownBy(() -> store.write(0, run(1, 2))).isInstanceOf(IOException.class);
        journal.failNext("force");
        assertThatThrownBy(() -> store.write(4, run(1, 3)))
                .hasMessageContaining("cannot write page 4 of pages, which stays as it was");
        steps.clear();
        store.force();
        expect("a force after a failed write, and after images whose force has failed", "pages write 0", "pages force");
        assertHolds(store, 4, 1);
        assertHolds(store, 0, 2);
    }

    /** As a crash may leave them in the journal, whole. */
    @Test
    void imagesWhoseForceFailedGoWithATruncation() throws IOException {
        PageStore store = open();
        store.write(0, run(1, 1));
        store.truncate(1);
        journal.failNext("force");
        assertThatThrownBy(() -> store.write(4, run(1, 4))).isInstanceOf(IOException.class);
        store.truncate(1);
        crash();
        assertThat(open().restoredPages())
                .as("images of failed writes that are restored after a truncation")
                .isZero();
        assertThat(pagesInMemory.pages()).isOne();
    }

    /** The numbers of batches go on far above those that can be read, since others may not be readable. */
    @Test
    void batchesBehindOneThatIsTornAreNeverFoundBehindALaterOne() throws IOException {
        int journalPages = 9;
        PageStore store = DoubleWritePageStore.open(pages, journal, journalPages);
        for (int page = 0; page < 3; page++) {
            store.write(page, run(1, 1)); // two pages of the journal each, from 1 on
        }
        crash();
        journalInMemory.write(2, run(1, 99)); // the image of the first batch is torn
        DoubleWritePageStore second = DoubleWritePageStore.open(pages, journal, journalPages);
        assertThat(second.restoredPages()).isZero();
        second.writeRun(5, run(3, 3)); // ends where the third batch began
        crash();
        assertThat(DoubleWritePageStore.open(pages, journal, journalPages).restoredPages())
                .as("pages restored, of which three were written since the journal was cleared")
                .isEqualTo(3);
    }

    // --- threads -----------------------------------------------------------------------------------------------------

    /** Otherwise it could find the page half written, though its own write has succeeded. */
    @Test
    void readWaitsWhileImagesAreWrittenOnceMore() throws IOException {
        PageStore store = open();
        store.write(0, run(1, 1));
        pages.failNext("write 1");
        assertThatThrownBy(() -> store.write(1, run(1, 1))).isInstanceOf(IOException.class);
        Gate gate = new Gate();
        pages.hook = step -> {
            if (step.equals("write 0")) {
                gate.pass();
            }
        };
        Workers.Worker<Void> force = workers.run(store::force);
        gate.awaitReached();
        steps.clear();
        Workers.Worker<Void> read = workers.run(() -> {
            store.read(0, ByteBuffer.allocate(PAGE_BYTES));
            steps.add("read returns");
        });
        read.awaitParkedOrDone();
        gate.open();
        force.result();
        read.result();
        assertThat(steps)
                .as("a read returns when the images were written once more")
                .containsSubsequence("pages write 1", "read returns");
    }

    @Test
    void readDoesNotWaitForAWrite() throws IOException {
        PageStore store = open();
        store.write(0, run(1, 1));
        Gate gate = new Gate();
        pages.hook = step -> gate.pass();
        Workers.Worker<Void> write = workers.run(() -> store.write(1, run(1, 1)));
        gate.awaitReached();
        assertHolds(store, 0, 1);
        gate.open();
        write.result();
    }

    @Test
    void writeWaitsForAForceThatIsUnderWay() throws IOException {
        PageStore store = openAndForget();
        Gate gate = new Gate();
        pages.hook = step -> {
            if (step.equals("force")) {
                gate.pass();
            }
        };
        Workers.Worker<Void> force = workers.run(store::force);
        gate.awaitReached();
        Workers.Worker<Void> write = workers.run(() -> store.write(1, run(1, 1)));
        write.awaitParkedOrDone();
        gate.open();
        force.result();
        write.result();
        expect(
                "a force, and a write that came later",
                "pages force",
                "journal write 1",
                "journal write 2 to 2",
                "journal force",
                "pages write 1");
    }
}
