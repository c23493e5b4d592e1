// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.jmh;

import io.clockhand.policy.Policies;
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
 * Hits in a page pool: threads fix one of 32,768 resident pages, read eight bytes of it and unfix it; million pages per
 * second. {@code 80-20} is the Zipf distribution of the Nb-GCLOCK paper, exponent 0.86.
 * {@code pages} sets another number of pages.
 *
 * <p>{@code pinned} fixes the page for reading, which pins and latches it. {@code optimistic} neither pins nor latches.
 * {@code caffeine} and {@code chm} (the JDK's map) box the id, look it up, and read eight bytes of an off-heap page,
 * for which the map holds a {@link java.nio.ByteBuffer}. {@code bare} finds the buffer in an array by its index, and
 * protects nothing: it shows the cost of touching the page itself. {@code counted} does the same between two atomic
 * adds on a row of the page, the least that a pin costs.
 *
 * <p>{@code memory} is where the pages of a pool lie: {@code direct} is direct buffers, {@code huge} native memory with
 * huge pages advised, which needs Java 22, Linux and native access; {@code default} is {@code huge} where there is such
 * memory, else {@code direct}.
 *
 * <pre>{@code
 * java -cp jmh/target/benchmarks.jar io.clockhand.jmh.Duel PageHit -p keys=80-20 -t 2 \
 *     --between access=chm,pinned,optimistic
 * java -cp jmh/target/benchmarks.jar io.clockhand.jmh.Duel PageHit -p keys=80-20 -p pages=262144 -t 2 \
 *     -p access=pinned --jvm-args "--enable-native-access=ALL-UNNAMED -Xmx2g" --between memory=direct,huge
 * }</pre>
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Fork(5)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 3, time = 1)
public class PageHitBenchmark {
    @Param({"optimistic", "pinned", "caffeine", "chm", "bare", "counted"})
    public String access;

    @Param({"80-20", "hot-page", "sequential"})
    public String keys;

    /** Of a pool. */
    @Param(Policies.DEFAULT)
    public String policy;

    /** Or array. */
    @Param("chained")
    public String table;

    @Param("32768")
    public int pages;

    @Param("default")
    public String memory;

    /** Whether a pool estimates its hit ratios at other sizes. */
    @Param("false")
    public boolean advises;

    private Supplier<PageReader> readers;
    private long[] draws;

    @Setup
    public void fill() throws IOException {
        readers = PageReader.of(access, policy, PageTables.labelled(table), pages, memory, advises);
        Long[] boxed = Keys.draws(keys.equals("hot-page") ? "hot-key" : keys, pages);
        draws = Arrays.stream(boxed).mapToLong(key -> PageReader.FIRST + key).toArray();
    }

    /** A thread's reader, and its position in the draws: every thread starts at another one. */
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
