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
 * Hits in a cache of Derby's objects: threads find and release pages among 32,768, all of them resident; million pairs
 * per second. {@code 80-20} is the Zipf distribution of the Nb-GCLOCK paper, exponent 0.86. {@code caffeine} and
 * {@code synchronized-lru} only look up: they neither pin nor release.
 *
 * <p>A thread pins one object at a time, so Clockhand's release finds the frame by a hint. A thread that pins more than
 * two looks the key up, as Derby's own cache always does. {@code clockhand-nb-gclock3-advising} estimates its hit
 * ratios at other sizes.
 *
 * <pre>{@code
 * java -cp jmh/target/benchmarks.jar io.clockhand.jmh.Duel HolderHit -p keys=80-20 -t 2 \
 *     --between cache=derby,clockhand-nb-gclock3
 * }</pre>
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
        "clockhand-nb-gclock3-advising",
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
    private PageKey[] draws;

    @Setup
    public void fill() throws StandardException {
        peer = Peer.of(cache, Keys.RESIDENT);
        for (PageKey key : PageKeys.of(Keys.all(Keys.RESIDENT))) {
            peer.use(key);
        }
        draws = PageKeys.of(Keys.draws(keys, Keys.RESIDENT));
    }

    @Benchmark
    public Object hit(Cursor cursor) throws StandardException {
        return peer.use(cursor.next(draws));
    }
}
