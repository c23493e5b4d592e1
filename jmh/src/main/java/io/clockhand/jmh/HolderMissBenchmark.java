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
 * Misses in a cache of Derby's objects: threads find and release keys among 32,768, in a cache that holds a tenth of them,
 * so with uniform keys nine of ten load a record, which costs next to nothing; million pairs per second.
 *
 * <pre>{@code java -jar jmh/target/benchmarks.jar HolderMiss -p keys=uniform -t 2}</pre>
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
    private Long[] draws;

    @Setup
    public void fill() throws StandardException {
        peer = Peer.of(cache, Keys.TENTH);
        for (Long key : Keys.all(Keys.RESIDENT)) {
            peer.use(key);
        }
        draws = Keys.draws(keys, Keys.RESIDENT);
    }

    @Benchmark
    public Object miss(Cursor cursor) throws StandardException {
        return peer.use(cursor.next(draws));
    }
}
