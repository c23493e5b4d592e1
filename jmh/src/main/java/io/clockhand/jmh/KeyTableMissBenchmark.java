// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.jmh;

import io.clockhand.cache.HolderCache;
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
import org.openjdk.jmh.annotations.Warmup;

/**
 * Misses by key table: threads find and release keys, with loads that cost nothing; million pairs per second. A tenth
 * of the {@code uniform} keys (of 32,768) is resident, and none of the {@code wide} keys, which do not repeat within a
 * million.
 *
 * <pre>{@code
 * java -jar jmh/target/benchmarks.jar KeyTableMiss -t 1 -prof gc
 * java -cp jmh/target/benchmarks.jar io.clockhand.jmh.Duel KeyTableMiss -p keys=wide -t 1 \
 *     --between table=chained,non-blocking-hash-map
 * }</pre>
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Fork(5)
@Warmup(iterations = 2, time = 1)
@Measurement(iterations = 3, time = 1)
public class KeyTableMissBenchmark {
    @Param({"chained", "non-blocking-hash-map"})
    public String table;

    @Param({"uniform", "wide"})
    public String keys;

    private HolderCache<Long, Item, RuntimeException> cache;
    private Long[] draws;

    @Setup
    public void fill() {
        cache = Item.cache(Keys.TENTH)
                .tuning(t -> t.table(KeyTableHitBenchmark.labelled(table)))
                .build();
        draws = keys.equals("wide") ? Keys.wide() : Keys.uniform(Keys.RESIDENT);
        Item.load(cache, draws);
    }

    @Benchmark
    public Item findAndRelease(Cursor cursor) {
        Item item = cache.find(cursor.next(draws));
        cache.release(item);
        return item;
    }
}
