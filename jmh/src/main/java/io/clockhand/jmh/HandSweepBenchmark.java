// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.jmh;

import io.clockhand.internal.frame.FrameStates;
import io.clockhand.policy.Claims;
import io.clockhand.policy.Policies;
import io.clockhand.policy.ReplacementPolicy;
import java.util.concurrent.TimeUnit;
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
import org.openjdk.jmh.annotations.Warmup;

/**
 * The clock hand alone: each thread pins and unpins an 80-20 Zipf frame, then claims a victim among 32,768 loaded
 * frames and loads it anew; million victims per second, and million frames scanned for them.
 *
 * <pre>{@code
 * java -jar jmh/target/benchmarks.jar HandSweep -t 2
 * java -cp jmh/target/benchmarks.jar io.clockhand.jmh.Duel HandSweep -p policy=nb-gclock3 -t 2 \
 *     --between hand=batched,atomic,striped
 * }</pre>
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Fork(5)
@Warmup(iterations = 2, time = 1)
@Measurement(iterations = 3, time = 1)
public class HandSweepBenchmark {
    @Param({"batched", "atomic", "striped"})
    public String hand;

    @Param({"nb-gclock3", "nb-gclock"})
    public String policy;

    private FrameStates states;
    private ReplacementPolicy clock;
    private int cap;
    private int[] hits;

    @Setup
    public void fill() {
        states = new FrameStates(Keys.RESIDENT);
        clock = Policies.create(policy, HandBenchmark.labelled(hand), Keys.RESIDENT);
        cap = clock.weightCap();
        Long[] draws = Keys.zipf(Keys.RESIDENT);
        hits = new int[draws.length];
        for (int i = 0; i < draws.length; i++) {
            hits[i] = draws[i].intValue();
        }
        for (int frame = 0; frame < Keys.RESIDENT; frame++) {
            states.tryTakeFree(frame);
            load(frame);
        }
    }

    /** The claims of one thread, counted. */
    @State(Scope.Thread)
    @AuxCounters(AuxCounters.Type.OPERATIONS)
    public static class Sweeps {
        public long framesScanned;

        private int at;
        private Claims claims;

        @Setup
        public void watch(HandSweepBenchmark benchmark) {
            FrameStates states = benchmark.states;
            claims = new Claims() {
                @Override
                public Outcome ageOrClaim(int frame) {
                    framesScanned++;
                    return switch (states.ageOrClaim(frame)) {
                        case CLAIMED -> Outcome.CLAIMED;
                        case AGED -> Outcome.AGED;
                        case SKIPPED, SPENT -> Outcome.SKIPPED;
                    };
                }

                @Override
                public boolean tryClaim(int frame) {
                    framesScanned++;
                    return states.tryClaim(frame);
                }
            };
        }
    }

    @Benchmark
    public int victim(Sweeps sweeps) {
        int hit = hits[sweeps.at++ & (hits.length - 1)];
        if (states.tryPin(hit, cap) != FrameStates.NOT_PINNED) {
            states.unpin(hit);
        }
        int frame = clock.evict(hit, sweeps.claims);
        load(frame);
        return frame;
    }

    private void load(int frame) {
        states.publishPinned(frame, 1);
        states.ready(frame);
        states.unpin(frame);
    }
}
