// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.lruc.pool;

import static io.clockhand.workbench.lruc.pool.ScriptedStore.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.clockhand.workbench.lruc.pool.Scheme.Flush;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class ListPoolFailuresTest {
    private static final int FRAMES = 4;
    private static final long MILLI = TimeUnit.MILLISECONDS.toNanos(1);

    private final ScriptedStore store = new ScriptedStore(50);

    private ListPool pool(String name) {
        return new ListPool(store, FRAMES, Scheme.of(name, FRAMES, 1).flushing(0));
    }

    private static void change(ComparedPool.PageUser user, long... pages) throws IOException {
        for (long page : pages) {
            user.use(page, true);
        }
    }

    @ParameterizedTest
    @MethodSource("io.clockhand.workbench.lruc.pool.Scheme#names")
    void failedReadLeavesTheFrameFree(String name) throws IOException {
        store.unreadable.add(7L);
        try (ListPool pool = pool(name)) {
            ComparedPool.PageUser user = pool.newUser();
            for (int i = 0; i < 3 * FRAMES; i++) {
                assertThatThrownBy(() -> user.use(7, true))
                        .isInstanceOf(IOException.class)
                        .hasMessageContaining("page 7");
            }
            change(user, 0, 1, 2, 3);
            assertThat(user.use(0, false)).isFalse();
            store.unreadable.clear();
            assertThat(user.use(7, true)).isTrue();
        }
        assertThat(store.changes(7)).isEqualTo(1);
    }

    @Test
    void failedWriteOfAReaderLeavesThePageDirtyAndOthersAreTriedFirst() throws IOException {
        store.unwritable.add(0L);
        try (ListPool pool = pool("vanilla")) {
            ComparedPool.PageUser user = pool.newUser();
            change(user, 0, 1, 2, 3);
            assertThatThrownBy(() -> user.use(10, false))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("page 0");
            assertThat(user.use(10, false)).isTrue();
            assertThat(user.use(0, true)).isFalse();
            store.unwritable.clear();
        }
        assertThat(store.changes(0)).isEqualTo(2);
        assertThat(store.changes(1)).isEqualTo(1);
    }

    @Test
    void failedWriteOfTheFlusherLeavesThePageDirty() throws IOException {
        store.unwritable.add(0L);
        Scheme scheme = new Scheme("lru-c", 1, false, 0, Flush.WHOLE_REGION, true, false, 1, MILLI, 4);
        try (ListPool pool = new ListPool(store, FRAMES, scheme)) {
            ComparedPool.PageUser user = pool.newUser();
            change(user, 0);
            user.use(1, false);
            user.use(2, false);
            user.use(3, false);
            user.use(4, false);
            await(() -> store.writes.size() == 1 && store.inFlight.get() == 0);
            assertThat(user.use(0, true)).isFalse();
            store.unwritable.clear();
        }
        assertThat(store.changes(0)).isEqualTo(2);
    }

    @Test
    void readerThatNeedsASlotGetsTheFailureOfOneThatCannotBeWritten() throws IOException {
        store.unwritable.add(0L);
        Scheme scheme = new Scheme("war", 1, true, 1, Flush.TAIL, false, false, 0, MILLI * 100_000, 4);
        try (ListPool pool = new ListPool(store, FRAMES, scheme)) {
            ComparedPool.PageUser user = pool.newUser();
            change(user, 0, 1, 2, 3);
            user.use(10, false);
            assertThatThrownBy(() -> {
                        user.use(11, false);
                        user.use(12, false);
                    })
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("page 0");
            store.unwritable.clear();
            user.use(0, true);
            assertThat(user.use(12, false)).isTrue();
        }
        assertThat(store.changes(0)).isEqualTo(2);
    }

    @ParameterizedTest
    @MethodSource("io.clockhand.workbench.lruc.pool.Scheme#names")
    void closeThrowsForAPageThatCannotBeWrittenAndWritesTheOthers(String name) throws IOException {
        ListPool pool = pool(name);
        change(pool.newUser(), 0, 1, 2, 3);
        store.unwritable.add(1L);
        assertThatThrownBy(pool::close).isInstanceOf(IOException.class).hasMessageContaining("page 1");

        assertThat(store.changes(0) + store.changes(2) + store.changes(3)).isEqualTo(3);
        pool.close();
    }

    @Test
    void closedPoolCannotBeUsed() throws IOException {
        ListPool pool = pool("vanilla");
        ComparedPool.PageUser user = pool.newUser();
        user.use(1, true);
        pool.close();
        assertThatThrownBy(() -> user.use(1, true)).isInstanceOf(IOException.class);
        assertThat(store.changes(1)).isEqualTo(1);
    }

    @Test
    void pageWithAnotherContentIsReported() throws IOException {
        store.write(3, ByteBuffer.allocate(ScriptedStore.PAGE_BYTES).putLong(0, 42));
        try (ListPool pool = pool("vanilla")) {
            assertThatThrownBy(() -> pool.newUser().use(3, false))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("page 3")
                    .hasMessageContaining("no page's");
        }
    }
}
