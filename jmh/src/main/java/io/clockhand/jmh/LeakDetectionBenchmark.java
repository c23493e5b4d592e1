// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.jmh;

import io.clockhand.PageId;
import io.clockhand.page.BufferPool;
import io.clockhand.page.PageGuard;
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
 * The cost of recording where each page was fixed; nanoseconds. A thread fixes one of 1,000 pages for reading, with a
 * guard of its own, reads eight bytes and unfixes the page. The fix is nested in {@code calls} calls; the benchmark's
 * own stack has some 20 more.
 *
 * <pre>{@code
 * java -jar jmh/target/benchmarks.jar LeakDetection -prof gc
 * java -cp jmh/target/benchmarks.jar io.clockhand.jmh.Duel LeakDetection -p calls=80 --between detection=off,on
 * }</pre>
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(1)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 3, time = 1)
public class LeakDetectionBenchmark {
    private static final int PAGES = 1_000;

    @Param({"off", "on"})
    public String detection;

    @Param({"0", "80"})
    public int calls;

    private BufferPool pool;

    @Setup
    public void fill() throws IOException {
        pool = BufferPool.builder()
                .pageBytes(PageReader.PAGE_BYTES)
                .frames(2 * PAGES)
                .detectLeaks(detection.equals("on"))
                .build();
        pool.open(0, new GeneratingStore(PAGES, PageReader.PAGE_BYTES));
        for (int page = 0; page < PAGES; page++) {
            pool.fix(PageId.of(0, page)).close();
        }
    }

    /** A thread's guard. */
    @State(Scope.Thread)
    public static class Owned {
        private PageGuard guard;
        private int at;

        @Setup
        public void open(LeakDetectionBenchmark benchmark) {
            guard = benchmark.pool.newGuard();
        }
    }

    @Benchmark
    public long read(Owned owned) throws IOException {
        return below(calls, owned);
    }

    @CompilerControl(CompilerControl.Mode.DONT_INLINE)
    private static long below(int more, Owned owned) throws IOException {
        if (more > 0) {
            return below(more - 1, owned);
        }
        try (PageGuard page = owned.guard.fix(PageId.of(0, (owned.at++ & Integer.MAX_VALUE) % PAGES))) {
            return page.getLong(128);
        }
    }
}
