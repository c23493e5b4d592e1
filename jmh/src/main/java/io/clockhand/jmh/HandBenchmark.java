// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.jmh;

import io.clockhand.cache.HolderCache;
import io.clockhand.policy.ClockHand;
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
 * Misses by clock hand: threads find and release uniform keys, a tenth of 32,768 of which is resident, with loads that
 * cost nothing; million pairs per second.
 *
 * <pre>{@code
 * java -cp jmh/target/benchmarks.jar io.clockhand.jmh.Duel HandBenchmark -p policy=nb-gclock3 -t 2 \
 *     --between hand=batched,atomic,striped
 * }</pre>
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Fork(5)
@Warmup(iterations = 2, time = 1)
@Measurement(iterations = 3, time = 1)
public class HandBenchmark {
    @Param({"batched", "atomic", "striped"})
    public String hand;

    @Param({"nb-gclock3", "nb-gclock"})
    public String policy;

    private HolderCache<Long, Item, RuntimeException> cache;
    private Long[] draws;

    @Setup
    public void fill() {
        cache = Item.cache(Keys.TENTH)
                .policy(policy)
                .tuning(t -> t.hand(labelled(hand)))
                .build();
        draws = Keys.uniform(Keys.RESIDENT);
        Item.load(cache, draws);
    }

    @Benchmark
    public Item findAndRelease(Cursor cursor) {
        Item item = cache.find(cursor.next(draws));
        cache.release(item);
        return item;
    }

    static ClockHand labelled(String label) {
        return ClockHand.valueOf(label.toUpperCase(Locale.ROOT));
    }
}
