// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.jmh;

import io.clockhand.PageId;
import io.clockhand.io.FilePageStore;
import io.clockhand.page.BufferPool;
import io.clockhand.page.PageGuard;
import io.clockhand.policy.Policies;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
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
import org.openjdk.jmh.infra.BenchmarkParams;

/**
 * Page-ins from a file of 1 GiB in the operating system's cache: threads fix pages of 4 KiB at random, and read eight
 * bytes of each. The pool has 10,000 frames, so 96.2 in 100 fixes are misses; multiply by 0.962 for page-ins.
 *
 * <p>{@code clockhand} reads through a store's default number of channels, {@code clockhand-one-channel} through one.
 * {@code bare-reads} reads every page, by positional reads on one channel into buffers of the same total size; those of
 * {@code bare-reads-aligned} begin at multiples of the page size, as those of a pool do, which makes the copies of the
 * kernel faster.
 *
 * <pre>{@code
 * java -cp jmh/target/benchmarks.jar io.clockhand.jmh.Duel PageMiss -t 2 --jvms 4 \
 *     --between pool=bare-reads,clockhand,clockhand-one-channel
 * }</pre>
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Fork(5)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 3, time = 1)
public class PageMissBenchmark {
    private static final int PAGE_BYTES = PageReader.PAGE_BYTES;
    private static final int FRAMES = 10_000;
    private static final int PAGES = 1 << 18;

    @Param({"clockhand", "clockhand-one-channel", "bare-reads", "bare-reads-aligned"})
    public String pool;

    @Param(Policies.DEFAULT)
    public String policy;

    /** Or array. */
    @Param("chained")
    public String table;

    private Path file;
    /** Whether a pool estimates its hit ratios at other sizes. */
    @Param("false")
    public boolean advises;

    private BufferPool buffers;
    private FileChannel channel;
    private int threads;

    @Setup
    public void writeFile(BenchmarkParams params) throws IOException {
        threads = params.getThreads();
        file = Files.createTempFile("clockhand-page-miss", ".db");
        PageFiles.write(file, PAGES);
        switch (pool) {
            case "clockhand" -> open(FilePageStore.DEFAULT_CHANNELS);
            case "clockhand-one-channel" -> open(1);
            case "bare-reads", "bare-reads-aligned" -> channel = FileChannel.open(file, StandardOpenOption.READ);
            default -> throw new IllegalArgumentException("no pool " + pool);
        }
    }

    private void open(int channels) throws IOException {
        buffers = BufferPool.builder()
                .pageBytes(PAGE_BYTES)
                .frames(FRAMES)
                .policy(policy)
                .tuning(t ->
                        t.table(PageTables.labelled(table)).advises(advises).readAhead(1))
                .build();
        buffers.open(0, FilePageStore.open(file, PAGE_BYTES, channels));
    }

    @TearDown
    public void deleteFile() throws IOException {
        if (buffers != null) {
            buffers.close();
        } else {
            channel.close();
        }
        Files.delete(file);
    }

    /** A thread's pages and, for bare reads, its share of the buffers. */
    @State(Scope.Thread)
    public static class Reading {
        private static final AtomicInteger STARTED = new AtomicInteger();

        private final SplittableRandom random = new SplittableRandom(STARTED.getAndIncrement());
        private PageGuard guard;
        private ByteBuffer own;
        private int at;

        @Setup
        public void open(PageMissBenchmark benchmark) {
            if (benchmark.buffers != null) {
                guard = benchmark.buffers.newGuard();
            } else {
                int bytes = FRAMES / benchmark.threads * PAGE_BYTES;
                own = benchmark.pool.equals("bare-reads")
                        ? ByteBuffer.allocateDirect(bytes)
                        : ByteBuffer.allocateDirect(bytes + PAGE_BYTES - 1)
                                .alignedSlice(PAGE_BYTES)
                                .slice(0, bytes);
            }
        }

        private long fix(long page) throws IOException {
            try (PageGuard fixed = guard.fix(PageId.of(0, page))) {
                return fixed.getLong(PageReader.offset(page));
            }
        }

        private long readBare(FileChannel channel, long page) throws IOException {
            int begin = at;
            at = begin + PAGE_BYTES == own.capacity() ? 0 : begin + PAGE_BYTES;
            own.limit(begin + PAGE_BYTES).position(begin);
            while (own.hasRemaining()) {
                channel.read(own, page * PAGE_BYTES + own.position() - begin);
            }
            return own.getLong(begin + PageReader.offset(page));
        }
    }

    @Benchmark
    public long pageIn(Reading reading) throws IOException {
        long page = reading.random.nextInt(PAGES);
        return reading.guard != null ? reading.fix(page) : reading.readBare(channel, page);
    }
}
