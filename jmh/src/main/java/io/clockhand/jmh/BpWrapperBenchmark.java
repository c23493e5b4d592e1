// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.jmh;

import io.clockhand.internal.frame.FrameStates;
import io.clockhand.policy.Batching;
import io.clockhand.policy.Claims;
import io.clockhand.policy.Policies;
import io.clockhand.policy.ReplacementPolicy;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
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
 * A list policy and its lock alone; million references per second. Each reference is a hit, which pins and unpins one
 * of 32,768 frames (80-20 Zipf), or a miss, which claims a victim and loads it anew; {@code missPercent} is the share
 * of misses. There are no pages and no page table, so the lock has a larger share of the cost than in a pool.
 *
 * <p>{@code plain} and {@code spin} take a parking and a spinning lock for each reference. {@code prefetch} first
 * reads the words that the policy will change. {@code batch} batches hits, {@code both} is BP-Wrapper as published,
 * and {@code modern} is the lossy hit buffer.
 *
 * <pre>{@code
 * java -cp jmh/target/benchmarks.jar io.clockhand.jmh.Duel BpWrapper -p policy=lru -p missPercent=5 -t 2 \
 *     --between form=plain,both,modern
 * }</pre>
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Fork(5)
@Warmup(iterations = 2, time = 1)
@Measurement(iterations = 3, time = 1)
public class BpWrapperBenchmark {
    @Param({"plain", "spin", "prefetch", "batch", "both", "modern"})
    public String form;

    @Param({"lru", "2q", "lirs", "mq"})
    public String policy;

    @Param({"0", "5", "25", "50", "100"})
    public int missPercent;

    private FrameStates states;
    private ReplacementPolicy replacement;
    private int[] hits;

    @Setup
    public void fill() {
        int frames = Keys.RESIDENT;
        states = new FrameStates(frames);
        replacement = form(frames);
        Long[] draws = Keys.zipf(frames);
        hits = new int[draws.length];
        for (int i = 0; i < draws.length; i++) {
            hits[i] = draws[i].intValue();
        }
        for (int frame = 0; frame < frames; frame++) {
            states.tryTakeFree(frame);
            load(frame, frame);
        }
    }

    private ReplacementPolicy form(int frames) {
        return switch (form) {
            case "plain" -> Policies.create("locked:" + policy, frames);
            case "spin" -> Policies.create("spin:" + policy, frames);
            case "prefetch" -> batched(frames, new Batching(1, 1, true));
            case "batch" -> batched(frames, new Batching(64, 32, false));
            case "both" -> batched(frames, Batching.PUBLISHED);
            case "modern" -> Policies.create("buffered:" + policy, frames);
            default -> throw new IllegalArgumentException("no form " + form);
        };
    }

    private ReplacementPolicy batched(int frames, Batching batching) {
        return Policies.batched(Policies.singleThreaded(policy, frames), new ReentrantLock(), frames, batching);
    }

    /** One thread's draws. */
    @State(Scope.Thread)
    public static class Thrower {
        private int at;
        private long dice;
        private long page;
        private Claims claims;

        @Setup
        public void start(BpWrapperBenchmark benchmark) {
            dice = Thread.currentThread().getId() * 0x9E37_79B9_7F4A_7C15L;
            at = (int) (dice >>> 40);
            page = Thread.currentThread().getId() << 32; // the threads' pages are different ones
            FrameStates states = benchmark.states;
            claims = new Claims() {
                @Override
                public Outcome ageOrClaim(int frame) {
                    throw new UnsupportedOperationException("lists keep no weights");
                }

                @Override
                public boolean tryClaim(int frame) {
                    return states.tryClaim(frame);
                }
            };
        }

        private boolean misses(int percent) {
            dice = dice * 6_364_136_223_846_793_005L + 1_442_695_040_888_963_407L;
            return (int) ((dice >>> 33) % 100) < percent;
        }
    }

    @Benchmark
    public int reference(Thrower thrower) {
        if (thrower.misses(missPercent)) {
            long page = thrower.page++;
            int frame = replacement.evict(page, thrower.claims);
            load(frame, page);
            return frame;
        }
        int frame = hits[thrower.at++ & (hits.length - 1)];
        if (states.tryPin(frame, 0) != FrameStates.NOT_PINNED) {
            replacement.onHit(frame);
            states.unpin(frame);
        }
        return frame;
    }

    private void load(int frame, long page) {
        states.publishPinned(frame, 0);
        replacement.onLoad(frame, page, (int) page);
        states.ready(frame);
        states.unpin(frame);
    }
}
