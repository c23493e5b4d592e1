// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.jmh;

import io.clockhand.PageId;
import io.clockhand.io.FilePageStore;
import io.clockhand.io.PageStore;
import io.clockhand.page.BufferPool;
import io.clockhand.page.PageGuard;
import io.clockhand.page.PageIn;
import io.clockhand.page.PoolStats;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
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
import org.openjdk.jmh.annotations.Threads;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Cold pages that several threads fix at the same time: eight threads go through 4,096 pages together, in a pool of 256
 * frames. The first thread reads a page, and the others arrive while it is read. A read is served from the operating
 * system's cache, or takes {@code readMicros} longer, as on a device. Prints the share of wasted reads at the end.
 *
 * <pre>{@code
 * java -jar jmh/target/benchmarks.jar ColdPages
 * java -cp jmh/target/benchmarks.jar io.clockhand.jmh.Duel ColdPages -p readMicros=100 \
 *     --between pageIn=COALESCED,OPTIMISTIC
 * }</pre>
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Fork(5)
@Warmup(iterations = 2, time = 1)
@Measurement(iterations = 3, time = 1)
@Threads(8)
public class ColdPagesBenchmark {
    private static final int PAGES = 4096;
    private static final int FRAMES = 256;
    /** The number of fixes of a page, one after the other: that of the threads. */
    private static final int TOGETHER = 8;

    @Param({"COALESCED", "OPTIMISTIC"})
    public PageIn pageIn;

    /** Time that is added to each read; the thread is parked. */
    @Param({"0", "100"})
    public int readMicros;

    private Path file;
    private BufferPool pool;
    private final AtomicLong turn = new AtomicLong();

    @Setup
    public void open() throws IOException {
        file = Files.createTempFile("clockhand-cold-pages", ".db");
        try (FileChannel output = FileChannel.open(file, StandardOpenOption.WRITE)) {
            for (int page = 0; page < PAGES; page++) {
                output.write(ByteBuffer.allocate(PageReader.PAGE_BYTES)
                        .putLong(PageReader.offset(page), page)
                        .clear());
            }
        }
        pool = BufferPool.builder()
                .pageBytes(PageReader.PAGE_BYTES)
                .frames(FRAMES)
                .tuning(t -> t.pageIn(pageIn))
                .build();
        PageStore store = FilePageStore.open(file, PageReader.PAGE_BYTES);
        pool.open(0, readMicros == 0 ? store : new SlowStore(store, readMicros));
        pool.collectStats(true);
    }

    @TearDown
    public void close() throws IOException {
        PoolStats stats = pool.stats();
        System.out.printf(
                "%n%s, +%d us: %,d reads, of which %.2f %% wasted, for %,d misses%n",
                pageIn.label(), readMicros, stats.reads(), 100 * stats.wastedReadRatio(), stats.misses());
        pool.close();
        Files.delete(file);
    }

    /** A thread's guard. */
    @State(Scope.Thread)
    public static class Reading {
        private PageGuard guard;

        @Setup
        public void open(ColdPagesBenchmark benchmark) {
            guard = benchmark.pool.newGuard();
        }
    }

    @Benchmark
    public long fix(Reading reading) throws IOException {
        long page = turn.getAndIncrement() / TOGETHER % PAGES;
        try (PageGuard fixed = reading.guard.fix(PageId.of(0, page))) {
            return fixed.getLong(PageReader.offset(page));
        }
    }
}
