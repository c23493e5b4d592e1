// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.jmh;

import io.clockhand.io.FileOption;
import io.clockhand.page.BufferPool;
import io.clockhand.page.PageGuard;
import io.clockhand.page.PagedFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.TimeUnit;
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
 * A file that is read from its beginning to its end, again and again, 256 KiB an operation: through a pool of 16 MiB,
 * so that each page is absent, with reading ahead and without, or by a channel into one direct buffer. A number of each
 * page is used. The file lies in the system's temporary folder; with {@code direct} it is read past the operating
 * system's cache, otherwise from there.
 *
 * <pre>{@code
 * java -cp jmh/target/benchmarks.jar io.clockhand.jmh.Duel SequentialRead -t 1 --between reader=channel,ahead,single
 * }</pre>
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@Fork(5)
@Warmup(iterations = 2, time = 1)
@Measurement(iterations = 3, time = 1)
public class SequentialReadBenchmark {
    private static final int PAGE_BYTES = 4096;
    private static final int PAGES_PER_READ = 64;
    private static final int READ_BYTES = PAGE_BYTES * PAGES_PER_READ;
    private static final int FRAMES = 4096;

    @Param({"channel", "ahead", "single"})
    public String reader;

    @Param({"false", "true"})
    public boolean direct;

    @Param("1024")
    public int megabytes;

    private Path path;
    private int reads;
    private int next;

    private FileChannel channel;
    private ByteBuffer bytes;

    private BufferPool pool;
    private PagedFile file;
    private PageGuard guard;

    /** Writes the file, and opens it. */
    @Setup
    public void open() throws IOException, ReflectiveOperationException {
        path = Files.createTempFile("clockhand-sequential", ".pages");
        bytes = ByteBuffer.allocateDirect(READ_BYTES + PAGE_BYTES)
                .alignedSlice(PAGE_BYTES)
                .limit(READ_BYTES)
                .slice();
        reads = (int) (((long) megabytes << 20) / READ_BYTES);
        try (FileChannel written = FileChannel.open(path, StandardOpenOption.WRITE)) {
            for (int i = 0; i < reads; i++) {
                for (int page = 0; page < PAGES_PER_READ; page++) {
                    bytes.putLong(page * PAGE_BYTES, (long) i * PAGES_PER_READ + page);
                }
                written.write(bytes.clear());
            }
            written.force(true);
        }
        if (reader.equals("channel")) {
            OpenOption[] options = direct
                    ? new OpenOption[] {StandardOpenOption.READ, PageFiles.direct()}
                    : new OpenOption[] {StandardOpenOption.READ};
            channel = FileChannel.open(path, options);
            return;
        }
        pool = BufferPool.builder()
                .pageBytes(PAGE_BYTES)
                .frames(FRAMES)
                .tuning(t -> t.readAhead(reader.equals("ahead") ? PAGES_PER_READ : 1))
                .build();
        FileOption[] options = direct
                ? new FileOption[] {FileOption.READ_ONLY, FileOption.DIRECT}
                : new FileOption[] {FileOption.READ_ONLY};
        file = pool.open(path, options);
        guard = pool.newGuard();
    }

    Path path() {
        return path;
    }

    /** {@return the number of operations for the whole file} */
    int reads() {
        return reads;
    }

    @TearDown
    public void close() throws IOException {
        if (channel != null) {
            channel.close();
        } else {
            pool.close();
        }
        Files.delete(path);
    }

    @Benchmark
    public long read() throws IOException {
        int at = next;
        next = (at + 1) % reads;
        long sum = channel != null ? readByChannel(at) : readByPool(at);
        long first = (long) at * PAGES_PER_READ;
        if (sum != PAGES_PER_READ * first + PAGES_PER_READ * (PAGES_PER_READ - 1) / 2) {
            throw new IllegalStateException("wrong pages from " + first + " on");
        }
        return sum;
    }

    private long readByChannel(int at) throws IOException {
        if (channel.read(bytes.clear(), (long) at * READ_BYTES) != READ_BYTES) {
            throw new IOException("a short read");
        }
        long sum = 0;
        for (int page = 0; page < PAGES_PER_READ; page++) {
            sum += bytes.getLong(page * PAGE_BYTES);
        }
        return sum;
    }

    private long readByPool(int at) throws IOException {
        long sum = 0;
        for (int page = 0; page < PAGES_PER_READ; page++) {
            try (PageGuard fixed = guard.fix(file.id((long) at * PAGES_PER_READ + page))) {
                sum += fixed.getLong(0);
            }
        }
        return sum;
    }
}
