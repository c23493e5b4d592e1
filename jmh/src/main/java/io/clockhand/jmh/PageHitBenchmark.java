// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.jmh;

import java.io.IOException;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
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
 * Pages that are in memory: threads fix one of 32,768, read eight bytes of it, and unfix it; million times per second. {@code
 * 80-20} is the Zipf distribution of the Nb-GCLOCK paper, exponent 0.86. {@code pinned} fixes the page to read it, which pins and latches it, and so do {@code pinned-lru-locked}, {@code bp-lru} and {@code buffered-lru}
 * with a list as the policy; {@code
 * caffeine} and {@code chm} (the JDK's map) box the id, look it up, and read eight bytes of a page outside the heap, of which the maps hold a {@link java.nio.ByteBuffer} each.
 *
 * <pre>{@code java -jar jmh/target/benchmarks.jar PageHit -t 2}</pre>
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Fork(5)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 3, time = 1)
public class PageHitBenchmark {
    @Param({"optimistic", "pinned", "pinned-lru-locked", "bp-lru", "buffered-lru", "caffeine", "chm"})
    public String access;

    @Param({"80-20", "hot-page"})
    public String keys;

    private Supplier<PageReader> readers;
    private long[] draws;

    @Setup
    public void fill() throws IOException {
        readers = PageReader.of(access, Keys.RESIDENT);
        Long[] boxed = Keys.draws(keys.equals("hot-page") ? "hot-key" : keys, Keys.RESIDENT);
        draws = Arrays.stream(boxed).mapToLong(key -> PageReader.FIRST + key).toArray();
    }

    /** A thread's reader, and where it is in the draws: every thread starts elsewhere. */
    @State(Scope.Thread)
    public static class Reading {
        private static final AtomicInteger STARTED = new AtomicInteger();

        private PageReader reader;
        private int at = STARTED.getAndIncrement() * 377_777;

        @Setup
        public void open(PageHitBenchmark benchmark) {
            reader = benchmark.readers.get();
        }
    }

    @Benchmark
    public long read(Reading reading) throws IOException {
        long[] ids = draws;
        return reading.reader.read(ids[reading.at++ & (ids.length - 1)]);
    }
}
