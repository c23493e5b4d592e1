// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.jmh;

import io.clockhand.PageId;
import io.clockhand.io.ChecksummedPageStore;
import io.clockhand.io.DoubleWritePageStore;
import io.clockhand.io.FileOption;
import io.clockhand.io.FilePageStore;
import io.clockhand.io.PageStore;
import io.clockhand.page.BufferPool;
import io.clockhand.page.PageGuard;
import io.clockhand.page.PagedFile;
import io.clockhand.page.WritablePage;
import io.clockhand.wal.WriteAheadLog;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * The cost of each safeguard by itself, for pages of 4 KiB of a file; nanoseconds a page. The contender {@code plain}
 * has none. {@code checksum} adds and checks checksums, {@code double-write} writes each page to a journal first and
 * forces that, and {@code log} has a log, which counts LSNs and is always durable, so that only the log rule itself is
 * measured. The other contenders count LSNs, too. {@code bare} has no pool either; it can only write.
 *
 * <ul>
 * <li>{@code miss}: an operation reads a page at random through 1,024 frames, and eight bytes of it. The file has
 * 16,384 pages, so 15 in 16 fixes are misses.
 * <li>{@code write}: an operation is one page updated and written: 64 pages in memory, few of them neighbours, are
 * updated and flushed together. No flusher runs. One thread. {@code bare} changes as many pages in a buffer and
 * writes them sorted by position, neighbours in one call, as the pool does.
 * </ul>
 * The file is in the folder for temporary files ({@code -Djava.io.tmpdir}), in the operating system's cache. A double
 * write waits for the device; in {@code /dev/shm} it does not, and shows its cost in the processor.
 *
 * <pre>{@code
 * D="java -cp jmh/target/benchmarks.jar io.clockhand.jmh.Duel"
 * $D 'PageCost.*miss$' -t 2 --jvms 8 --seconds 16 --between safeguard=plain,checksum
 * $D 'PageCost.*write$' --jvms 8 --seconds 16 --between safeguard=plain,checksum,log,bare
 * $D 'PageCost.*write$' --jvms 4 --seconds 12 --slice 0.5 --between safeguard=plain,double-write
 * }</pre>
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(5)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class PageCostBenchmark {
    private static final int PAGE_BYTES = PageReader.PAGE_BYTES;
    private static final int PAGES = 1 << 14;
    private static final int FRAMES = 1024;
    private static final int FILE = 0;
    private static final int BATCH = BareBatch.PAGES;
    /** Each page of a batch is drawn from this number of pages; all of them together fill half of the frames. */
    private static final int SPREAD = FRAMES / 2 / BATCH;

    @Param({"plain", "checksum", "log", "double-write", "bare"})
    public String safeguard;

    private final AtomicLong lsn = new AtomicLong();
    private Path directory;
    private BufferPool pool;
    private PagedFile file;
    /** Of bare writes; null with a pool. */
    private FileChannel channel;

    @Setup
    public void open() throws IOException {
        directory = Files.createTempDirectory("clockhand-page-cost");
        Path path = directory.resolve("pages.db");
        if (safeguard.equals("bare")) {
            PageFiles.write(path, PAGES);
            channel = FileChannel.open(path, StandardOpenOption.WRITE);
            return;
        }
        PageStore store = FilePageStore.open(path, PAGE_BYTES, FileOption.CREATE);
        WriteAheadLog log = WriteAheadLog.NONE;
        switch (safeguard) {
            case "plain" -> {}
            case "checksum" -> store = new ChecksummedPageStore(store, FILE, PAGE_BYTES - Integer.BYTES);
            case "log" -> log = new CountingLog(lsn);
            case "double-write" -> {
                Path journal = directory.resolve("journal.db");
                store = DoubleWritePageStore.open(store, FilePageStore.open(journal, PAGE_BYTES, FileOption.CREATE));
            }
            default -> throw new IllegalArgumentException("no safeguard " + safeguard);
        }
        PageFiles.write(store, PAGES);
        pool = BufferPool.builder()
                .pageBytes(PAGE_BYTES)
                .frames(FRAMES)
                .log(log)
                .tuning(t -> t.flushThreads(0))
                .build();
        file = pool.open(FILE, store);
    }

    /** Its records are only counted, and durable at once. */
    private record CountingLog(AtomicLong lsn) implements WriteAheadLog {
        @Override
        public long end() {
            return lsn.get();
        }

        @Override
        public void makeDurable(long upTo) {
            // it is
        }
    }

    @TearDown
    public void close() throws IOException {
        if (channel != null) {
            channel.close();
        } else {
            pool.close();
        }
        for (String name : new String[] {"pages.db", "journal.db"}) {
            Files.deleteIfExists(directory.resolve(name));
        }
        Files.delete(directory);
    }

    /** A thread's guards. */
    @State(Scope.Thread)
    public static class Owned {
        private static final AtomicInteger STARTED = new AtomicInteger();

        private final SplittableRandom random = new SplittableRandom(STARTED.getAndIncrement());
        private PageGuard guard;
        private WritablePage page;
        private BareBatch batch;
        private ByteBuffer run;

        @Setup
        public void open(PageCostBenchmark benchmark) {
            if (benchmark.channel != null) {
                batch = new BareBatch();
                run = BareBatch.allocate();
                return;
            }
            guard = benchmark.pool.newGuard();
            page = benchmark.pool.newWritablePage();
        }
    }

    @Benchmark
    public long miss(Owned owned) throws IOException {
        if (owned.guard == null) {
            throw new IllegalStateException("'" + safeguard + "' has no pool, so it can only write");
        }
        int number = owned.random.nextInt(PAGES);
        try (PageGuard fixed = owned.guard.fix(PageId.of(FILE, number))) {
            return fixed.getLong(PageReader.offset(number));
        }
    }

    @Benchmark
    @OperationsPerInvocation(BATCH)
    public void write(Owned owned) throws IOException {
        for (int i = 0; i < BATCH; i++) {
            int number = i * SPREAD + owned.random.nextInt(SPREAD);
            if (owned.batch != null) {
                owned.batch.update(null, number);
            } else {
                update(owned.page, number);
            }
        }
        if (owned.batch != null) {
            owned.batch.write(channel, owned.run);
        } else {
            file.flush();
        }
    }

    private void update(WritablePage page, int number) throws IOException {
        try (WritablePage fixed = page.fix(PageId.of(FILE, number))) {
            fixed.beginUpdate();
            long end = lsn.incrementAndGet();
            fixed.putLong(PageReader.offset(number), end);
            fixed.endUpdate(end);
        }
    }
}
