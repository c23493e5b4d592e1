// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.page;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.clockhand.io.MemoryPageStore;
import io.clockhand.io.PageStore;
import io.clockhand.testing.Pools;
import java.io.IOException;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import jdk.jfr.consumer.RecordedEvent;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Stores that take a batch of the page writer in one call: which calls they get, and what a failure of one leaves. */
class BatchedWritesTest {
    private static final int PAGE_BYTES = 512;
    private static final int PAGES = 40;
    private static final int VALUE = 16;
    private static final String BATCH = "io.clockhand.BatchWrite";

    @TempDir
    private Path directory;

    private final List<String> calls = new ArrayList<>();
    private final MemoryPageStore first = new MemoryPageStore("a", PAGE_BYTES);
    private final MemoryPageStore second = new MemoryPageStore("b", PAGE_BYTES);
    /** Pages of the first store that cannot be written. */
    private final Set<Long> bad = new HashSet<>();
    /** Thrown by each batch of the first store, if it is not null. */
    private Throwable batchFailure;

    private int forces;
    private BufferPool pool;
    private PagedFile file;

    @BeforeEach
    void open() throws IOException {
        first.extend(PAGES);
        second.extend(PAGES);
        pool = Pools.builder()
                .pageBytes(PAGE_BYTES)
                .frames(24)
                .tuning(t -> t.flushThreads(0))
                .build();
        file = pool.open(1, recorded(first, true));
    }

    @AfterEach
    void close() throws IOException {
        pool.checkIntegrity();
        pool.closeWithoutWriting();
    }

    /** Notes the writes of a store, and fails those that the test chooses. */
    private PageStore recorded(MemoryPageStore store, boolean takesBatches) {
        InvocationHandler handler = (proxy, method, arguments) -> {
            if (method.getName().equals("writesBatches")) {
                return takesBatches;
            }
            if (method.getName().equals("writeBatch")) {
                onBatch(Arrays.copyOfRange((long[]) arguments[0], (int) arguments[1], (int) arguments[2]));
            }
            if (method.getName().equals("writeRun")) {
                onRun(store, (long) arguments[0], ((ByteBuffer) arguments[1]).remaining() / PAGE_BYTES);
            }
            if (method.getName().equals("force")) {
                forces++;
            }
            try {
                return method.invoke(store, arguments);
            } catch (InvocationTargetException e) {
                throw e.getCause();
            }
        };
        return (PageStore)
                Proxy.newProxyInstance(getClass().getClassLoader(), new Class<?>[] {PageStore.class}, handler);
    }

    private void onBatch(long[] pages) throws Throwable {
        calls.add("batch " + Arrays.toString(pages));
        if (batchFailure != null) {
            throw batchFailure;
        }
        for (long page : pages) {
            check(page);
        }
    }

    private void onRun(MemoryPageStore store, long page, int count) throws IOException {
        calls.add(store.name() + " " + page + " + " + count);
        for (long number = page; number < page + count; number++) {
            check(number);
        }
    }

    private void check(long page) throws IOException {
        if (bad.contains(page)) {
            throw new IOException("cannot write page " + page + " of a: injected");
        }
    }

    private void update(PagedFile changed, long... numbers) throws IOException {
        for (long number : numbers) {
            try (WritablePage page = pool.fixExclusive(changed.id(number))) {
                page.beginUpdate();
                page.putLong(VALUE, 100 + number);
                page.endUpdate(0);
            }
        }
    }

    private static void assertWritten(MemoryPageStore store, long... numbers) throws IOException {
        for (long number : numbers) {
            assertThat(longAt(store, number)).as("page %d", number).isEqualTo(100 + number);
        }
    }

    private static long longAt(MemoryPageStore store, long number) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate(PAGE_BYTES);
        store.read(number, bytes);
        return bytes.getLong(VALUE);
    }

    @Test
    void pagesOfOneFileAreOneCallWithOneCount() throws Exception {
        update(file, 2, 3, 7, 9);
        List<RecordedEvent> events = FlightRecordings.recorded(directory, BATCH, pool::flush);

        assertThat(calls).containsExactly("batch [2, 3, 7, 9]");
        assertWritten(first, 2, 3, 7, 9);
        WriteStats stats = pool.stats().writing();
        assertThat(stats.pagesWritten()).isEqualTo(4);
        assertThat(stats.writes()).isOne();
        assertThat(stats.batches()).isOne();
        assertThat(stats.failedWrites()).isZero();
        assertThat(stats.dirtyPages()).isZero();
        assertThat(events).hasSize(1);
        assertThat(events.get(0).getLong("page")).isEqualTo(2);
        assertThat(events.get(0).getInt("pagesWritten")).isEqualTo(4);
        assertThat(events.get(0).getInt("writes")).isOne();
    }

    @Test
    void oneRunIsWrittenAsARun() throws IOException {
        update(file, 4, 5, 6);
        pool.flush();
        update(file, 9);
        pool.flush();

        assertThat(calls).containsExactly("a 4 + 3", "a 9 + 1");
        assertWritten(first, 4, 5, 6, 9);
    }

    @Test
    void eachFileGetsItsOwnPagesInTheFormThatItWants() throws IOException {
        PagedFile other = pool.open(2, recorded(second, false));
        PagedFile third = pool.open(3, recorded(new MemoryPageStore("c", PAGE_BYTES), true));
        third.create().close();
        update(other, 1, 4, 5);
        update(file, 8, 20, 39);
        pool.flush();

        assertThat(calls).containsExactly("batch [8, 20, 39]", "b 1 + 1", "b 4 + 2");
        assertWritten(first, 8, 20, 39);
        assertWritten(second, 1, 4, 5);
    }

    @Test
    void pageThatCannotBeWrittenDoesNotKeepTheOthersOfItsBatchDirty() throws Exception {
        bad.add(7L);
        update(file, 2, 3, 7, 9, 12);
        List<RecordedEvent> events = FlightRecordings.recorded(
                directory,
                BATCH,
                () -> assertThatThrownBy(pool::flush)
                        .isInstanceOf(IOException.class)
                        .hasMessage("cannot write page 7 of a: injected"));

        assertThat(calls).containsExactly("batch [2, 3, 7, 9, 12]", "a 2 + 2", "a 7 + 1", "a 9 + 1", "a 12 + 1");
        assertWritten(first, 2, 3, 9, 12);
        assertThat(longAt(first, 7)).isZero();
        WriteStats stats = pool.stats().writing();
        assertThat(stats.pagesWritten()).isEqualTo(4);
        assertThat(stats.writes()).isEqualTo(3);
        assertThat(stats.failedWrites()).as("the batch and page 7").isEqualTo(2);
        assertThat(stats.batches()).isOne();
        assertThat(stats.dirtyPages()).isOne();
        assertThat(events).hasSize(1);
        assertThat(events.get(0).getInt("pagesWritten")).isEqualTo(4);
        assertThat(events.get(0).getInt("writes")).isEqualTo(5);

        bad.clear();
        pool.flush();
        assertWritten(first, 7);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void storeWhoseBatchesFailGetsRunsInstead(boolean unchecked) throws IOException {
        batchFailure = unchecked ? new IllegalStateException("no batches") : new IOException("no batches");
        PagedFile other = pool.open(2, recorded(second, false));
        update(file, 2, 7, 8);
        update(other, 1, 3);

        pool.flush();

        assertThat(calls).containsExactly("batch [2, 7, 8]", "a 2 + 1", "a 7 + 2", "b 1 + 1", "b 3 + 1");
        assertWritten(first, 2, 7, 8);
        assertThat(pool.stats().writing().failedWrites()).isOne();
        assertThat(pool.stats().writing().writes()).isEqualTo(4);
        assertThat(pool.stats().writing().dirtyPages()).isZero();
    }

    @Test
    void errorOfABatchLeavesItsPagesDirtyAndReleased() throws IOException {
        batchFailure = new OutOfMemoryError("injected");
        update(file, 2, 7, 8);

        assertThatThrownBy(pool::flush).isSameAs(batchFailure);

        assertThat(calls).containsExactly("batch [2, 7, 8]");
        assertThat(pool.stats().writing().dirtyPages()).isEqualTo(3);
        assertThat(pool.stats().writing().failedWrites()).isOne();
        batchFailure = null;
        pool.flush();
        assertWritten(first, 2, 7, 8);
    }

    /** A checkpoint that finds the pages clean must force them. */
    @Test
    void fileThatGotABatchIsForced() throws IOException {
        pool.checkpoint();
        update(file, 2, 7);
        pool.flush();
        int before = forces;
        pool.checkpoint();
        pool.checkpoint();
        assertThat(forces - before).as("forces after a batch and after none").isOne();
    }
}
