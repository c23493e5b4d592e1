// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.page;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.clockhand.io.DoubleWritePageStore;
import io.clockhand.io.MemoryPageStore;
import io.clockhand.io.PageStore;
import io.clockhand.testing.Pools;
import io.clockhand.wal.WriteAheadLog;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Pages that cannot be written keep only themselves dirty: the other pages of their runs and batches are written. */
class OneBadPageTest {
    private static final int PAGE_BYTES = 512;
    private static final int PAGES = 12;

    private final Set<Long> bad = new TreeSet<>();

    /** A store that cannot write some pages, alone or in a run. */
    private PageStore store() {
        MemoryPageStore memory = new MemoryPageStore("orders", PAGE_BYTES);
        return (PageStore) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {PageStore.class}, (self, method, arguments) -> {
                    if (method.getName().equals("write") || method.getName().equals("writeRun")) {
                        long first = (Long) arguments[0];
                        int pages = ((ByteBuffer) arguments[1]).remaining() / PAGE_BYTES;
                        for (long page = first; page < first + pages; page++) {
                            if (bad.contains(page)) {
                                throw new IOException("bad sector of page " + page);
                            }
                        }
                    }
                    try {
                        return method.invoke(memory, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    @ParameterizedTest
    @CsvSource({"false, 3", "false, 0", "true, 7"})
    void otherPagesAreWritten(boolean journalled, long first) throws IOException {
        AtomicLong end = new AtomicLong();
        WriteAheadLog log = new WriteAheadLog() {
            @Override
            public long end() {
                return end.get();
            }

            @Override
            public void makeDurable(long lsn) {
                // it is
            }
        };
        PageStore store = store();
        BufferPool pool = Pools.builder()
                .pageBytes(PAGE_BYTES)
                .frames(16)
                .log(log)
                .tuning(t -> t.flushThreads(0))
                .build();
        PagedFile file = pool.open(
                1, journalled ? DoubleWritePageStore.open(store, new MemoryPageStore("journal", PAGE_BYTES)) : store);
        for (int i = 0; i < PAGES; i++) {
            try (WritablePage page = file.create()) {
                page.beginUpdate();
                page.putLong(0, i + 1);
                page.endUpdate(end.incrementAndGet());
            }
        }
        bad.addAll(Set.of(first, first + 2));
        for (int i = 0; i < 3; i++) {
            assertThatThrownBy(pool::flush)
                    .isInstanceOf(IOException.class)
                    .hasStackTraceContaining("bad sector of page " + first)
                    .hasStackTraceContaining("bad sector of page " + (first + 2));
            assertThat(pool.stats().writing().dirtyPages()).as("dirty pages").isEqualTo(2);
        }
        assertThat(pool.pages().dirty().oldest(end.get()))
                .as("redo begins at the change of the first bad page")
                .isEqualTo(first); // where the log ended when the change began
        bad.clear();
        pool.flush();
        assertThat(pool.stats().writing().dirtyPages()).isZero();
        pool.close();
    }
}
