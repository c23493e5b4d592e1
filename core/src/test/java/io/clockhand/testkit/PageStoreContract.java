// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.clockhand.io.PageStore;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/**
 * The contract of {@link PageStore} as tests. A subclass opens the store:
 *
 * <pre>{@code
 * class MyStoreTest extends PageStoreContract {
 *     @TempDir
 *     private Path folder;
 *
 *     @Override
 *     protected PageStore open() throws IOException {
 *         return MyStore.open(folder.resolve("pages"), pageBytes());
 *     }
 * }
 * }</pre>
 *
 * <p>JUnit creates an instance for each test, so each test has a store of its own. Two things cannot be observed here
 * and must be tested elsewhere: the state after a crash, and short transfers of the device.
 */
public abstract class PageStoreContract {
    private static final int THREADS = 4;
    private static final long LIMIT_SECONDS = 60;
    private static final int INTERRUPTS = 1_000;

    /** Creates the tests. */
    protected PageStoreContract() {}

    /**
     * Opens the store of the current test. Its first call in a test opens an empty store. The tests close a store
     * before they open it again; then it has the same pages, if it {@linkplain #isPersistent is persistent} and was
     * not deleted.
     *
     * @return the store, which the test closes
     * @throws IOException if it cannot be opened
     */
    protected abstract PageStore open() throws IOException;

    /** {@return the page size of the store in bytes; 4,096 if not overridden} */
    protected int pageBytes() {
        return 4096;
    }

    /** {@return whether the store keeps its pages when it is closed and opened again; true if not overridden} */
    protected boolean isPersistent() {
        return true;
    }

    /**
     * {@return the number of a page that is written far behind the end of the store; greater than an int if not
     * overridden. A store of limited size returns less}
     */
    protected long farPage() {
        return (1L << 31) + 5;
    }

    // --- bytes -------------------------------------------------------------------------------------------------------

    @Test
    void newStoreIsEmptyAndHasItsPageSizeAndAName() throws IOException {
        try (PageStore store = open()) {
            assertThat(store.pages()).isZero();
            assertThat(store.pageBytes()).isEqualTo(pageBytes());
            assertThat(store.name()).isNotBlank();
            assertThatThrownBy(() -> read(store, 0)).isInstanceOf(EOFException.class);
        }
    }

    @Test
    void readReturnsTheBytesOfTheLatestWrite() throws IOException {
        try (PageStore store = open()) {
            for (int page = 0; page < 3; page++) {
                write(store, page, 10 + page);
            }
            write(store, 1, 21);

            assertThat(store.pages()).isEqualTo(3);
            assertThat(read(store, 0)).isEqualTo(10);
            assertThat(read(store, 1)).isEqualTo(21);
            assertThat(read(store, 2)).isEqualTo(12);
        }
    }

    @Test
    void buffersOfEveryKindAreTransferredFromPositionToLimitOnly() throws IOException {
        int bytes = pageBytes();
        try (PageStore store = open()) {
            long value = 0;
            for (boolean direct : new boolean[] {false, true}) {
                for (int offset : new int[] {0, 1, 8, bytes}) {
                    value++;
                    ByteBuffer source = allocate(direct, offset + bytes + 8);
                    fill(source.position(offset).limit(offset + bytes), value);
                    ByteBuffer readOnly = source.position(offset).asReadOnlyBuffer();
                    store.write(1, readOnly);
                    assertThat(readOnly.position())
                            .as("all of the source is consumed")
                            .isEqualTo(offset + bytes);
                    assertThat(readOnly.limit()).isEqualTo(offset + bytes);

                    ByteBuffer target = allocate(direct, offset + bytes + 8);
                    store.read(1, target.position(offset).limit(offset + bytes));
                    assertThat(target.position())
                            .as("all of the target is filled")
                            .isEqualTo(offset + bytes);
                    assertThat(target.limit()).isEqualTo(offset + bytes);
                    target.clear();
                    for (int at = 0; at < target.capacity(); at++) {
                        boolean inside = at >= offset && at < offset + bytes;
                        byte expected = inside ? source.get(at) : 0;
                        if (target.get(at) != expected) {
                            assertThat(target.get(at))
                                    .as("byte %d of a %s buffer with offset %d", at, direct ? "direct" : "heap", offset)
                                    .isEqualTo(expected);
                        }
                    }
                }
            }
        }
    }

    @Test
    void writeBehindTheEndExtendsTheStoreWithZeros() throws IOException {
        try (PageStore store = open()) {
            write(store, 4, 9);

            assertThat(store.pages()).isEqualTo(5);
            for (int page = 0; page < 4; page++) {
                assertThat(read(store, page)).isZero();
            }
            assertThat(read(store, 4)).isEqualTo(9);
        }
    }

    @Test
    void farPageIsWrittenAndRead() throws IOException {
        long far = farPage();
        try (PageStore store = open()) {
            write(store, far, 3);

            assertThat(store.pages()).isEqualTo(far + 1);
            assertThat(read(store, far)).isEqualTo(3);
            assertThat(read(store, far - 1)).isZero();
            store.truncate(1);
            assertThat(store.pages()).isEqualTo(1);
        }
    }

    @Test
    void storeThatIsOpenedAgainHasThePagesThatWereForced() throws IOException {
        assumeTrue(isPersistent(), "the store does not keep its pages");
        try (PageStore store = open()) {
            write(store, 0, 7);
            write(store, 2, 9);
            store.force();
        }
        try (PageStore store = open()) {
            assertThat(store.pages()).isEqualTo(3);
            assertThat(read(store, 0)).isEqualTo(7);
            assertThat(read(store, 1)).isZero();
            assertThat(read(store, 2)).isEqualTo(9);
        }
    }

    // --- errors ------------------------------------------------------------------------------------------------------

    @Test
    void readBehindTheEndNamesStoreAndPage() throws IOException {
        try (PageStore store = open()) {
            write(store, 0, 1);

            for (long page : new long[] {1, 4711, farPage()}) {
                assertThatThrownBy(() -> read(store, page))
                        .isInstanceOf(EOFException.class)
                        .hasMessageContaining(store.name())
                        .hasMessageContaining(String.valueOf(page));
            }
            assertThat(store.pages()).as("a read does not extend the store").isEqualTo(1);
            assertThat(read(store, 0)).isEqualTo(1);
        }
    }

    @Test
    void negativePageIsRefused() throws IOException {
        try (PageStore store = open()) {
            write(store, 0, 1);

            assertRefused(store, () -> read(store, -1));
            assertRefused(store, () -> write(store, -1, 2));
            assertRefused(store, () -> store.truncate(-1));
            assertThat(store.pages()).isEqualTo(1);
            assertThat(read(store, 0)).isEqualTo(1);
        }
    }

    @Test
    void bufferOfAnotherSizeIsRefused() throws IOException {
        try (PageStore store = open()) {
            write(store, 0, 1);

            for (int bytes : new int[] {0, pageBytes() - 1, pageBytes() + 1, 2 * pageBytes()}) {
                assertRefused(store, () -> store.read(0, ByteBuffer.allocate(bytes)));
                assertRefused(store, () -> store.write(0, ByteBuffer.allocate(bytes)));
            }
            assertThat(read(store, 0)).isEqualTo(1);
        }
    }

    @Test
    void closedStoreFailsEveryTransferByName() throws IOException {
        PageStore store = open();
        write(store, 0, 1);
        store.close();

        assertFails(store, () -> read(store, 0));
        assertFails(store, () -> write(store, 0, 2));
        assertFails(store, store::force);
        assertFails(store, () -> store.truncate(0));
        assertThatCode(store::close).as("closed again").doesNotThrowAnyException();
    }

    // --- length ------------------------------------------------------------------------------------------------------

    @Test
    void truncatedStoreGrowsAgainWithZeros() throws IOException {
        try (PageStore store = open()) {
            for (int page = 0; page < 4; page++) {
                write(store, page, page + 1);
            }
            store.truncate(1);
            assertThat(store.pages()).isEqualTo(1);
            assertThatThrownBy(() -> read(store, 1)).isInstanceOf(EOFException.class);

            write(store, 3, 9);
            assertThat(store.pages()).isEqualTo(4);
            assertThat(read(store, 0)).isEqualTo(1);
            assertThat(read(store, 1)).isZero();
            assertThat(read(store, 2)).isZero();
            assertThat(read(store, 3)).isEqualTo(9);
        }
    }

    @Test
    void truncationToTheSameLengthChangesNothingAndToZeroRemovesEveryPage() throws IOException {
        try (PageStore store = open()) {
            write(store, 0, 1);
            write(store, 1, 2);
            store.truncate(2);
            assertThat(store.pages()).isEqualTo(2);
            assertThat(read(store, 1)).isEqualTo(2);

            store.truncate(0);
            assertThat(store.pages()).isZero();
            assertThatThrownBy(() -> read(store, 0)).isInstanceOf(EOFException.class);
        }
    }

    @Test
    void deletedStoreIsClosedAndEmptyWhenItIsOpenedAgain() throws IOException {
        PageStore deleted = open();
        write(deleted, 1, 1);
        deleted.delete();

        assertFails(deleted, () -> read(deleted, 1));
        deleted.close();
        try (PageStore store = open()) {
            assertThat(store.pages()).isZero();
        }
    }

    // --- threads -----------------------------------------------------------------------------------------------------

    @Test
    void oneOwnerTakesTheStore() throws Exception {
        try (PageStore store = open()) {
            AtomicInteger owners = new AtomicInteger();
            atOnce(thread -> owners.addAndGet(store.tryOwn() ? 1 : 0));

            assertThat(owners).hasValue(1);
            assertThat(store.tryOwn()).isFalse();
        }
    }

    @Test
    void threadsExtendTheStoreTogether() throws Exception {
        int pages = 50 * THREADS;
        try (PageStore store = open()) {
            atOnce(thread -> {
                long before = 0;
                for (int page = thread; page < pages; page += THREADS) {
                    write(store, page, page);
                    long now = store.pages();
                    assertThat(now).as("the length").isGreaterThanOrEqualTo(Math.max(before, page + 1));
                    before = now;
                }
                return null;
            });
            assertThat(store.pages()).isEqualTo(pages);
            for (int page = 0; page < pages; page++) {
                assertThat(read(store, page)).isEqualTo(page);
            }
        }
    }

    @Test
    void threadsReadAndWriteTheirPagesWithoutMixingThem() throws Exception {
        try (PageStore store = open()) {
            atOnce(thread -> {
                SplittableRandom random = new SplittableRandom(thread);
                long[] written = new long[8];
                for (int step = 0; step < 300; step++) {
                    int slot = random.nextInt(written.length);
                    long page = thread + (long) THREADS * slot;
                    if (written[slot] == 0 || random.nextBoolean()) {
                        written[slot] = random.nextLong();
                        write(store, page, written[slot]);
                    } else {
                        assertThat(read(store, page)).isEqualTo(written[slot]);
                    }
                    if (step % 100 == 0) {
                        store.force();
                    }
                }
                return null;
            });
        }
    }

    @Test
    void threadsReadOnePageTogether() throws Exception {
        try (PageStore store = open()) {
            write(store, 0, 5);
            atOnce(thread -> {
                for (int step = 0; step < 300; step++) {
                    assertThat(read(store, 0)).isEqualTo(5);
                }
                return null;
            });
        }
    }

    // --- interrupts --------------------------------------------------------------------------------------------------

    @Test
    void interruptedThreadFinishesItsCallAndStaysInterrupted() throws Exception {
        try (PageStore store = open()) {
            onItsOwnThread(() -> {
                write(store, 0, 1);
                interrupted(() -> write(store, 1, 5));
                interrupted(() -> assertThat(read(store, 1)).isEqualTo(5));
                interrupted(store::force);
                interrupted(() -> assertThat(store.pages()).isEqualTo(2));
                interrupted(() -> store.truncate(1));
                assertThat(store.pages()).isEqualTo(1);
                interrupted(store::delete);
                return null;
            });
        }
    }

    @Test
    void interruptsOfSomeThreadsDisturbNeitherThemNorOthers() throws Exception {
        int pages = 16;
        try (PageStore store = open()) {
            for (int page = 0; page < pages; page++) {
                write(store, page, page);
            }
            CountDownLatch over = new CountDownLatch(1);
            List<Worker<Integer>> readers = new ArrayList<>();
            for (int thread = 0; thread < THREADS; thread++) {
                readers.add(new Worker<>(() -> {
                    int reads = 0;
                    do {
                        assertThat(read(store, reads % pages)).isEqualTo(reads % pages);
                        reads++;
                    } while (over.getCount() > 0);
                    return reads;
                }));
            }
            try {
                for (int i = 0; i < INTERRUPTS; i++) {
                    readers.get(i % (THREADS / 2)).thread.interrupt(); // the other half are bystanders
                    assertThat(read(store, i % pages)).isEqualTo(i % pages);
                }
            } finally {
                over.countDown();
            }
            for (Worker<Integer> reader : readers) {
                assertThat(reader.result()).isPositive();
            }
        }
    }

    // --- helpers -----------------------------------------------------------------------------------------------------

    private interface Work {
        void run() throws Exception;
    }

    private interface WorkOf<T> {
        T run(int thread) throws Exception;
    }

    private static final class Worker<T> {
        private final FutureTask<T> task;
        private final Thread thread;

        Worker(Callable<T> work) {
            task = new FutureTask<>(work);
            thread = new Thread(task, "page store contract");
            thread.setDaemon(true); // a test that fails leaves no thread that keeps the JVM alive
            thread.start();
        }

        T result() throws Exception {
            try {
                return task.get(LIMIT_SECONDS, TimeUnit.SECONDS);
            } catch (ExecutionException e) {
                throw new AssertionError("a thread failed: " + e.getCause(), e.getCause());
            } catch (TimeoutException e) {
                AssertionError stuck = new AssertionError("a thread does not end within " + LIMIT_SECONDS + " s", e);
                stuck.setStackTrace(thread.getStackTrace());
                throw stuck;
            }
        }
    }

    private static <T> void atOnce(WorkOf<T> work) throws Exception {
        CountDownLatch start = new CountDownLatch(1);
        List<Worker<T>> workers = new ArrayList<>();
        for (int thread = 0; thread < THREADS; thread++) {
            int number = thread;
            workers.add(new Worker<>(() -> {
                start.await();
                return work.run(number);
            }));
        }
        start.countDown();
        for (Worker<T> worker : workers) {
            worker.result();
        }
    }

    private static void onItsOwnThread(Callable<Void> work) throws Exception {
        new Worker<>(work).result();
    }

    private static void interrupted(Work work) throws Exception {
        Thread.currentThread().interrupt();
        work.run();
        assertThat(Thread.interrupted()).as("the thread is still interrupted").isTrue();
    }

    private static void assertRefused(PageStore store, ThrowingCallable call) {
        assertThatThrownBy(call).isInstanceOf(IllegalArgumentException.class).hasMessageContaining(store.name());
    }

    private static void assertFails(PageStore store, ThrowingCallable call) {
        assertThatThrownBy(call).isInstanceOf(IOException.class).hasMessageContaining(store.name());
    }

    private static ByteBuffer allocate(boolean direct, int bytes) {
        return direct ? ByteBuffer.allocateDirect(bytes) : ByteBuffer.allocate(bytes);
    }

    private static void fill(ByteBuffer bytes, long value) {
        while (bytes.hasRemaining()) {
            bytes.putLong(value);
        }
    }

    private void write(PageStore store, long page, long value) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocateDirect(pageBytes());
        fill(bytes, value);
        store.write(page, bytes.flip());
        assertThat(bytes.remaining()).as("all of the page is written").isZero();
    }

    private long read(PageStore store, long page) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocateDirect(pageBytes());
        store.read(page, bytes);
        assertThat(bytes.remaining()).as("all of the page is read").isZero();
        long value = bytes.getLong(0);
        for (int at = 0; at < pageBytes(); at += Long.BYTES) {
            if (bytes.getLong(at) != value) {
                throw new AssertionError("page " + page + " is a mixture of " + value + " and " + bytes.getLong(at));
            }
        }
        return value;
    }
}
