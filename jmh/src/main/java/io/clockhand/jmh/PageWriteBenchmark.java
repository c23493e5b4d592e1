// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.jmh;

import io.clockhand.PageId;
import io.clockhand.io.FileOption;
import io.clockhand.io.FilePageStore;
import io.clockhand.page.BufferPool;
import io.clockhand.page.WritablePage;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
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
 * Pages of 4 KiB that are written to a file, since eight threads update pages of it at random. <b>One operation is one
 * page that has been written</b>, not one update: an update of a page that is dirty already adds none. Nothing is
 * forced.
 *
 * <p>The contenders have the same memory, a tenth of the file unless {@code poolPercent} says otherwise:
 * <ul>
 * <li>{@code pool}: each update fixes a page exclusively. Nine in ten are read from the file first, and take the frame
 * of a page that must have been written. {@code flushThreads} threads write, and updating threads that find too many
 * frames dirty.
 * <li>{@code bare}: each thread reads a page by a positional read, changes it, and writes each 64 pages itself, sorted
 * by position, neighbours in one call. It looks nothing up, keeps no lock, and hands nothing over. It reads and writes
 * what the pool does, so this pair answers how much speed the pool costs.
 * <li>{@code bare-handover}: as {@code bare}, but {@code flushThreads} other threads write the batches.
 * <li>{@code bare-without-reads}: as {@code bare}, but it changes what lies in its memory and never reads. It does less
 * than a pool must do, and shows the share of the reads. {@code PageCostBenchmark.write} compares a pool that has all
 * pages with bare writes.
 * </ul>
 *
 * <p>Slices should be long beside a batch of each thread: half a second, or two seconds with {@code io=direct}, which
 * bypasses the operating system's cache. The file is in the folder for temporary files ({@code -Djava.io.tmpdir}).
 *
 * <pre>{@code
 * java -cp jmh/target/benchmarks.jar io.clockhand.jmh.Duel PageWrite --slice 0.5 --jvms 4 --seconds 24 \
 *     --between writer=bare,pool,bare-handover,bare-without-reads
 * }</pre>
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Fork(5)
@Warmup(iterations = 3, time = 2)
@Measurement(iterations = 5, time = 2)
@Threads(8)
public class PageWriteBenchmark {
    private static final int PAGE_BYTES = BareBatch.PAGE_BYTES;
    private static final int FILE = 0;

    @Param({"pool", "bare", "bare-handover", "bare-without-reads"})
    public String writer;

    @Param("512")
    public int fileMegabytes;

    @Param("10")
    public int poolPercent;

    @Param("2")
    public int flushThreads;

    /** Or {@code direct}. */
    @Param("cached")
    public String io;

    private final AtomicLong written = new AtomicLong();
    /** The sum of what all invocations wait for, as a value of {@code written}. */
    private final AtomicLong due = new AtomicLong();

    private Path file;
    private int pages;
    private int frames;
    private int threads;
    private BufferPool pool;
    private FileChannel[] channels = {};
    private BareWriters writers;

    @Setup
    public void open(BenchmarkParams params) throws IOException, ReflectiveOperationException {
        threads = params.getThreads();
        pages = fileMegabytes * ((1 << 20) / PAGE_BYTES);
        frames = (int) ((long) pages * poolPercent / 100);
        file = Files.createTempFile("clockhand-page-write", ".db");
        PageFiles.write(file, pages);
        switch (writer) {
            case "pool" -> openPool();
            case "bare", "bare-without-reads" -> openChannels();
            case "bare-handover" -> {
                openChannels();
                writers = new BareWriters(flushThreads, frames / BareBatch.PAGES, channels, written);
            }
            default -> throw new IllegalArgumentException("no writer " + writer);
        }
    }

    private boolean isDirect() {
        return switch (io) {
            case "cached" -> false;
            case "direct" -> true;
            default -> throw new IllegalArgumentException("no io " + io);
        };
    }

    private void openPool() throws IOException {
        FileOption[] options = isDirect() ? new FileOption[] {FileOption.DIRECT} : new FileOption[0];
        pool = BufferPool.builder()
                .pageBytes(PAGE_BYTES)
                .frames(frames)
                .tuning(t -> t.flushThreads(flushThreads))
                .build();
        pool.open(FILE, new CountingStore(FilePageStore.open(file, PAGE_BYTES, options), written));
    }

    private void openChannels() throws IOException, ReflectiveOperationException {
        OpenOption[] options = {StandardOpenOption.READ, StandardOpenOption.WRITE};
        if (isDirect()) {
            options = new OpenOption[] {options[0], options[1], PageFiles.direct()};
        }
        channels = new FileChannel[FilePageStore.DEFAULT_CHANNELS];
        for (int i = 0; i < channels.length; i++) {
            channels[i] = FileChannel.open(file, options);
        }
    }

    /** Pages that were written between two iterations do not count. */
    @Setup(Level.Iteration)
    public void begin() {
        due.set(written.get());
    }

    @TearDown
    public void close() throws IOException {
        if (writers != null) {
            writers.close();
        }
        for (FileChannel channel : channels) {
            channel.close();
        }
        if (pool != null) {
            pool.close();
        }
        Files.delete(file);
    }

    /** Updates pages for one thread. */
    private interface Updater {
        void update(long page) throws IOException;
    }

    /** Fixes pages of the pool. */
    private record Fixing(WritablePage page) implements Updater {
        @Override
        public void update(long number) throws IOException {
            int offset = PageReader.offset(number);
            try (WritablePage fixed = page.fix(PageId.of(FILE, number))) {
                fixed.beginUpdate();
                fixed.putLong(offset, fixed.getLong(offset) + 1);
                fixed.endUnloggedUpdate();
            }
        }
    }

    /** Goes round the thread's share of the memory, and writes each batch itself. */
    private static final class Bare implements Updater {
        private final FileChannel channel;
        private final FileChannel reading;
        private final BareBatch[] batches;
        private final ByteBuffer run = BareBatch.allocate();
        private final AtomicLong written;
        private int at;

        /** Does not read if {@code reading} is null. */
        Bare(FileChannel channel, FileChannel reading, int batches, AtomicLong written) {
            this.channel = channel;
            this.reading = reading;
            this.batches = new BareBatch[batches];
            Arrays.setAll(this.batches, i -> new BareBatch());
            this.written = written;
        }

        @Override
        public void update(long page) throws IOException {
            BareBatch batch = batches[at];
            batch.update(reading, page);
            if (batch.isFull()) {
                written.getAndAdd(batch.write(channel, run));
                at = (at + 1) % batches.length;
            }
        }
    }

    /** Leaves the writing to other threads. */
    private static final class HandingOver implements Updater {
        private final FileChannel channel;
        private final BareWriters writers;
        private BareBatch batch;

        HandingOver(FileChannel channel, BareWriters writers) {
            this.channel = channel;
            this.writers = writers;
        }

        @Override
        public void update(long page) throws IOException {
            if (batch == null) {
                batch = writers.take();
            }
            batch.update(channel, page);
            if (batch.isFull()) {
                writers.give(batch);
                batch = null;
            }
        }
    }

    /** A thread's pages. */
    @State(Scope.Thread)
    public static class Updating {
        private static final AtomicInteger STARTED = new AtomicInteger();

        private final int number = STARTED.getAndIncrement();
        private final SplittableRandom random = new SplittableRandom(number);
        private Updater updater;

        @Setup
        public void open(PageWriteBenchmark benchmark) {
            if (benchmark.pool != null) {
                updater = new Fixing(benchmark.pool.newWritablePage());
                return;
            }
            FileChannel channel = benchmark.channels[number % benchmark.channels.length];
            if (benchmark.writers != null) {
                updater = new HandingOver(channel, benchmark.writers);
            } else {
                int batches = Math.max(1, benchmark.frames / BareBatch.PAGES / benchmark.threads);
                FileChannel reading = benchmark.writer.equals("bare") ? channel : null;
                updater = new Bare(channel, reading, batches, benchmark.written);
            }
        }
    }

    /**
     * Updates pages until as many more have been written, by any thread. All invocations add up to what was written.
     */
    @Benchmark
    @OperationsPerInvocation(BareBatch.PAGES)
    public void write(Updating updating) throws IOException {
        long enough = due.addAndGet(BareBatch.PAGES);
        while (written.get() < enough) {
            updating.updater.update(updating.random.nextInt(pages));
        }
    }
}
