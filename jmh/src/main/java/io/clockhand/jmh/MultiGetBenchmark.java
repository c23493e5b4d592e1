// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.jmh;

import io.clockhand.PageId;
import io.clockhand.page.BufferPool;
import io.clockhand.page.OptimisticGroup;
import io.clockhand.page.OptimisticPage;
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
import org.openjdk.jmh.annotations.Warmup;

/**
 * A multi-get: threads read eight bytes of each of sixteen random pages out of a million resident ones of 512 bytes;
 * million multi-gets per second. {@code group} reads them as a group, {@code single} one after the other, each with an
 * optimistic reader.
 *
 * <pre>{@code
 * java -cp jmh/target/benchmarks.jar io.clockhand.jmh.Duel MultiGet -t 2 --between access=single,group
 * }</pre>
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Fork(5)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 3, time = 1)
public class MultiGetBenchmark {
    private static final int GROUP = 16;
    private static final int PAGE_BYTES = 512;

    @Param({"single", "group"})
    public String access;

    @Param("1000000")
    public int pages;

    private BufferPool pool;

    /** Reads a group of pages, for one thread. */
    private interface Reader {
        /** {@return the sum of eight bytes of each page} */
        long read(long[] ids) throws IOException;
    }

    @Setup
    public void fill() throws IOException {
        pool = BufferPool.builder().pageBytes(PAGE_BYTES).frames(pages).build();
        pool.open(0, new GeneratingStore(pages, PAGE_BYTES));
        for (int page = 0; page < pages; page++) {
            pool.fix(PageId.of(0, page)).close();
        }
    }

    private Reader reader() {
        return switch (access) {
            case "single" -> new Single(pool.newOptimisticPage());
            case "group" -> new Group(pool.newOptimisticGroup(GROUP));
            default -> throw new IllegalArgumentException("no access " + access);
        };
    }

    /** Sixteen reads, one after the other. */
    private record Single(OptimisticPage page) implements Reader {
        @Override
        public long read(long[] ids) throws IOException {
            long sum = 0;
            for (long id : ids) {
                long value;
                do {
                    page.read(id);
                    value = page.getLong(0);
                } while (!page.validateAndRelease());
                sum += value;
            }
            return sum;
        }
    }

    /** One read of sixteen pages. */
    private record Group(OptimisticGroup group) implements Reader {
        @Override
        public long read(long[] ids) throws IOException {
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

    /** A thread's reader and its pages. */
    @State(Scope.Thread)
    public static class Reading {
        private static final AtomicInteger STARTED = new AtomicInteger();

        private final SplittableRandom random = new SplittableRandom(STARTED.getAndIncrement());
        private final long[] ids = new long[GROUP];
        private Reader reader;
        private int pages;

        @Setup
        public void open(MultiGetBenchmark benchmark) {
            reader = benchmark.reader();
            pages = benchmark.pages;
        }
    }

    @Benchmark
    public long read(Reading reading) throws IOException {
        long[] ids = reading.ids;
        for (int i = 0; i < ids.length; i++) {
            ids[i] = PageId.of(0, reading.random.nextInt(reading.pages));
        }
        return reading.reader.read(ids);
    }
}
