// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.jmh;

import io.clockhand.PageId;
import io.clockhand.page.BufferPool;
import io.clockhand.page.OptimisticPage;
import io.clockhand.page.PageGuard;
import io.clockhand.page.PageView;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.CompilerControl;
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
 * The allocation of a hit whose guard is passed to a method that is not inlined, so the compiler cannot remove the
 * guard. Threads reuse the guards {@code owned} and {@code optimistic}; {@code fresh} is new for each fix.
 *
 * <pre>{@code java -jar jmh/target/benchmarks.jar GuardAllocation -prof gc}</pre>
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Fork(1)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 3, time = 1)
public class GuardAllocationBenchmark {
    private static final int PAGES = 1_000;

    @Param({"owned", "optimistic", "fresh"})
    public String guard;

    private BufferPool pool;

    @Setup
    public void fill() throws IOException {
        pool = BufferPool.builder()
                .pageBytes(PageReader.PAGE_BYTES)
                .frames(2 * PAGES)
                .build();
        pool.open(0, new GeneratingStore(PAGES, PageReader.PAGE_BYTES));
        for (int page = 0; page < PAGES; page++) {
            pool.fix(PageId.of(0, page)).close();
        }
    }

    /** A thread's guards. */
    @State(Scope.Thread)
    public static class Owned {
        private PageGuard guard;
        private OptimisticPage optimistic;
        private int at;

        @Setup
        public void open(GuardAllocationBenchmark benchmark) {
            guard = benchmark.pool.newGuard();
            optimistic = benchmark.pool.newOptimisticPage();
        }

        private long nextId() {
            return PageId.of(0, (at++ & Integer.MAX_VALUE) % PAGES);
        }
    }

    @CompilerControl(CompilerControl.Mode.DONT_INLINE)
    private static long look(PageView page) {
        return page.getLong(128);
    }

    @Benchmark
    public long read(Owned owned) throws IOException {
        long id = owned.nextId();
        switch (guard) {
            case "owned" -> {
                try (PageGuard page = owned.guard.fix(id)) {
                    return look(page);
                }
            }
            case "fresh" -> {
                try (PageGuard page = pool.fix(id)) {
                    return look(page);
                }
            }
            default -> {
                long value;
                do {
                    owned.optimistic.read(id);
                    value = look(owned.optimistic);
                } while (!owned.optimistic.validateAndRelease());
                return value;
            }
        }
    }
}
