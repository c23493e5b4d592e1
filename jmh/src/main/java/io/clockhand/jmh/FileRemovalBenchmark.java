// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.jmh;

import io.clockhand.PageId;
import io.clockhand.page.BufferPool;
import io.clockhand.page.PageGuard;
import io.clockhand.page.PagedFile;
import java.io.IOException;
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
 * The life of a small file in a large pool whose frames are all in use: it is opened, its pages are read in, and it is
 * closed, or dropped; microseconds a file. Its store generates pages and keeps nothing, so all this is the pool's own
 * time. A search engine drops hundreds of such files a minute.
 *
 * <pre>{@code
 * java -jar jmh/target/benchmarks.jar FileRemoval
 * }</pre>
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Fork(3)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 3, time = 1)
public class FileRemovalBenchmark {
    /** Small, so that a million frames take half a gigabyte. */
    private static final int PAGE_BYTES = 512;

    private static final int FILES = 1000;
    private static final int LARGE = FILES;

    @Param({"1000", "1000000"})
    public int frames;

    @Param({"1", "100"})
    public int pages;

    @Param({"close", "drop"})
    public String how;

    private BufferPool pool;
    private PageGuard guard;
    private int next;

    /** Fills all frames by a large file, which stays open. */
    @Setup
    public void fill() throws IOException {
        pool = BufferPool.builder()
                .pageBytes(PAGE_BYTES)
                .frames(frames)
                .tuning(t -> t.flushThreads(0))
                .build();
        pool.open(LARGE, new GeneratingStore(frames, PAGE_BYTES));
        guard = pool.newGuard();
        read(LARGE, frames);
    }

    private void read(int file, int count) throws IOException {
        for (int page = 0; page < count; page++) {
            guard.fix(PageId.of(file, page)).close();
        }
    }

    /** One file. */
    @Benchmark
    public void openReadAndRemove() throws IOException {
        int number = next++ % FILES;
        PagedFile file = pool.open(number, new GeneratingStore(pages, PAGE_BYTES));
        read(number, pages);
        if (how.equals("drop")) {
            file.drop();
        } else {
            file.close();
        }
    }

    @TearDown
    public void close() throws IOException {
        pool.close();
    }
}
