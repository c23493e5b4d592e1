// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.io;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import io.clockhand.testing.Gate;
import io.clockhand.testing.Workers;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.Condition;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Calls of several threads that write through one journal: which calls one force serves, and which calls wait. */
class DoubleWriteGroupTest {
    private static final int PAGE_BYTES = 512;
    private static final int JOURNAL_PAGES = 12;

    @RegisterExtension
    private final Workers workers = new Workers();

    private final List<String> steps = new CopyOnWriteArrayList<>();
    private final Stopped pages = new Stopped(new MemoryPageStore("pages", PAGE_BYTES));
    private final Stopped journal = new Stopped(new MemoryPageStore("journal", PAGE_BYTES));
    private final List<Gate> gates = new CopyOnWriteArrayList<>();
    private DoubleWritePageStore store;

    /** Notes writes and forces, stops the next call of a name at a gate, may fail it then, and others. */
    private final class Stopped extends ForwardingStore {
        private volatile String stopped = "";
        private volatile Gate gate;
        private volatile IOException failure;
        private volatile Throwable failureOfForces;

        Stopped(PageStore store) {
            super(store);
        }

        Gate stop(String step) {
            Gate closed = new Gate();
            gates.add(closed);
            gate = closed;
            stopped = step;
            return closed;
        }

        void failForces(Throwable e) {
            failureOfForces = e;
        }

        private void step(String step) throws IOException {
            if (step.equals(stopped)) {
                Gate closed = gate;
                stopped = "";
                closed.pass();
                if (failure != null) {
                    throw failure;
                }
            } else if (step.equals("force") && failureOfForces != null) {
                DoubleWriteGroupTest.<RuntimeException>throwAny(failureOfForces);
            }
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
        public void force() throws IOException {
            step("force");
            store.force();
        }
    }

    @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
    private static <E extends Throwable> void throwAny(Throwable thrown) throws E {
        throw (E) thrown;
    }

    @BeforeEach
    void open() throws IOException {
        store = DoubleWritePageStore.open(pages, journal, JOURNAL_PAGES);
        steps.clear();
    }

    /** So that no thread of a test that has failed stays at one. */
    @AfterEach
    void openAllGates() {
        gates.forEach(Gate::open);
    }

    private static ByteBuffer image(int count, long value) {
        ByteBuffer bytes = ByteBuffer.allocate(count * PAGE_BYTES);
        while (bytes.hasRemaining()) {
            bytes.putLong(value);
        }
        return bytes.flip();
    }

    /** Starts a write of a page, and waits until it is at the gate. */
    private Workers.Worker<Void> writeUntil(Gate gate, long page, long value) {
        Workers.Worker<Void> write = workers.run(() -> store.write(page, image(1, value)));
        gate.awaitReached();
        return write;
    }

    /** Starts a write that waits for another one, which is at a gate. */
    private Workers.Worker<Void> waitingWrite(long page, long value) {
        Workers.Worker<Void> write = workers.run(() -> store.write(page, image(1, value)));
        write.awaitParked();
        return write;
    }

    private void assertHolds(long page, long value) throws IOException {
        ByteBuffer found = ByteBuffer.allocate(PAGE_BYTES);
        store.read(page, found);
        assertThat(found.flip()).as("page %d", page).isEqualTo(image(1, value));
    }

    @Test
    void threadsThatComeDuringAForceShareTheNextOne() throws IOException {
        Gate gate = journal.stop("force");
        Workers.Worker<Void> first = writeUntil(gate, 0, 10);
        List<Workers.Worker<Void>> others = new ArrayList<>();
        others.add(waitingWrite(3, 13));
        others.add(waitingWrite(1, 11));
        Workers.Worker<Void> batch = workers.run(() -> store.writeBatch(new long[] {2, 5}, 0, 2, image(2, 12)));
        batch.awaitParked();
        others.add(batch);
        gate.open();
        first.result();
        others.forEach(Workers.Worker::result);
        assertThat(steps.stream().filter("journal force"::equals))
                .as("forces of the journal for one write, and for three calls that waited")
                .hasSize(2);
        long[] written = {10, 11, 12, 13, -1, 12};
        for (int page : new int[] {0, 1, 2, 3, 5}) {
            assertHolds(page, written[page]);
        }
    }

    /** The images of a group that are forced are restored, although the process ends before one is in place. */
    @Test
    void imagesOfAllThreadsAreRestored() throws IOException {
        store.extend(8);
        store.force();
        Gate gate = journal.stop("force");
        Workers.Worker<Void> first = writeUntil(gate, 0, 10);
        Workers.Worker<Void> second = waitingWrite(7, 17);
        Workers.Worker<Void> third = waitingWrite(4, 14);
        Gate inPlace = pages.stop("write 4");
        gate.open();
        first.result();
        second.result();
        inPlace.awaitReached();
        MemoryPageStore pagesNow = copy(pages, "pages");
        MemoryPageStore journalNow = copy(journal, "journal");
        inPlace.open();
        third.result();
        try (DoubleWritePageStore again = DoubleWritePageStore.open(pagesNow, journalNow, JOURNAL_PAGES)) {
            store = again;
            assertThat(again.restoredPages()).as("images in the journal").isEqualTo(3);
            assertHolds(0, 10);
            assertHolds(7, 17);
            assertHolds(4, 14);
        }
    }

    /** A thread whose images another one brings to the journal waits for that, whatever wakes it. */
    @RepeatedTest(20)
    void nothingButTheForceEndsTheWaitForIt() throws IOException {
        Gate inPlace = pages.stop("write 9");
        Workers.Worker<Void> slow = writeUntil(inPlace, 9, 19);
        Gate force = journal.stop("force");
        Workers.Worker<Void> first = writeUntil(force, 0, 10);
        List<Workers.Worker<Void>> group = List.of(waitingWrite(1, 11), waitingWrite(2, 12));
        Gate secondForce = journal.stop("force");
        force.open();
        first.result();
        secondForce.awaitReached();
        inPlace.open(); // the end of this write wakes all that wait
        slow.result();
        group.forEach(Workers.Worker::awaitParkedOrDone);
        assertThat(steps).as("pages whose images are being forced").doesNotContain("pages write 1", "pages write 2");
        secondForce.open();
        group.forEach(Workers.Worker::result);
        assertHolds(1, 11);
        assertHolds(2, 12);
    }

    private static MemoryPageStore copy(PageStore from, String name) throws IOException {
        MemoryPageStore copy = new MemoryPageStore(name, PAGE_BYTES);
        ByteBuffer page = ByteBuffer.allocate(PAGE_BYTES);
        for (long number = 0; number < from.pages(); number++) {
            from.read(number, page.clear());
            copy.write(number, page.flip());
        }
        return copy;
    }

    @Test
    void pagesOfOneThreadAreWrittenInPlaceWhileAnotherWritesToTheJournal() throws IOException {
        Gate inPlace = pages.stop("write 0");
        Workers.Worker<Void> slow = writeUntil(inPlace, 0, 10);
        store.write(1, image(1, 11)); // would wait for ever
        assertHolds(1, 11);
        inPlace.open();
        slow.result();
        assertHolds(0, 10);
    }

    /** Otherwise the journal and the place could disagree on which image is the newer one. */
    @Test
    void imageOfAPageThatIsBeingWrittenInPlaceWaits() throws IOException {
        Gate inPlace = pages.stop("write 0");
        Workers.Worker<Void> older = writeUntil(inPlace, 0, 10);
        Workers.Worker<Void> newer = workers.run(() -> store.writeBatch(new long[] {0, 2}, 0, 2, image(2, 20)));
        newer.awaitParkedOrDone();
        assertThat(newer.isDone())
                .as("a second image of a page was written while the first was")
                .isFalse();
        inPlace.open();
        older.result();
        newer.result();
        assertHolds(0, 20);
        assertThat(steps)
                .as("writes of one page by two threads")
                .containsSubsequence("journal force", "pages write 0", "journal force", "pages write 0");
    }

    @Test
    void twoImagesOfAPageAreNotInOneBatch() throws IOException {
        Gate gate = journal.stop("force");
        Workers.Worker<Void> first = writeUntil(gate, 5, 15);
        Workers.Worker<Void> older = waitingWrite(0, 10);
        Workers.Worker<Void> newer = waitingWrite(0, 20);
        gate.open();
        first.result();
        older.result();
        newer.result();
        assertThat(steps.stream().filter("journal force"::equals))
                .as("forces for a write, and for two writes of one page")
                .hasSize(3);
    }

    /** A journal that was cleared has no image of a page that may be torn. */
    @Test
    void clearingWaitsForPagesThatAreBeingWrittenInPlace() throws IOException {
        Gate inPlace = pages.stop("write 0");
        Workers.Worker<Void> slow = writeUntil(inPlace, 0, 10);
        Workers.Worker<Void> next = workers.run(() -> store.writeRun(1, image(JOURNAL_PAGES - 2, 20)));
        next.awaitParkedOrDone();
        assertThat(steps).as("the journal is cleared while a page is written").doesNotContain("pages force");
        inPlace.open();
        slow.result();
        next.result();
        assertThat(steps)
                .as("steps of a write that needs the whole journal")
                .containsSubsequence("pages write 0", "pages force", "journal write 0", "journal force");
    }

    @Test
    void forceWaitsForPagesThatAreBeingWrittenInPlaceAndComesBeforeLaterWrites() throws IOException {
        Gate inPlace = pages.stop("write 0");
        Workers.Worker<Void> slow = writeUntil(inPlace, 0, 10);
        Workers.Worker<Void> force = workers.run(store::force);
        force.awaitParkedOrDone();
        Workers.Worker<Void> later = workers.run(() -> store.write(1, image(1, 11)));
        later.awaitParkedOrDone();
        assertThat(steps).as("a force while a page is written").doesNotContain("pages force", "pages write 1");
        inPlace.open();
        slow.result();
        force.result();
        later.result();
        assertThat(steps)
                .as("a force between two writes")
                .containsSubsequence("pages write 0", "pages force", "pages write 1");
    }

    /** Each thread learns that its own page was not written, and the next write works. */
    @Test
    void failureOfTheJournalIsThrownByEachThreadOfTheGroup() throws IOException {
        Gate gate = journal.stop("force");
        Workers.Worker<Void> before = writeUntil(gate, 9, 19);
        Workers.Worker<Void> first = waitingWrite(0, 10);
        Workers.Worker<Void> second = waitingWrite(1, 11);
        Workers.Worker<Void> third = waitingWrite(2, 12);
        journal.failForces(new IOException("the device is gone"));
        gate.open();
        before.result();
        for (int page = 0; page < 3; page++) {
            assertThat(List.of(first, second, third).get(page).failure())
                    .as("what the write of page %d throws", page)
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("cannot write page " + page + " of pages, which stays as it was")
                    .hasMessageContaining("the device is gone");
        }
        journal.failForces(null);
        store.write(1, image(1, 21));
        assertHolds(1, 21);
        assertThat(steps).as("pages whose images were not forced").doesNotContain("pages write 0", "pages write 2");
    }

    /** A page that could not be written in place is written once more by the force, whoever wrote meanwhile. */
    @Test
    void failureInPlaceIsKnownToTheForceThatWaitedForIt() throws IOException {
        Gate inPlace = pages.stop("write 0");
        pages.failure = new IOException("the device is gone");
        Workers.Worker<Void> failing = writeUntil(inPlace, 0, 10);
        Workers.Worker<Void> force = workers.run(store::force);
        force.awaitParkedOrDone();
        inPlace.open();
        assertThat(failing.failure()).as("what the write throws").hasMessageContaining("the device is gone");
        force.result();
        assertHolds(0, 10);
    }

    /** A batch has no more pages than its list and the journal have space for. */
    @Test
    void groupThatIsTooLongIsDivided() throws IOException {
        Gate gate = journal.stop("force");
        Workers.Worker<Void> first = writeUntil(gate, 40, 50);
        List<Workers.Worker<Void>> waiting = new ArrayList<>();
        for (int call = 0; call < 3; call++) {
            long page = 10L * call;
            Workers.Worker<Void> write = workers.run(
                    () -> store.writeBatch(new long[] {page, page + 2, page + 4, page + 6}, 0, 4, image(4, page)));
            write.awaitParked();
            waiting.add(write);
        }
        gate.open();
        first.result();
        waiting.forEach(Workers.Worker::result);
        assertThat(journal.pages()).as("pages of the journal").isEqualTo(JOURNAL_PAGES);
        for (int call = 0; call < 3; call++) {
            assertHolds(10L * call + 6, 10L * call);
        }
    }

    /** The journal remembers some pages, by which it knows its store again: also those of a group. */
    @Test
    void journalOfAGroupThatWasClearedFitsItsStore() throws IOException {
        Gate gate = journal.stop("force");
        Workers.Worker<Void> first = writeUntil(gate, 0, 10);
        Workers.Worker<Void> second = waitingWrite(1, 11);
        Workers.Worker<Void> third = waitingWrite(2, 12);
        gate.open();
        first.result();
        second.result();
        third.result();
        store.writeRun(3, image(JOURNAL_PAGES - 2, 20)); // clears the journal
        MemoryPageStore pagesNow = copy(pages, "pages");
        MemoryPageStore journalNow = copy(journal, "journal");
        assertThatCode(() -> DoubleWritePageStore.open(pagesNow, journalNow, JOURNAL_PAGES))
                .as("the journal is opened with its store")
                .doesNotThrowAnyException();
    }

    /** Nothing is in place without an image, whatever the journal throws. */
    @ParameterizedTest
    @ValueSource(classes = {Exception.class, IllegalStateException.class, StackOverflowError.class})
    void nothingIsWrittenInPlaceIfTheJournalThrowsAnything(Class<? extends Throwable> thrown) throws Exception {
        Gate gate = journal.stop("force");
        Workers.Worker<Void> before = writeUntil(gate, 9, 19);
        Workers.Worker<Void> first = waitingWrite(0, 10);
        Workers.Worker<Void> second = waitingWrite(1, 11);
        journal.failForces(thrown.getConstructor(String.class).newInstance("thrown by a test"));
        gate.open();
        before.result();
        assertThat(List.of(first.failure(), second.failure()))
                .as("what the two writes throw, one of which has written the journal")
                .hasAtLeastOneElementOfType(thrown)
                .hasAtLeastOneElementOfType(IOException.class);
        assertThat(steps).as("pages whose images were not forced").doesNotContain("pages write 0", "pages write 1");
        journal.failForces(null);
        store.write(0, image(1, 20));
        store.force(); // would wait for ever for a write that has ended
        assertHolds(0, 20);
    }

    /** A thread whose bytes another one reads does not leave before that has ended, even without memory to wait. */
    @Test
    void threadWhoseImagesAreTakenStaysWithoutMemoryToWait() {
        AtomicBoolean noMemory = new AtomicBoolean();
        JournalWriters writers = new JournalWriters(10) {
            @Override
            void await(Condition condition) {
                if (noMemory.getAndSet(false)) {
                    throw new OutOfMemoryError("thrown by a test");
                }
                super.await(condition);
            }
        };
        PageImages before = PageImages.ofRun(9, 1, image(1, 9));
        List<PageImages> own = writers.awaitJournal(before);
        List<Workers.Worker<List<PageImages>>> group = new ArrayList<>();
        for (int page = 0; page < 2; page++) {
            PageImages images = PageImages.ofRun(page, 1, image(1, page));
            Workers.Worker<List<PageImages>> worker = workers.start(() -> writers.awaitJournal(images));
            worker.awaitParked();
            group.add(worker);
        }
        writers.endJournal(own, null);
        Workers.await(() -> group.stream().anyMatch(Workers.Worker::isDone), "no thread writes to the journal");
        Workers.Worker<List<PageImages>> writer =
                group.stream().filter(Workers.Worker::isDone).findFirst().orElseThrow();
        Workers.Worker<List<PageImages>> taken = group.stream()
                .filter(worker -> !worker.equals(writer))
                .findFirst()
                .orElseThrow();
        taken.awaitParked();
        noMemory.set(true);
        writers.endInPlace(before); // wakes the thread, which must wait again
        Workers.await(() -> !noMemory.get(), "the thread does not wait again");
        taken.awaitParkedOrDone();
        assertThat(taken.isDone())
                .as("a thread leaves whose bytes are being read")
                .isFalse();
        writers.endJournal(writer.result(), null);
        assertThat(taken.result()).as("images that are left to write").isNull();
    }

    /** Otherwise threads that force all the time keep writes from the journal for ever. */
    @Test
    void writeComesBetweenTwoForcesThatFollowEachOther() throws IOException {
        Gate firstForce = pages.stop("force");
        Workers.Worker<Void> first = workers.run(store::force);
        firstForce.awaitReached();
        Workers.Worker<Void> write = waitingWrite(0, 10);
        Workers.Worker<Void> second = workers.run(store::force);
        second.awaitParked();
        firstForce.open();
        first.result();
        second.result();
        write.result();
        assertThat(steps)
                .as("a write that came during one force and before the next")
                .containsSubsequence("pages force", "pages write 0", "pages force");
    }
}
