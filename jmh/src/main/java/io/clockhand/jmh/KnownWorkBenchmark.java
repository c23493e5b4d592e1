// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.jmh;

import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;
import org.openjdk.jmh.infra.Blackhole;

/**
 * A known amount of work: the control of the {@link Duel}s. Throughput is inverse to the tokens, so 1000 against 1176
 * tokens is a ratio of 0.85.
 *
 * <pre>{@code java -cp jmh/target/benchmarks.jar io.clockhand.jmh.Duel KnownWork --between tokens=1000,1176}</pre>
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Fork(5)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 3, time = 1)
public class KnownWorkBenchmark {
    @Param({"1000", "1176"})
    public long tokens;

    @Benchmark
    public void work() {
        Blackhole.consumeCPU(tokens);
    }
}
