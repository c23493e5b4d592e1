// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.jmh;

import io.clockhand.PageId;
import io.clockhand.io.FileOption;
import io.clockhand.io.FilePageStore;
import io.clockhand.page.BufferPool;
import io.clockhand.page.PageGuard;
import io.clockhand.page.PageIn;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.OpenOption;
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
import org.openjdk.jmh.annotations.Threads;
import org.openjdk.jmh.annotations.Warmup;
import org.openjdk.jmh.infra.BenchmarkParams;

/**
 * Page-ins from the device: 32 threads read pages of 4 KiB at random from a file of 1 GiB, bypassing the operating
 * system's cache, and read eight bytes of each. The pools have 1,024 frames, so 99.6 in 100 fixes are misses. Bare
 * reads are positional reads into buffers of the same total size, on one channel or on as many as a store has.
 *
 * <p>The file is written once and stays in the folder for temporary files ({@code -Djava.io.tmpdir}), which must
 * support direct I/O. If the device is slower than the processors, all contenders reach its throughput; then the
 * processor time for each page shows their cost. A file belongs to one pool at a time, so the contenders run one after
 * another.
 *
 * <pre>{@code
 * for i in 1 2 3 4 5; do for p in clockhand bare-channels clockhand-optimistic bare-one-channel; do
 *   java -jar jmh/target/benchmarks.jar DirectRead -p pool=$p -f 1 -prof io.clockhand.jmh.CpuTimeProfiler
 * done; done
 * }</pre>
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Fork(5)
@Warmup(iterations = 6, time = 1)
@Measurement(iterations = 5, time = 1)
@Threads(32)
public class DirectReadBenchmark {
    private static final int PAGE_BYTES = PageReader.PAGE_BYTES;
    private static final int FRAMES = 1024;

    @Param({"clockhand", "clockhand-optimistic", "bare-one-channel", "bare-channels"})
    public String pool;

    @Param("1024")
    public int fileMegabytes;

    private Path file;
    private int pages;
    private int threads;
    private BufferPool buffers;
    private FileChannel[] channels = {};

    @Setup
    public void open(BenchmarkParams params) throws IOException, ReflectiveOperationException {
        threads = params.getThreads();
        pages = fileMegabytes * ((1 << 20) / PAGE_BYTES);
        file = Path.of(System.getProperty("java.io.tmpdir"), "clockhand-direct-" + fileMegabytes + ".db");
        if (Files.notExists(file) || Files.size(file) != (long) pages * PAGE_BYTES) {
            PageFiles.write(file, pages);
        }
        switch (pool) {
            case "clockhand" -> open(PageIn.COALESCED);
            case "clockhand-optimistic" -> open(PageIn.OPTIMISTIC);
            case "bare-one-channel" -> openBare(1);
            case "bare-channels" -> openBare(FilePageStore.DEFAULT_CHANNELS);
            default -> throw new IllegalArgumentException("no pool " + pool);
        }
    }

    private void open(PageIn pageIn) throws IOException {
        buffers = BufferPool.builder()
                .pageBytes(PAGE_BYTES)
                .frames(FRAMES)
                .tuning(t -> t.pageIn(pageIn))
                .build();
        buffers.open(0, FilePageStore.open(file, PAGE_BYTES, FileOption.DIRECT));
    }

    private void openBare(int count) throws IOException, ReflectiveOperationException {
        OpenOption direct = PageFiles.direct();
        channels = new FileChannel[count];
        for (int i = 0; i < count; i++) {
            channels[i] = FileChannel.open(file, StandardOpenOption.READ, direct);
        }
    }

    @TearDown
    public void close() throws IOException {
        if (buffers != null) {
            buffers.close();
            Files.deleteIfExists(file.resolveSibling(file.getFileName() + ".lock"));
        }
        for (FileChannel channel : channels) {
            channel.close();
        }
    }

    /** A thread's pages and, for bare reads, its channel and its share of the buffers. */
    @State(Scope.Thread)
    public static class Reading {
        private static final AtomicInteger STARTED = new AtomicInteger();

        private final int number = STARTED.getAndIncrement();
        private final SplittableRandom random = new SplittableRandom(number);
        private PageGuard guard;
        private FileChannel channel;
        private ByteBuffer own;
        private int at;

        @Setup
        public void open(DirectReadBenchmark benchmark) {
            if (benchmark.buffers != null) {
                guard = benchmark.buffers.newGuard();
            } else {
                channel = benchmark.channels[number % benchmark.channels.length];
                int bytes = FRAMES / benchmark.threads * PAGE_BYTES;
                own = ByteBuffer.allocateDirect(bytes + PAGE_BYTES - 1).alignedSlice(PAGE_BYTES);
            }
        }

        private long fix(long page) throws IOException {
            try (PageGuard fixed = guard.fix(PageId.of(0, page))) {
                return fixed.getLong(PageReader.offset(page));
            }
        }

        private long readBare(long page) throws IOException {
            int begin = at;
            at = begin + PAGE_BYTES == own.capacity() ? 0 : begin + PAGE_BYTES;
            if (channel.read(own.limit(begin + PAGE_BYTES).position(begin), page * PAGE_BYTES) < PAGE_BYTES) {
                throw new IOException("page " + page + " was read short");
            }
            return own.getLong(begin + PageReader.offset(page));
        }
    }

    @Benchmark
    public long pageIn(Reading reading) throws IOException {
        long page = reading.random.nextInt(pages);
        return reading.guard != null ? reading.fix(page) : reading.readBare(page);
    }
}
