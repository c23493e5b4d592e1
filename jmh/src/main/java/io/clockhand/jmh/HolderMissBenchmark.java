// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.jmh;

import java.util.concurrent.TimeUnit;
import org.apache.derby.iapi.store.raw.PageKey;
import org.apache.derby.shared.common.error.StandardException;
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
 * Misses in a cache of Derby's objects: threads find and release pages among 32,768, in a cache that holds a tenth of
 * them, so with uniform keys nine of ten finds load an object, which costs almost nothing; million pairs per second.
 * Only {@code uniform} measures misses: with {@code 80-20} contenders differ in their miss ratios, with {@code hot-key}
 * none misses. {@code caffeine} and {@code synchronized-lru} only look up or load, and allocate an object for each
 * miss.
 *
 * <pre>{@code
 * java -cp jmh/target/benchmarks.jar io.clockhand.jmh.Duel HolderMiss -p keys=uniform -t 2 \
 *     --between cache=derby,clockhand-nb-gclock3
 * }</pre>
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Fork(5)
@Warmup(iterations = 2, time = 1)
@Measurement(iterations = 3, time = 1)
public class HolderMissBenchmark {
    @Param({
        "clockhand-nb-gclock3",
        "clockhand-nb-gclock",
        "clockhand-lru-locked",
        "derby",
        "caffeine",
        "synchronized-lru"
    })
    public String cache;

    @Param({"uniform", "80-20", "hot-key"})
    public String keys;

    private Peer peer;
    private PageKey[] draws;

    @Setup
    public void fill() throws StandardException {
        peer = Peer.of(cache, Keys.TENTH);
        for (PageKey key : PageKeys.of(Keys.all(Keys.RESIDENT))) {
            peer.use(key);
        }
        draws = PageKeys.of(Keys.draws(keys, Keys.RESIDENT));
    }

    @Benchmark
    public Object miss(Cursor cursor) throws StandardException {
        return peer.use(cursor.next(draws));
    }
}
