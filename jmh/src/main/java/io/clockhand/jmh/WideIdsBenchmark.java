// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.jmh;

import io.clockhand.BufferPool;
import io.clockhand.LatchMode;
import io.clockhand.PageGuard;
import io.clockhand.PageId;
import io.clockhand.PageIn;
import io.clockhand.PageTableKind;
import io.clockhand.policy.ClockHand;
import java.io.IOException;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAccumulator;
import java.util.concurrent.atomic.LongAdder;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * What a page-in costs the pool itself, and what becomes of its table when many pages come and go: threads fix pages at random
 * out of 100 million, of which 10,000 fit in, and a store makes them up. {@code -prof gc} shows the garbage. Says at its end how
 * long the longest 64 fixes of any thread took, and how often they took more than 5 ms: whoever wants to know whose pauses those are
 * compares two tables in one run, and adds {@code -jvmArgs -Xlog:gc,safepoint}.
 *
 * <pre>{@code java -jar jmh/target/benchmarks.jar WideIds -t 2 -prof gc}</pre>
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Fork(5)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 3, time = 1)
public class WideIdsBenchmark {
    private static final int PAGES = 100_000_000;
    private static final int FRAMES = 10_000;
    private static final int TOGETHER = 64;
    private static final long PAUSE_NANOS = 5_000_000;

    @Param({"CHAINED", "CONCURRENT_HASH_MAP", "NON_BLOCKING_HASH_MAP"})
    public PageTableKind table;

    @Param({"COALESCED", "OPTIMISTIC"})
    public PageIn pageIn;

    @Param("BATCHED")
    public ClockHand hand;

    private BufferPool pool;
    private final LongAccumulator longest = new LongAccumulator(Math::max, 0);
    private volatile boolean warm;
    private final LongAdder pauses = new LongAdder();

    @Setup
    public void open() throws IOException {
        pool = BufferPool.builder()
                .pageBytes(PageReader.PAGE_BYTES)
                .frames(FRAMES)
                .table(table)
                .pageIn(pageIn)
                .hand(hand)
                .build();
        pool.open(new GeneratingStore(PAGES, PageReader.PAGE_BYTES));
    }

    @TearDown
    public void report() {
        System.out.printf(
                "%n%s: %d times did %d fixes take more than 5 ms; the longest took %.2f ms%n",
                table, pauses.sum(), TOGETHER, longest.get() / 1e6);
    }

    /** A thread's guard and its pages. */
    @State(Scope.Thread)
    public static class Reading {
        private static final AtomicInteger STARTED = new AtomicInteger();

        private final SplittableRandom random = new SplittableRandom(STARTED.getAndIncrement());
        private PageGuard guard;
        private long count;
        private long begin;

        @Setup
        public void open(WideIdsBenchmark benchmark) {
            guard = benchmark.pool.newGuard();
        }

        /** A look at the clock costs more than a fix, so it is taken now and then. */
        private void lookAtTheClock(WideIdsBenchmark benchmark) {
            if (++count % TOGETHER == 0) {
                long now = System.nanoTime();
                long took = now - begin;
                begin = now;
                if (took > PAUSE_NANOS && benchmark.warm) {
                    benchmark.longest.accumulate(took);
                    benchmark.pauses.increment();
                }
            }
        }

        @Setup(Level.Iteration)
        public void forgetTheGap() {
            count = 0;
            begin = System.nanoTime();
        }
    }

    /** The first iteration is the compiler's. */
    @TearDown(Level.Iteration)
    public void warmUp() {
        warm = true;
    }

    @Benchmark
    public long fix(Reading reading) throws IOException {
        reading.lookAtTheClock(this);
        long id = PageId.of(0, reading.random.nextInt(PAGES));
        try (PageGuard page = reading.guard.fix(id, LatchMode.SHARED)) {
            return page.getLong(0);
        }
    }
}
