// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.jmh;

import io.clockhand.io.FileOption;
import io.clockhand.page.BufferPool;
import io.clockhand.page.PagedFile;
import io.clockhand.page.WritablePage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
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
import org.openjdk.jmh.annotations.Threads;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Pages of 4 KiB that are created in a file, by {@code creators} threads at a time. <b>One operation is one page that
 * has been created</b>: an invocation opens a new file, creates 8,192 pages, writes and forces them, closes the file
 * and deletes it. All pages fit into the pool.
 *
 * <p>{@code content=zeros} leaves the pages as they are; {@code updated} changes eight bytes of each before it is
 * unfixed, as an engine does. {@code end=forced} writes and forces the file at its end. {@code unforced} only writes
 * it, which shows the cost in the processor where the device is slow. The files are in the folder for temporary files
 * ({@code -Djava.io.tmpdir}). The threads are the benchmark's own, so it runs with {@code -t 1}. Slices should be
 * longer than an invocation.
 *
 * <pre>{@code
 * java -cp jmh/target/benchmarks.jar io.clockhand.jmh.Duel PageCreation -p creators=4 --slice 1 --jvms 4 --seconds 24 \
 *     --jars before=old/benchmarks.jar,after=jmh/target/benchmarks.jar
 * }</pre>
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Fork(5)
@Warmup(iterations = 3, time = 2)
@Measurement(iterations = 5, time = 2)
@Threads(1)
public class PageCreationBenchmark {
    private static final int PAGES = 8192;
    private static final int FILE = 0;

    @Param({"1", "2", "4", "8"})
    public int creators;

    /** Or {@code updated}. */
    @Param("zeros")
    public String content;

    /** Or {@code unforced}. */
    @Param("forced")
    public String end;

    private boolean updated;
    private boolean forced;
    private Path directory;
    private BufferPool pool;
    private ExecutorService threads;

    @Setup
    public void open() throws IOException {
        updated = isFirst(content, "updated", "zeros");
        forced = isFirst(end, "forced", "unforced");
        if (creators < 1 || PAGES % creators != 0) {
            throw new IllegalArgumentException("creators is " + creators + "; it must divide " + PAGES);
        }
        directory = Files.createTempDirectory("clockhand-page-creation");
        pool = BufferPool.builder()
                .pageBytes(PageReader.PAGE_BYTES)
                .frames(2 * PAGES)
                .build();
        threads = Executors.newFixedThreadPool(creators);
    }

    private static boolean isFirst(String value, String first, String second) {
        if (!value.equals(first) && !value.equals(second)) {
            throw new IllegalArgumentException("'" + value + "' must be " + first + " or " + second);
        }
        return value.equals(first);
    }

    @TearDown
    public void close() throws IOException {
        threads.shutdownNow();
        pool.close();
        Files.delete(directory);
    }

    @Benchmark
    @OperationsPerInvocation(PAGES)
    public long create() throws IOException, InterruptedException, ExecutionException {
        PagedFile file = pool.open(FILE, directory.resolve("created.db"), FileOption.CREATE);
        Callable<Void> share = () -> {
            create(file, PAGES / creators);
            return null;
        };
        for (Future<Void> each : threads.invokeAll(Collections.nCopies(creators, share))) {
            each.get();
        }
        file.flush();
        if (forced) {
            file.force();
        }
        long pages = file.pages();
        file.drop();
        return pages;
    }

    private void create(PagedFile file, int count) throws IOException {
        for (int i = 0; i < count; i++) {
            try (WritablePage page = file.create()) {
                if (updated) {
                    page.beginUpdate();
                    page.putLong(Long.BYTES, page.id());
                    page.endUnloggedUpdate();
                }
            }
        }
    }
}
