// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.lucene.bench;

import io.clockhand.workbench.experiment.options.Choice;
import java.io.IOException;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.store.Directory;
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
 * Searches in an index whose files are in memory: in the system's cache, or in a pool that has room for all of them.
 *
 * <ul>
 * <li>{@code terms}: a word, drawn as in natural text; the ten best of its documents.
 * <li>{@code sorts}: the same, by a number that each document has.
 * <li>{@code vectors}: the ten nearest of 50 candidates to a vector of 64 numbers.
 * </ul>
 *
 * <p>The {@linkplain SearchIndex index} is made by the first process that needs it, and kept.
 *
 * <pre>{@code
 * java -jar lucene-bench/target/lucene-benchmarks.jar LuceneSearch -p workload=terms -t 1 --jvms 8 --seconds 16 \
 *     --between directory=mmap,nio,clockhand
 * }</pre>
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@Fork(
        value = 1,
        jvmArgsAppend = {"-Xmx2g", "--add-modules=jdk.incubator.vector", "--enable-native-access=ALL-UNNAMED"})
@Warmup(iterations = 2, time = 2)
@Measurement(iterations = 3, time = 2)
public class LuceneSearchBenchmark {
    /** Or mmap-random, caffeine, caffeine-direct, clockhand-direct. */
    @Param({"mmap", "nio", "clockhand"})
    public String directory;

    @Param({"terms", "sorts", "vectors"})
    public String workload;

    @Param("100000")
    public int documents;

    /** Of the pool. */
    @Param("1024")
    public int megabytes;

    @Param("8192")
    public int pageBytes;

    private OpenContender opened;
    private Directory index;
    private DirectoryReader reader;
    private IndexSearcher searcher;
    private Work work;

    @Setup
    public void open() throws IOException {
        work = named("workload", Work.values(), workload);
        opened = OpenContender.of(named("directory", Contender.values(), directory), pageBytes, (long) megabytes << 20);
        index = opened.open(SearchIndex.of(documents));
        reader = DirectoryReader.open(index);
        searcher = Searches.uncached(reader);
    }

    private static <E> E named(String parameter, E[] values, String name) {
        return new Choice<>(parameter, List.of(values), String::valueOf) {}.convert(name);
    }

    @TearDown
    public void close() throws IOException {
        reader.close();
        index.close();
        opened.close();
    }

    /** Of one thread. */
    @State(Scope.Thread)
    public static class Queries {
        private static final AtomicInteger STARTED = new AtomicInteger();
        private final SplittableRandom random = new SplittableRandom(42 + STARTED.getAndIncrement());
    }

    @Benchmark
    public long search(Queries queries) throws IOException {
        return Searches.play(searcher, work, Searches.draw(work, queries.random));
    }
}
