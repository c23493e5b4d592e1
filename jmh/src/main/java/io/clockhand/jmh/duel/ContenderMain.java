// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.jmh.duel;

import java.io.BufferedReader;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.infra.BenchmarkParams;
import org.openjdk.jmh.infra.IterationParams;
import org.openjdk.jmh.results.BenchmarkResult;
import org.openjdk.jmh.results.IterationResult;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.IterationType;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.format.OutputFormat;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;

/**
 * The contender's JVM: runs one benchmark in this process, an iteration for each slice.
 *
 * <p>The first iteration runs for half a second right after the benchmark's set-up; then this JVM collects its garbage
 * and prints the line {@code ready}. The full collection lays the data of the set-up out in the order of its addresses.
 * Without it the last young collection of the set-up decides which data lie scattered, so that the same code differs by
 * up to a tenth. Each further iteration waits for a line on standard input, and ends with the line {@code slice
 * OPERATIONS NANOS}. A failure is reported as {@code failed SENTENCE}. The benchmark's own output goes to standard
 * error; lines that the JVM itself prints are ignored.
 *
 * <p>This class runs with the benchmarks, and the JMH, of any jar. So it must be a single class file that uses only the
 * JDK and JMH.
 */
public final class ContenderMain implements OutputFormat {
    static final String READY = "ready";
    static final String SLICE = "slice";
    static final String FAILED = "failed";

    /** For the compiler to do its first work undisturbed. */
    private static final long ALONE_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

    private final long sliceNanos;
    private final PrintStream referee;
    private final BufferedReader permissions =
            new BufferedReader(new InputStreamReader(System.in, StandardCharsets.US_ASCII));

    private ContenderMain(long sliceNanos, PrintStream referee) {
        this.sliceNanos = sliceNanos;
        this.referee = referee;
    }

    /** Arguments: benchmark, threads (0 for its own number), nanoseconds, iterations, and {@code name=value}s. */
    public static void main(String[] arguments) {
        PrintStream referee = new PrintStream(new FileOutputStream(FileDescriptor.out), true, StandardCharsets.UTF_8);
        System.setOut(System.err);
        int status = 0;
        try {
            run(arguments, referee);
        } catch (Throwable failure) {
            failure.printStackTrace();
            referee.println(FAILED + " " + rootOf(failure).toString().replaceAll("\\s+", " "));
            status = 1;
        }
        referee.flush();
        Runtime.getRuntime().halt(status);
    }

    private static void run(String[] arguments, PrintStream referee) throws Exception {
        long sliceNanos = Long.parseLong(arguments[2]);
        ChainedOptionsBuilder options = new OptionsBuilder()
                .include("^" + Pattern.quote(arguments[0]) + "$")
                .mode(Mode.Throughput)
                .timeUnit(TimeUnit.NANOSECONDS)
                .forks(0)
                .warmupIterations(1)
                .warmupTime(TimeValue.nanoseconds(Math.max(sliceNanos, ALONE_NANOS)))
                .measurementIterations(Integer.parseInt(arguments[3]))
                .measurementTime(TimeValue.nanoseconds(sliceNanos))
                .shouldFailOnError(true);
        int threads = Integer.parseInt(arguments[1]);
        if (threads > 0) {
            options.threads(threads);
        }
        for (int i = 4; i < arguments.length; i++) {
            String[] parameter = arguments[i].split("=", 2);
            options.param(parameter[0], parameter[1]);
        }
        new Runner(options.build(), new ContenderMain(sliceNanos, referee)).run();
    }

    /** JMH hides what a benchmark threw among the suppressed exceptions of its own. */
    private static Throwable rootOf(Throwable failure) {
        Throwable root = failure;
        while (true) {
            if (root.getCause() != null) {
                root = root.getCause();
            } else if (root.getSuppressed().length > 0
                    && root.getClass().getName().startsWith("org.openjdk.jmh.")) {
                root = root.getSuppressed()[0];
            } else {
                return root;
            }
        }
    }

    @Override
    public void iteration(BenchmarkParams benchmark, IterationParams params, int iteration) {
        if (params.getType() == IterationType.WARMUP) {
            return;
        }
        try {
            if (permissions.readLine() == null) {
                Runtime.getRuntime().halt(1); // the referee is gone
            }
        } catch (IOException e) {
            Runtime.getRuntime().halt(1);
        }
    }

    @Override
    public void iterationResult(
            BenchmarkParams benchmark, IterationParams params, int iteration, IterationResult data) {
        if (params.getType() == IterationType.WARMUP) {
            System.gc();
            referee.println(READY);
            return;
        }
        long operations = data.getMetadata().getMeasuredOps();
        double perNano = data.getPrimaryResult().getScore();
        long nanos = operations == 0 ? sliceNanos : Math.max(1, Math.round(operations / perNano));
        referee.println(SLICE + " " + operations + " " + nanos);
    }

    @Override
    public void startBenchmark(BenchmarkParams benchmark) {}

    @Override
    public void endBenchmark(BenchmarkResult result) {}

    @Override
    public void startRun() {}

    @Override
    public void endRun(Collection<RunResult> result) {}

    @Override
    public void print(String text) {
        System.err.print(text);
    }

    @Override
    public void println(String text) {
        System.err.println(text);
    }

    @Override
    public void flush() {}

    @Override
    public void close() {}

    @Override
    public void verbosePrintln(String text) {}

    @Override
    public void write(int b) {}

    @Override
    public void write(byte[] b) {}
}
