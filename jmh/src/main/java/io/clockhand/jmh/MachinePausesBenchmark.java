// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.jmh;

import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * The pauses of threads that share nothing and allocate nothing: the control of {@link WideIdsBenchmark}, since such
 * pauses come from the machine. Each operation draws random numbers for about as long as a page-in takes.
 *
 * <pre>{@code java -jar jmh/target/benchmarks.jar MachinePauses -t 2}</pre>
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Fork(5)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 3, time = 1)
public class MachinePausesBenchmark {
    private static final int DRAWS = 100;

    private final Pauses pauses = new Pauses();

    @TearDown
    public void report() {
        System.out.println(pauses.report("the machine"));
    }

    /** The first iteration does not count: it is disturbed by compilation. */
    @TearDown(Level.Iteration)
    public void warmUp() {
        pauses.begin();
    }

    /** A thread's numbers. */
    @State(Scope.Thread)
    public static class Drawing {
        private final SplittableRandom random = new SplittableRandom(1);
        private final Pauses.Clock clock = new Pauses.Clock();

        @Setup(Level.Iteration)
        public void forgetTheGap() {
            clock.reset();
        }
    }

    @Benchmark
    public long draw(Drawing drawing) {
        drawing.clock.tick(pauses);
        long sum = 0;
        for (int i = 0; i < DRAWS; i++) {
            sum += drawing.random.nextLong();
        }
        return sum;
    }
}
