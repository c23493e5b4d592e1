// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.jmh;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.clockhand.PageId;
import io.clockhand.page.BufferPool;
import io.clockhand.page.OptimisticPage;
import io.clockhand.page.PageGuard;
import io.clockhand.page.PageTableKind;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.function.LongConsumer;
import java.util.function.Supplier;

/** Reads eight bytes of resident pages, for one thread; it owns the guard or the optimistic page that it needs. */
interface PageReader {
    int PAGE_BYTES = 4096;
    /** The first id, outside the JDK's cache of boxed numbers. */
    int FIRST = 1024;

    /** {@return the offset of the eight bytes; offsets differ, so that pages use all sets of the processor's cache} */
    static int offset(long id) {
        return (int) id * 72 & PAGE_BYTES - Long.BYTES;
    }

    /** {@return eight bytes of a page} */
    long read(long id) throws IOException;

    /**
     * {@return a supplier of readers for the threads of a benchmark, over n resident pages from {@link #FIRST}}
     *
     * @param access a value of the benchmark's parameter {@code access}
     * @param policy the replacement policy, if it is a pool
     * @param table its page table
     * @param pages n
     * @param memory a value of the parameter {@code memory}, for accesses to a pool
     * @param advises whether a pool estimates its hit ratios at other sizes
     * @throws IOException never
     */
    static Supplier<PageReader> of(
            String access, String policy, PageTableKind table, int pages, String memory, boolean advises)
            throws IOException {
        return switch (access) {
            case "optimistic" -> {
                BufferPool pool = pool(policy, table, pages, memory, advises);
                yield () -> new Optimistic(pool.newOptimisticPage());
            }
            case "pinned" -> {
                BufferPool pool = pool(policy, table, pages, memory, advises);
                yield () -> new Pinned(pool.newGuard());
            }
            case "caffeine" -> {
                Cache<Long, ByteBuffer> cache =
                        Caffeine.newBuilder().maximumSize(2L * pages).build();
                fill(pages, id -> cache.put(id, page(id)));
                yield () -> id -> cache.getIfPresent(id).getLong(offset(id));
            }
            case "chm" -> {
                ConcurrentHashMap<Long, ByteBuffer> map = new ConcurrentHashMap<>(2 * pages);
                fill(pages, id -> map.put(id, page(id)));
                yield () -> id -> map.get(id).getLong(offset(id));
            }
            case "bare" -> {
                ByteBuffer[] all = new ByteBuffer[pages];
                fill(pages, id -> all[(int) id - FIRST] = page(id));
                yield () -> id -> all[(int) id - FIRST].getLong(offset(id));
            }
            case "counted" -> {
                ByteBuffer[] all = new ByteBuffer[pages];
                fill(pages, id -> all[(int) id - FIRST] = page(id));
                AtomicLongArray readers = new AtomicLongArray(pages * Counted.ROW);
                yield () -> new Counted(all, readers);
            }
            default -> throw new IllegalArgumentException("no access " + access);
        };
    }

    private static BufferPool pool(String policy, PageTableKind table, int pages, String memory, boolean advises)
            throws IOException {
        BufferPool pool = BufferPool.builder()
                .pageBytes(PAGE_BYTES)
                .frames(pages)
                .policy(policy)
                .tuning(t -> t.table(table).hugePages(!memory.equals("direct")).advises(advises))
                .build();
        String kind = pool.stats().memory().kind();
        if (memory.equals("huge") && !kind.startsWith("native")) {
            throw new IllegalStateException("the pool has " + kind);
        }
        int file = pool.open(0, new GeneratingStore(FIRST + pages, PAGE_BYTES)).number();
        for (int page = FIRST; page < FIRST + pages; page++) {
            pool.fix(PageId.of(file, page)).close();
        }
        return pool;
    }

    private static void fill(int pages, LongConsumer filler) {
        for (long page = FIRST; page < FIRST + pages; page++) {
            filler.accept(page);
        }
    }

    private static ByteBuffer page(long id) {
        return Slab.page().putLong(offset(id), id);
    }

    /** Lays the maps' pages out as the pool does: contiguous, in slabs. */
    final class Slab {
        private static final int PAGES = 512;
        private static ByteBuffer slab;
        private static int next = PAGES;

        private Slab() {}

        static ByteBuffer page() {
            if (next == PAGES) {
                slab = ByteBuffer.allocateDirect(PAGES * PAGE_BYTES);
                next = 0;
            }
            return slab.slice(next++ * PAGE_BYTES, PAGE_BYTES);
        }
    }

    /** Neither pins nor latches the page. */
    record Optimistic(OptimisticPage page) implements PageReader {
        @Override
        public long read(long id) throws IOException {
            long value;
            do {
                page.read(id);
                value = page.getLong(offset(id));
            } while (!page.validateAndRelease());
            return value;
        }
    }

    /** Counts itself among the page's readers, in a row of the size of a pool's; nobody heeds the number. */
    final class Counted implements PageReader {
        static final int ROW = 4;

        private final ByteBuffer[] all;
        private final AtomicLongArray readers;

        Counted(ByteBuffer[] all, AtomicLongArray readers) {
            this.all = all;
            this.readers = readers;
        }

        @Override
        public long read(long id) {
            int page = (int) id - FIRST;
            readers.getAndIncrement(page * ROW);
            long value = all[page].getLong(offset(id));
            readers.getAndDecrement(page * ROW);
            return value;
        }
    }

    /** Pins the page, and latches it for reading. */
    record Pinned(PageGuard guard) implements PageReader {
        @Override
        public long read(long id) throws IOException {
            try (PageGuard page = guard.fix(id)) {
                return page.getLong(offset(id));
            }
        }
    }
}
