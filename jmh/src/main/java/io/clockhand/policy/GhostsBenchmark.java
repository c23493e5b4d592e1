// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.policy;

import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * The ghost directory of 2Q on a miss: looks up and removes the incoming page, then adds the victim. The misses are
 * those of a FIFO cache of twice as many frames as ghosts, over uniform references. Compares the chained buckets of
 * {@link Ghosts} with Agrona's map.
 *
 * <pre>{@code java -jar jmh/target/benchmarks.jar GhostsBenchmark -prof gc}</pre>
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 4, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(5)
public class GhostsBenchmark {
    private static final int MISSES = 1_000_000;

    @Param({"1000", "100000"})
    private int ghosts;

    private final long[] incoming = new long[MISSES];
    private final long[] victims = new long[MISSES];
    private Ghosts chained;
    private AgronaGhosts agrona;

    @Setup
    public void drawMisses() {
        chained = new Ghosts(ghosts + 1);
        agrona = new AgronaGhosts(ghosts + 1);
        SplittableRandom random = new SplittableRandom(1);
        int frames = 2 * ghosts;
        int[] fifo = new int[frames];
        boolean[] resident = new boolean[5 * ghosts];
        for (int frame = 0; frame < frames; frame++) {
            fifo[frame] = frame;
            resident[frame] = true;
        }
        for (int miss = 0; miss < MISSES; miss++) {
            int page = random.nextInt(resident.length);
            while (resident[page]) {
                page = random.nextInt(resident.length);
            }
            int victim = fifo[miss % frames];
            fifo[miss % frames] = page;
            resident[victim] = false;
            resident[page] = true;
            incoming[miss] = page;
            victims[miss] = victim;
        }
    }

    @Benchmark
    @OperationsPerInvocation(MISSES)
    public int byHand() {
        int hits = 0;
        chained.trim(0);
        for (int miss = 0; miss < MISSES; miss++) {
            hits += chained.take(incoming[miss]) ? 1 : 0;
            chained.add(victims[miss]);
        }
        return hits;
    }

    @Benchmark
    @OperationsPerInvocation(MISSES)
    public int agrona() {
        int hits = 0;
        agrona.trim(0);
        for (int miss = 0; miss < MISSES; miss++) {
            hits += agrona.take(incoming[miss]) ? 1 : 0;
            agrona.add(victims[miss]);
        }
        return hits;
    }
}
