// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.jmh;

import io.clockhand.PageId;
import io.clockhand.page.BufferPool;
import io.clockhand.page.WritablePage;
import java.io.IOException;
import java.util.SplittableRandom;
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
 * The cost of an update by itself; nanoseconds. A thread fixes one of 1,000 pages in memory exclusively, reads eight
 * bytes and unfixes it. {@code none} does no more; {@code update} also stores the eight bytes, raised by one, in an
 * update. The pages are never written, so after the first round each is dirty already.
 *
 * <p>A change saves what it overwrites; many changes save the page once. So {@code puts} and {@code pageBytes} matter.
 *
 * <pre>{@code
 * java -jar jmh/target/benchmarks.jar UpdateBenchmark -prof gc
 * java -cp jmh/target/benchmarks.jar io.clockhand.jmh.Duel UpdateBenchmark --between change=none,update
 * }</pre>
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(5)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class UpdateBenchmark {
    private static final int FILE = 0;
    private static final int PAGES = 1_000;
    private static final int LINE_BYTES = 64;

    @Param({"none", "update"})
    public String change;

    @Param("4096")
    public int pageBytes;

    /** How many numbers an update changes, each in a cache line of its own. */
    @Param("1")
    public int puts;

    private BufferPool pool;
    private boolean updates;

    @Setup
    public void fill() throws IOException {
        updates = switch (change) {
            case "none" -> false;
            case "update" -> true;
            default -> throw new IllegalArgumentException("no change " + change);
        };
        pool = BufferPool.builder()
                .pageBytes(pageBytes)
                .frames(2 * PAGES)
                .tuning(t -> t.flushThreads(0))
                .build();
        pool.open(FILE, new GeneratingStore(PAGES, pageBytes));
        for (int page = 0; page < PAGES; page++) {
            pool.fix(PageId.of(FILE, page)).close();
        }
    }

    /** A thread's page. */
    @State(Scope.Thread)
    public static class Owned {
        private static final AtomicInteger STARTED = new AtomicInteger();

        private final SplittableRandom random = new SplittableRandom(STARTED.getAndIncrement());
        private WritablePage page;

        @Setup
        public void open(UpdateBenchmark benchmark) {
            page = benchmark.pool.newWritablePage();
        }
    }

    @Benchmark
    public long fixExclusively(Owned owned) throws IOException {
        int number = owned.random.nextInt(PAGES);
        int offset = number * Long.BYTES % pageBytes;
        try (WritablePage fixed = owned.page.fix(PageId.of(FILE, number))) {
            long value = fixed.getLong(offset);
            if (updates) {
                fixed.beginUpdate();
                for (int i = 0; i < puts; i++) {
                    fixed.putLong((offset + i * LINE_BYTES) % pageBytes, value + 1);
                }
                fixed.endUnloggedUpdate();
            }
            return value;
        }
    }
}
