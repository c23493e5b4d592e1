// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.jmh;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.infra.Blackhole;

/** Little work, or trouble of many kinds, for the tests of the duel. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
public class TinyBenchmark {
    private static final int SOME_ITERATIONS = 4;

    @Param({"little", "much", "throws-at-once", "throws-later", "exits"})
    public String work;

    @Param("1")
    public int factor;

    private final AtomicInteger iterations = new AtomicInteger();
    private long tokens;
    private volatile boolean open;

    @Setup
    public void prepare() {
        tokens = switch (work) {
            case "little", "throws-later", "exits" -> 100L * factor;
            case "much" -> 1000L * factor;
            default -> throw new IllegalArgumentException("no work " + work);
        };
        System.out.println("slice 1 1"); // must not disturb the referee
    }

    @Setup(Level.Iteration)
    public void open() {
        open = true;
        if (iterations.incrementAndGet() == SOME_ITERATIONS) {
            if (work.equals("throws-later")) {
                throw new IllegalStateException("enough is enough");
            } else if (work.equals("exits")) {
                Runtime.getRuntime().halt(5);
            }
        }
    }

    @TearDown(Level.Iteration)
    public void close() {
        open = false;
    }

    @Benchmark
    public void spin() {
        if (!open) {
            throw new IllegalStateException("the iteration's fixture did not run");
        }
        Blackhole.consumeCPU(tokens);
    }

    @Benchmark
    public void spinAgain() {
        spin();
    }
}
