// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.jmh;

import io.clockhand.policy.Batching;
import io.clockhand.policy.Policies;
import io.clockhand.policy.ReplacementPolicy;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.openjdk.jmh.annotations.AuxCounters;
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
import org.openjdk.jmh.annotations.Threads;
import org.openjdk.jmh.annotations.Warmup;

/**
 * The time for which BP-Wrapper holds its lock for a hit, with and without the reads that it does before it takes the
 * lock: {@code heldNanos} divided by the operations. Hits are on random frames, whose links do not fit into the
 * processor's caches. If the compiler removed these reads, they would not shorten the time.
 *
 * <pre>{@code java -jar jmh/target/benchmarks.jar Prefetch -p policy=lru -t 1}</pre>
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Fork(5)
@Threads(1) // the lock measures one thread only
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 3, time = 1)
public class PrefetchBenchmark {
    @Param({"lru", "lirs", "mq"})
    public String policy;

    @Param({"false", "true"})
    public boolean prefetch;

    @Param("4000000")
    public int frames;

    private final HeldLock lock = new HeldLock();
    private ReplacementPolicy wrapper;

    /** Adds up the time for which it is held. */
    private static final class HeldLock extends ReentrantLock {
        private static final long serialVersionUID = 1L;

        private long since;
        private long heldNanos;

        @Override
        public boolean tryLock() {
            boolean locked = super.tryLock();
            if (locked) {
                since = System.nanoTime();
            }
            return locked;
        }

        @Override
        public void lock() {
            super.lock();
            since = System.nanoTime();
        }

        @Override
        public void unlock() {
            heldNanos += System.nanoTime() - since;
            super.unlock();
        }
    }

    /** Time under the lock in an iteration. */
    @State(Scope.Thread)
    @AuxCounters(AuxCounters.Type.OPERATIONS)
    public static class Held {
        public long heldNanos;

        private final SplittableRandom random = new SplittableRandom(2);
    }

    @Setup
    public void fill() {
        SplittableRandom random = new SplittableRandom(1);
        ReplacementPolicy bare = Policies.singleThreaded(policy, frames);
        wrapper = Policies.batched(bare, lock, frames, new Batching(64, 32, prefetch));
        for (int frame = 0; frame < frames; frame++) {
            wrapper.onLoad(frame, frame, 1);
        }
        for (int i = 0; i < frames; i++) {
            wrapper.onHit(random.nextInt(frames)); // so neighbours in a list are not neighbours in memory
        }
    }

    @Benchmark
    public void hit(Held held) {
        long before = lock.heldNanos;
        wrapper.onHit(held.random.nextInt(frames));
        held.heldNanos += lock.heldNanos - before;
    }
}
