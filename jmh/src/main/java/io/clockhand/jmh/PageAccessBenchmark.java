// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.jmh;

import io.clockhand.PageId;
import io.clockhand.page.BufferPool;
import io.clockhand.page.OptimisticPage;
import io.clockhand.page.PageGuard;
import io.clockhand.page.PageView;
import io.clockhand.page.WritablePage;
import io.clockhand.policy.Policies;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * What an engine pays from fix to close: a page of 4 KiB, resident, drawn at random, is fixed, used and unfixed.
 *
 * <ul>
 * <li>{@code search}: a binary search over 256 slots of two bytes, sorted by the keys of eight bytes that they lead to,
 * as in a node of a B-tree, for a key drawn at random: 8 steps, 16 reads, and two of the slot before that place.
 * <li>{@code read8}, {@code read45}: 8 and 45 reads of four bytes, the place of each found in the one before. A get in
 * a B-tree makes some 45.
 * <li>{@code next}: one read of eight bytes, so it is the change of page that costs.
 * <li>{@code same}: one read of eight bytes of a page that stays fixed.
 * </ul>
 *
 * <p>{@code pinned} fixes the page for reading; {@code optimistic} neither pins nor latches. {@code chm} looks the
 * boxed id up in the JDK's map, which holds a {@link ByteBuffer} of each page, and makes the same reads of that: no
 * pin, no latch, no eviction. The collector has promoted all of these objects before the measurement, as in an engine
 * that runs for a while.
 *
 * <pre>{@code
 * java -cp jmh/target/benchmarks.jar io.clockhand.jmh.Duel PageAccess.*read45 -p pages=200 \
 *     --between access=chm,pinned,optimistic
 * }</pre>
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(5)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 3, time = 1)
public class PageAccessBenchmark {
    private static final int PAGE_BYTES = PageReader.PAGE_BYTES;
    private static final int FIRST = PageReader.FIRST;
    private static final int SLOTS = 256;
    /** The keys of the slots begin here, shuffled; before them are the slots. */
    private static final int KEYS = SLOTS * Short.BYTES;

    private static final int DRAWS = 1 << 16;

    @Param({"chm", "pinned", "optimistic"})
    public String access;

    @Param({"200", "32768"})
    public int pages;

    /** Of a pool. */
    @Param(Policies.DEFAULT)
    public String policy;

    /** Or array. */
    @Param("chained")
    public String table;

    /**
     * Whether the number of the next page depends on what was read of this one, as in a tree. Else a processor that
     * reads ahead in the program begins with the next page while it waits for memory that this one needs.
     */
    @Param("false")
    public boolean dependent;

    private ConcurrentHashMap<Long, ByteBuffer> map;
    private BufferPool pool;
    private final long[] ids = new long[DRAWS];

    @Setup
    public void fill() throws IOException {
        SplittableRandom random = new SplittableRandom(1);
        for (int i = 0; i < DRAWS; i++) {
            ids[i] = PageId.of(0, FIRST + random.nextInt(pages));
        }
        if (access.equals("chm")) {
            map = new ConcurrentHashMap<>(2 * pages);
            for (int page = 0; page < pages; page++) {
                map.put(PageId.of(0, FIRST + page), PageReader.Slab.page().put(0, content(page)));
            }
        } else {
            pool = BufferPool.builder()
                    .pageBytes(PAGE_BYTES)
                    .frames(pages)
                    .policy(policy)
                    .tuning(t -> t.table(PageTables.labelled(table)).flushThreads(0))
                    .build();
            pool.open(0, new GeneratingStore(FIRST + pages, PAGE_BYTES));
            for (int page = 0; page < pages; page++) {
                try (WritablePage fixed = pool.fixExclusive(PageId.of(0, FIRST + page))) {
                    fixed.beginUpdate();
                    fixed.putBytes(0, content(page), 0, PAGE_BYTES);
                    fixed.endUnloggedUpdate();
                }
            }
        }
    }

    /** Slots in the order of their keys, which are multiples of 3; the keys lie in another order. */
    private static byte[] content(int page) {
        ByteBuffer bytes = ByteBuffer.allocate(PAGE_BYTES);
        int stride = 2 * page + 1;
        for (int slot = 0; slot < SLOTS; slot++) {
            int at = KEYS + (slot * stride & SLOTS - 1) * Long.BYTES;
            bytes.putShort(slot * Short.BYTES, (short) at);
            bytes.putLong(at, 3L * slot);
        }
        return bytes.array();
    }

    /** A thread's guards, and its position in the draws: every thread starts at another one. */
    @State(Scope.Thread)
    public static class Reading {
        private static final AtomicInteger STARTED = new AtomicInteger();

        private int at = STARTED.getAndIncrement() * 377_777;
        private ConcurrentHashMap<Long, ByteBuffer> map;
        private PageGuard guard;
        private OptimisticPage optimistic;
        private long[] ids;
        private ByteBuffer sameBuffer;
        private PageView samePage;
        private boolean dependent;
        /** Of the last page, or 0; not negative. */
        private long result;

        @Setup
        public void open(PageAccessBenchmark benchmark) throws IOException {
            map = benchmark.map;
            ids = benchmark.ids;
            dependent = benchmark.dependent;
            long first = PageId.of(0, FIRST);
            if (benchmark.access.equals("chm")) {
                sameBuffer = map.get(first);
            } else if (benchmark.access.equals("pinned")) {
                guard = benchmark.pool.newGuard();
                samePage = benchmark.pool.fix(first);
            } else {
                optimistic = benchmark.pool.newOptimisticPage();
                OptimisticPage same = benchmark.pool.newOptimisticPage();
                same.read(first);
                samePage = same;
            }
            System.gc(); // twice: the objects above are old now
            System.gc();
        }

        private int next() {
            return (at++ + (int) (result >>> (Long.SIZE - 1))) & (DRAWS - 1);
        }

        private long end(long of) {
            if (dependent) {
                result = of;
            }
            return of;
        }
    }

    /** What is done with a page, once for a pool's and once for a buffer. */
    private interface Use {
        long of(PageView page, int seed);

        long of(ByteBuffer page, int seed);
    }

    private static long use(Reading reading, Use use) throws IOException {
        int seed = reading.next();
        long id = reading.ids[seed];
        if (reading.map != null) {
            return reading.end(use.of(reading.map.get(id), seed));
        }
        if (reading.guard != null) {
            try (PageGuard page = reading.guard.fix(id)) {
                return reading.end(use.of(page, seed));
            }
        }
        OptimisticPage page = reading.optimistic;
        long result;
        do {
            page.read(id);
            result = use.of(page, seed);
        } while (!page.validateAndRelease());
        return reading.end(result);
    }

    // --- search ------------------------------------------------------------------------------------------------------

    private static final class Search implements Use {
        /** {@return a key that no processor can predict from the ones before; there is a slot before it} */
        private static long wanted(int seed) {
            return ((seed * 0x9E37_79B9_7F4A_7C15L) >>> 40) % (3 * SLOTS);
        }

        @Override
        public long of(PageView page, int seed) {
            long wanted = wanted(seed);
            int low = 0;
            int high = SLOTS - 1;
            while (low <= high) {
                int middle = (low + high) >>> 1;
                if (page.getLong(page.getUnsignedShort(middle * Short.BYTES)) <= wanted) {
                    low = middle + 1;
                } else {
                    high = middle - 1;
                }
            }
            return page.getLong(page.getUnsignedShort((low - 1) * Short.BYTES));
        }

        @Override
        public long of(ByteBuffer page, int seed) {
            long wanted = wanted(seed);
            int low = 0;
            int high = SLOTS - 1;
            while (low <= high) {
                int middle = (low + high) >>> 1;
                if (page.getLong(Short.toUnsignedInt(page.getShort(middle * Short.BYTES))) <= wanted) {
                    low = middle + 1;
                } else {
                    high = middle - 1;
                }
            }
            return page.getLong(Short.toUnsignedInt(page.getShort((low - 1) * Short.BYTES)));
        }
    }

    private static final Use SEARCH = new Search();

    @Benchmark
    public long search(Reading reading) throws IOException {
        return use(reading, SEARCH);
    }

    // --- reads -------------------------------------------------------------------------------------------------------

    private record Reads(int count) implements Use {
        private static final int MASK = PAGE_BYTES - Integer.BYTES;

        @Override
        public long of(PageView page, int seed) {
            int at = seed * 72 & MASK;
            for (int i = 0; i < count; i++) {
                at = (page.getInt(at) + at + 76) & MASK;
            }
            return at;
        }

        @Override
        public long of(ByteBuffer page, int seed) {
            int at = seed * 72 & MASK;
            for (int i = 0; i < count; i++) {
                at = (page.getInt(at) + at + 76) & MASK;
            }
            return at;
        }
    }

    private static final Use READ_8 = new Reads(8);
    private static final Use READ_45 = new Reads(45);

    @Benchmark
    public long read8(Reading reading) throws IOException {
        return use(reading, READ_8);
    }

    @Benchmark
    public long read45(Reading reading) throws IOException {
        return use(reading, READ_45);
    }

    private static final class Next implements Use {
        @Override
        public long of(PageView page, int seed) {
            return page.getLong(seed * 72 & PAGE_BYTES - Long.BYTES);
        }

        @Override
        public long of(ByteBuffer page, int seed) {
            return page.getLong(seed * 72 & PAGE_BYTES - Long.BYTES);
        }
    }

    private static final Use NEXT = new Next();

    @Benchmark
    public long next(Reading reading) throws IOException {
        return use(reading, NEXT);
    }

    // --- a page that stays fixed -------------------------------------------------------------------------------------

    @Benchmark
    public long same(Reading reading) {
        int at = reading.next() * 72 & PAGE_BYTES - Long.BYTES;
        return reading.map != null ? reading.sameBuffer.getLong(at) : reading.samePage.getLong(at);
    }
}
