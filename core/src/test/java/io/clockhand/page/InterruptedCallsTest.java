// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.page;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.clockhand.cache.HolderCache;
import io.clockhand.cache.HolderLifecycle;
import io.clockhand.io.MemoryPageStore;
import io.clockhand.io.PageStore;
import io.clockhand.space.FreeSpaceMap;
import io.clockhand.space.SpaceLog;
import io.clockhand.testing.Pools;
import io.clockhand.testing.Workers;
import io.clockhand.wal.WriteAheadLog;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntPredicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** An interrupted thread calls code of the engine with a clear flag, which it has again afterwards. */
class InterruptedCallsTest {
    private static final int PAGE_BYTES = 512;
    /** They tell what a store is, and do nothing. */
    private static final Set<String> ATTRIBUTES = Set.of(
            "PageStore.name",
            "PageStore.ownBytes",
            "PageStore.pageBytes",
            "PageStore.isReadOnly",
            "PageStore.needsFirstWrite",
            "PageStore.readsRuns",
            "PageStore.hasAnyLength",
            "PageStore.systemReadsAhead",
            "PageStore.writesBatches");

    @RegisterExtension
    private final Workers workers = new Workers();

    private final Set<String> called = ConcurrentHashMap.newKeySet();
    private final Set<String> calledWithTheFlag = ConcurrentHashMap.newKeySet();

    @BeforeEach
    void interrupt() {
        Thread.currentThread().interrupt();
    }

    @AfterEach
    void clear() {
        Thread.interrupted();
    }

    private void expect(String... calls) {
        assertThat(Thread.interrupted()).as("the flag in the end").isTrue();
        assertThat(called).as("calls of the engine's code").contains(calls);
        assertThat(calledWithTheFlag).as("calls that find the flag").isEmpty();
    }

    private <T> T watched(Class<T> type, T real) {
        Object proxy = Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {type}, (self, method, arguments) -> {
                    String call = type.getSimpleName() + "." + method.getName();
                    called.add(call);
                    if (Thread.currentThread().isInterrupted()) {
                        calledWithTheFlag.add(call);
                    }
                    try {
                        return method.invoke(real, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
        return type.cast(proxy);
    }

    /** A log that ends with the last record that was appended. */
    private static final class Log implements WriteAheadLog {
        final AtomicLong end = new AtomicLong();
        final AtomicBoolean fails = new AtomicBoolean();

        long append() {
            return end.incrementAndGet();
        }

        @Override
        public long end() {
            return end.get();
        }

        @Override
        public void makeDurable(long lsn) throws IOException {
            if (fails.get()) {
                throw new IOException("the log has no space");
            }
        }
    }

    private static void change(WritablePage page, Log log) {
        page.beginUpdate();
        page.putLong(0, 1);
        page.endUpdate(log.append());
    }

    @Test
    void storeOfAPoolThatReadsRuns() throws IOException {
        StampedStore store = new StampedStore(100);
        store.readRuns(page -> StampedStore.Outcome.GOOD);
        try (BufferPool pool = SmallPools.small().frames(40).build()) {
            PagedFile file = pool.open(0, watched(PageStore.class, store));
            for (int page = 0; page < 5; page++) {
                pool.fix(file.id(page)).close();
            }
        }
        calledWithTheFlag.removeAll(ATTRIBUTES);
        expect("PageStore.read", "PageStore.readRun", "PageStore.close");
    }

    @Test
    void storeAndLogOfAPool() throws IOException {
        Log log = new Log();
        BufferPool pool = Pools.builder()
                .pageBytes(PAGE_BYTES)
                .frames(8)
                .log(watched(WriteAheadLog.class, log))
                .sharedUpdates(watched(IntPredicate.class, number -> number == 1))
                .tuning(t -> t.flushThreads(0))
                .build();
        PagedFile file = pool.open(0, watched(PageStore.class, new MemoryPageStore("memory", PAGE_BYTES)));
        for (int i = 0; i < 40; i++) { // more than there are frames: misses write pages
            try (WritablePage page = file.create()) {
                change(page, log);
            }
        }
        pool.fix(file.id(1)).close();
        pool.flush();
        pool.checkpoint();
        file.force();
        file.truncate(2);
        file.drop();
        pool.open(1, watched(PageStore.class, new MemoryPageStore("other", PAGE_BYTES)))
                .close();
        pool.close();
        calledWithTheFlag.removeAll(ATTRIBUTES);
        expect(
                "PageStore.pages",
                "PageStore.read",
                "PageStore.writeRun",
                "PageStore.extend",
                "PageStore.truncate",
                "PageStore.force",
                "PageStore.delete",
                "PageStore.close",
                "WriteAheadLog.end",
                "WriteAheadLog.makeDurable",
                "IntPredicate.test");
    }

    @Test
    void flagIsRestoredWhenTheCallThrows() throws IOException {
        Log log = new Log();
        try (BufferPool pool = Pools.builder()
                .pageBytes(PAGE_BYTES)
                .log(watched(WriteAheadLog.class, log))
                .build()) {
            PagedFile file = pool.open(0, new MemoryPageStore("memory", PAGE_BYTES));
            try (WritablePage page = file.create()) {
                change(page, log);
            }
            log.fails.set(true);
            assertThatThrownBy(pool::flush).hasStackTraceContaining("the log has no space");
            log.fails.set(false);
        }
        expect("WriteAheadLog.makeDurable");
    }

    @Test
    void interruptThatComesDuringTheCallStays() throws IOException {
        assertThat(Thread.interrupted()).isTrue();
        WriteAheadLog log = new WriteAheadLog() {
            @Override
            public long end() {
                return 0;
            }

            @Override
            public void makeDurable(long lsn) {
                Thread.currentThread().interrupt();
            }
        };
        try (BufferPool pool = Pools.builder()
                .pageBytes(PAGE_BYTES)
                .log(log)
                .tuning(t -> t.flushThreads(0))
                .build()) {
            PagedFile file = pool.open(0, new MemoryPageStore("memory", PAGE_BYTES));
            try (WritablePage page = file.create()) {
                page.beginUpdate();
                page.endUpdate(0);
            }
            pool.flush();
            assertThat(Thread.interrupted()).isTrue();
        }
    }

    @Test
    void handlerOfLongWaits() throws Exception {
        BufferPool pool = Pools.builder()
                .pageBytes(PAGE_BYTES)
                .frames(4)
                .waitTimeout(Duration.ofMillis(1))
                .onLongWait((what, waited) -> {
                    called.add("handler");
                    if (Thread.currentThread().isInterrupted()) {
                        calledWithTheFlag.add("handler");
                    }
                    throw new IllegalStateException("waited for " + what);
                })
                .build();
        PagedFile file = pool.open(0, new MemoryPageStore("memory", PAGE_BYTES));
        AtomicBoolean over = new AtomicBoolean();
        AtomicBoolean has = new AtomicBoolean();
        Workers.Worker<Void> owner = workers.run(() -> {
            try (WritablePage page = file.create()) {
                has.set(true);
                while (!over.get()) {
                    LockSupport.parkNanos(1_000_000);
                }
            }
        });
        Workers.await(has::get, "the page is not created");
        assertThatThrownBy(() -> pool.fix(file.id(0))).hasMessageContaining("waited for");
        boolean interrupted = Thread.interrupted(); // or the next wait, which is the test's, would end
        over.set(true);
        owner.result();
        pool.close();
        assertThat(interrupted).as("the flag after the handler").isTrue();
        interrupt();
        expect("handler");
    }

    @Test
    void logOfAFreeSpaceMap() throws IOException {
        AtomicLong lsn = new AtomicLong();
        SpaceLog log = watched(SpaceLog.class, new SpaceLog() {
            @Override
            public long change(long page, int mask, int bits) {
                return lsn.incrementAndGet();
            }

            @Override
            public long creation(long mapPage) {
                return lsn.incrementAndGet();
            }
        });
        try (BufferPool pool = Pools.builder()
                .pageBytes(PAGE_BYTES)
                .sharedUpdates(file -> true)
                .build()) {
            FreeSpaceMap map = FreeSpaceMap.open(pool, pool.open(0, new MemoryPageStore("map", PAGE_BYTES)), log);
            map.free(map.allocate());
        }
        expect("SpaceLog.change", "SpaceLog.creation");
    }

    /** A holder of a number. */
    private static final class Holder {
        private int key = -1;
        private boolean dirty;
    }

    /** Loads and writes nothing. */
    private static final class Lifecycle implements HolderLifecycle<Integer, Holder, IOException> {
        @Override
        public Holder allocate() {
            return new Holder();
        }

        @Override
        public Holder load(Holder holder, Integer key) {
            holder.key = key;
            return holder;
        }

        @Override
        public Holder create(Holder holder, Integer key, Object parameter) {
            return load(holder, key);
        }

        @Override
        public Integer keyOf(Holder holder) {
            return holder.key;
        }

        @Override
        public boolean isDirty(Holder holder) {
            return holder.dirty;
        }

        @Override
        public void clean(Holder holder, boolean removing) {
            holder.dirty = false;
        }

        @Override
        public void clear(Holder holder) {
            holder.key = -1;
        }
    }

    @Test
    @SuppressWarnings("unchecked")
    void lifecycleAndCleanerOfACache() throws IOException {
        HolderCache<Integer, Holder, IOException> cache = HolderCache.builder(
                        (HolderLifecycle<Integer, Holder, IOException>) watched(HolderLifecycle.class, new Lifecycle()))
                .frames(2)
                .build();
        cache.useCleaner(watched(Runnable.class, () -> {}));
        for (int key = 0; key < 20; key++) {
            Holder holder = key % 2 == 0 ? cache.find(key) : cache.create(key, null);
            holder.dirty = true;
            cache.release(holder);
        }
        cache.cleanAll();
        cache.close();
        calledWithTheFlag.removeAll(Set.of("HolderLifecycle.idOf", "HolderLifecycle.keyOf")); // as a hit calls them
        expect(
                "HolderLifecycle.allocate",
                "HolderLifecycle.load",
                "HolderLifecycle.create",
                "HolderLifecycle.isDirty",
                "HolderLifecycle.clean",
                "HolderLifecycle.clear",
                "Runnable.run");
    }
}
