// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.jmh;

import io.clockhand.PageId;
import io.clockhand.page.BufferPool;
import io.clockhand.page.PageGuard;
import io.clockhand.page.PageIn;
import io.clockhand.page.PageTableKind;
import io.clockhand.policy.ClockHand;
import io.clockhand.policy.Policies;
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
 * The cost of a page-in in the pool itself, and the garbage of its page table when many different pages pass through:
 * threads fix random pages out of 100 million, in a pool of 10,000 frames, and the store generates the pages. {@code
 * -prof gc} shows the garbage. Prints at the end the longest time of 64 fixes of a thread, and how often 64 fixes took
 * more than 5 ms; {@link MachinePausesBenchmark} shows the machine's share of such pauses.
 *
 * <pre>{@code
 * java -jar jmh/target/benchmarks.jar WideIds -t 2 -prof gc
 * java -cp jmh/target/benchmarks.jar io.clockhand.jmh.Duel WideIds -p pageIn=COALESCED -t 2 \
 *     --between table=CHAINED,NON_BLOCKING_HASH_MAP
 * }</pre>
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

    @Param(Policies.DEFAULT)
    public String policy;

    private BufferPool pool;
    private final Pauses pauses = new Pauses();

    @Setup
    public void open() throws IOException {
        pool = BufferPool.builder()
                .pageBytes(PageReader.PAGE_BYTES)
                .frames(FRAMES)
                .policy(policy)
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

    /** The first iteration does not count: it is disturbed by compilation. */
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
