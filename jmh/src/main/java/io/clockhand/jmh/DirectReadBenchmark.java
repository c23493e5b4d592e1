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
import java.nio.file.StandardCopyOption;
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
 * support direct I/O. All contenders read the same file. If the device is slower than the processors, they all reach
 * its throughput; then the processor time for each page shows their cost. A contender that is stopped in the middle of
 * its reads has them ready when it goes on, so slices are long.
 *
 * <pre>{@code
 * java -cp jmh/target/benchmarks.jar io.clockhand.jmh.Duel DirectRead --slice 0.5 --jvms 6 --seconds 24 --against \
 *     bare-channels --between pool=clockhand,clockhand-optimistic,bare-channels,bare-one-channel
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
        if (Files.notExists(file)) {
            writeWhole();
        }
        switch (pool) {
            case "clockhand" -> open(PageIn.COALESCED);
            case "clockhand-optimistic" -> open(PageIn.OPTIMISTIC);
            case "bare-one-channel" -> openBare(1);
            case "bare-channels" -> openBare(FilePageStore.DEFAULT_CHANNELS);
            default -> throw new IllegalArgumentException("no pool " + pool);
        }
    }

    /** Under another name first, since JVMs of a duel set up at the same time. */
    private void writeWhole() throws IOException {
        Path part = file.resolveSibling(
                file.getFileName() + "." + ProcessHandle.current().pid());
        PageFiles.write(part, pages);
        Files.move(part, file, StandardCopyOption.ATOMIC_MOVE);
    }

    private void open(PageIn pageIn) throws IOException {
        buffers = BufferPool.builder()
                .pageBytes(PAGE_BYTES)
                .frames(FRAMES)
                .tuning(t -> t.pageIn(pageIn).readAhead(1))
                .build();
        buffers.open(0, FilePageStore.open(file, PAGE_BYTES, FileOption.DIRECT, FileOption.READ_ONLY));
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
