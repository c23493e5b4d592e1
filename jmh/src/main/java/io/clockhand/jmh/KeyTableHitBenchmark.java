// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.jmh;

import io.clockhand.cache.HolderCache;
import io.clockhand.cache.KeyTableKind;
import java.util.Locale;
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
 * Hits by key table: threads find and release 80-20 Zipf keys among 32,768, all of them resident; million pairs per
 * second.
 *
 * <pre>{@code
 * java -cp jmh/target/benchmarks.jar io.clockhand.jmh.Duel KeyTableHit -t 2 \
 *     --between table=chained,non-blocking-hash-map
 * }</pre>
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Fork(5)
@Warmup(iterations = 2, time = 1)
@Measurement(iterations = 3, time = 1)
public class KeyTableHitBenchmark {
    @Param({"chained", "non-blocking-hash-map"})
    public String table;

    private HolderCache<Long, Item, RuntimeException> cache;
    private Long[] draws;

    @Setup
    public void fill() {
        cache = Item.cache(Keys.RESIDENT).tuning(t -> t.table(labelled(table))).build();
        Item.load(cache, Keys.all(Keys.RESIDENT));
        draws = Keys.zipf(Keys.RESIDENT);
    }

    @Benchmark
    public Item findAndRelease(Cursor cursor) {
        Item item = cache.find(cursor.next(draws));
        cache.release(item);
        return item;
    }

    static KeyTableKind labelled(String label) {
        return KeyTableKind.valueOf(label.toUpperCase(Locale.ROOT).replace('-', '_'));
    }
}
