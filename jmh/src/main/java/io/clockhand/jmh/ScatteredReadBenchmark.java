// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.jmh;

import io.clockhand.PageId;
import io.clockhand.page.BufferPool;
import io.clockhand.page.OptimisticGroup;
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
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Groups of sixteen random pages, most of which are absent: a pool of 10,000 frames over a million pages, whose store
 * takes {@code readMicros} for a read. With {@code prefetch} the ids are prefetched before the group is read.
 *
 * <pre>{@code
 * java -cp jmh/target/benchmarks.jar io.clockhand.jmh.Duel ScatteredRead -t 1 --between prefetch=false,true
 * }</pre>
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@Fork(5)
@Warmup(iterations = 2, time = 1)
@Measurement(iterations = 3, time = 1)
public class ScatteredReadBenchmark {
    private static final int GROUP = 16;
    private static final int PAGES = 1_000_000;
    private static final int FRAMES = 10_000;

    @Param({"false", "true"})
    public boolean prefetch;

    @Param("100")
    public int readMicros;

    private BufferPool pool;

    @Setup
    public void open() throws IOException {
        pool = BufferPool.builder()
                .pageBytes(PageReader.PAGE_BYTES)
                .frames(FRAMES)
                .build();
        pool.open(0, new SlowStore(new GeneratingStore(PAGES, PageReader.PAGE_BYTES), readMicros));
    }

    @TearDown
    public void close() throws IOException {
        pool.close();
    }

    /** A thread's group and its pages. */
    @State(Scope.Thread)
    public static class Reading {
        private static final AtomicInteger STARTED = new AtomicInteger();

        private final SplittableRandom random = new SplittableRandom(STARTED.getAndIncrement());
        private final long[] ids = new long[GROUP];
        private OptimisticGroup group;

        @Setup
        public void open(ScatteredReadBenchmark benchmark) {
            group = benchmark.pool.newOptimisticGroup(GROUP);
        }
    }

    @Benchmark
    public long read(Reading reading) throws IOException {
        long[] ids = reading.ids;
        for (int i = 0; i < ids.length; i++) {
            ids[i] = PageId.of(0, reading.random.nextInt(PAGES));
        }
        if (prefetch) {
            pool.prefetch(ids);
        }
        OptimisticGroup group = reading.group;
        long sum;
        do {
            group.read(ids, 0, ids.length);
            sum = 0;
            for (int i = 0; i < ids.length; i++) {
                sum += group.page(i).getLong(0);
            }
        } while (!group.validate());
        return sum;
    }
}
