// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.jmh;

import io.clockhand.PageId;
import io.clockhand.page.BufferPool;
import io.clockhand.page.PageGuard;
import io.clockhand.page.PageIn;
import io.clockhand.page.PageTableKind;
import io.clockhand.policy.ClockHand;
import java.io.IOException;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
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
 * long the longest 64 fixes of any thread took, and how often they took more than 5 ms: what the machine has of such pauses says {@link
 * MachinePausesBenchmark}.
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

    @Param({"CHAINED", "NON_BLOCKING_HASH_MAP"})
    public PageTableKind table;

    @Param({"COALESCED", "OPTIMISTIC"})
    public PageIn pageIn;

    @Param("BATCHED")
    public ClockHand hand;

    private BufferPool pool;
    private final Pauses pauses = new Pauses();

    @Setup
    public void open() throws IOException {
        pool = BufferPool.builder()
                .pageBytes(PageReader.PAGE_BYTES)
                .frames(FRAMES)
                .tuning(t -> t.table(table).pageIn(pageIn).hand(hand))
                .build();
        pool.open(0, new GeneratingStore(PAGES, PageReader.PAGE_BYTES));
    }

    @TearDown
    public void report() {
        System.out.println(pauses.report(table.name()));
    }

    /** A thread's guard and its pages. */
    @State(Scope.Thread)
    public static class Reading {
        private static final AtomicInteger STARTED = new AtomicInteger();

        private final SplittableRandom random = new SplittableRandom(STARTED.getAndIncrement());
        private final Pauses.Clock clock = new Pauses.Clock();
        private PageGuard guard;

        @Setup
        public void open(WideIdsBenchmark benchmark) {
            guard = benchmark.pool.newGuard();
        }

        @Setup(Level.Iteration)
        public void forgetTheGap() {
            clock.reset();
        }
    }

    /** The first iteration is the compiler's. */
    @TearDown(Level.Iteration)
    public void warmUp() {
        pauses.begin();
    }

    @Benchmark
    public long fix(Reading reading) throws IOException {
        reading.clock.tick(pauses);
        long id = PageId.of(0, reading.random.nextInt(PAGES));
        try (PageGuard page = reading.guard.fix(id)) {
            return page.getLong(0);
        }
    }
}
