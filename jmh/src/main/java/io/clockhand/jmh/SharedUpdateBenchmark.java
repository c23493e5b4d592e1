// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.jmh;

import io.clockhand.workbench.environment.Disk;
import io.clockhand.workbench.sharedupdate.driver.CpuLoop;
import io.clockhand.workbench.sharedupdate.driver.HotPage;
import io.clockhand.workbench.sharedupdate.driver.Log;
import io.clockhand.workbench.sharedupdate.driver.Log.LogCost;
import io.clockhand.workbench.sharedupdate.driver.Protocol;
import io.clockhand.workbench.sharedupdate.driver.Rows;
import io.clockhand.workbench.sharedupdate.driver.Rows.RowLayout;
import io.clockhand.workbench.sharedupdate.driver.Updater;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;
import org.openjdk.jmh.infra.BenchmarkParams;
import org.openjdk.jmh.infra.ThreadParams;

/**
 * Rows of one page that threads update, each its own, with a log record for each update; million updates per second.
 * The code is that of {@code workbench shared-update}, which describes the protocols. An append takes {@code logNanos}
 * of computing, at the same time as those of other threads; how many steps that is, each fork finds out by itself, or
 * {@code stepsPerMicro} says it, for all alike. At the end of a fork the page is checked.
 *
 * <pre>{@code
 * java -cp jmh/target/benchmarks.jar io.clockhand.jmh.Duel SharedUpdate -p logNanos=1000 -p layout=padded -t 2 \
 *     --between protocol=exclusive-lock,exclusive-spin,shared
 * }</pre>
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Fork(5)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class SharedUpdateBenchmark {
    @Param({"exclusive-lock", "exclusive-spin", "shared"})
    public String protocol;

    @Param({"1000", "400"})
    public int logNanos;

    @Param({"padded", "interleaved"})
    public String layout;

    @Param("8")
    public int rowBytes;

    @Param("8")
    public int pageLsnBytes;

    /** 0: each fork finds it out. */
    @Param("0")
    public double stepsPerMicro;

    private final List<Updater> updaters = new CopyOnWriteArrayList<>();
    private Path directory;
    private Log log;
    private HotPage page;

    @Setup
    public void open(BenchmarkParams params) throws IOException {
        directory = Files.createTempDirectory("shared-update-");
        LogCost cost = new LogCost(LogCost.Kind.CPU, logNanos);
        log = Log.open(cost, stepsPerMicro == 0 ? CpuLoop.stepsPerMicro() : stepsPerMicro, directory);
        Rows rows = new Rows(RowLayout.valueOf(layout.toUpperCase(Locale.ROOT)), rowBytes, params.getThreads());
        page = Protocol.of(protocol).open(rows, pageLsnBytes, log, directory);
    }

    /** A thread's rows. */
    @State(Scope.Thread)
    public static class Owned {
        private Updater updater;

        @Setup
        public void open(SharedUpdateBenchmark benchmark, ThreadParams params) throws IOException {
            updater = benchmark.page.updater(params.getThreadIndex(), false);
            benchmark.updaters.add(updater);
        }

        @TearDown
        public void close() {
            updater.close();
        }
    }

    @Benchmark
    public void update(Owned owned) throws IOException {
        owned.updater.update();
    }

    @TearDown(Level.Trial)
    public void check() throws IOException {
        String wrong = page.check(updaters);
        page.close();
        log.close();
        Disk.deleteTree(directory);
        if (wrong != null) {
            throw new IllegalStateException(wrong);
        }
    }
}
