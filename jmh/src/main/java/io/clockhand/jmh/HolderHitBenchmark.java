// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.jmh;

import java.util.concurrent.TimeUnit;
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
 * Hits in a cache of Derby's objects: threads find and release keys among 32,768, all of them resident; million pairs per
 * second. {@code caffeine} and {@code synchronized-lru} only look up: there a record is not kept, and not released.
 *
 * <pre>{@code java -jar jmh/target/benchmarks.jar HolderHit -t 2}</pre>
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Fork(5)
@Warmup(iterations = 2, time = 1)
@Measurement(iterations = 3, time = 1)
public class HolderHitBenchmark {
    @Param({
        "clockhand-nb-gclock3",
        "clockhand-nb-gclock",
        "clockhand-lru-locked",
        "derby",
        "caffeine",
        "synchronized-lru"
    })
    public String cache;

    @Param({"80-20", "uniform", "hot-key"})
    public String keys;

    private Peer peer;
    private Long[] draws;

    @Setup
    public void fill() throws StandardException {
        peer = Peer.of(cache, Keys.RESIDENT);
        for (Long key : Keys.all(Keys.RESIDENT)) {
            peer.use(key);
        }
        draws = Keys.draws(keys, Keys.RESIDENT);
    }

    @Benchmark
    public Object hit(Cursor cursor) throws StandardException {
        return peer.use(cursor.next(draws));
    }
}
