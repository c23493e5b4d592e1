// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.simulate;

import io.clockhand.workbench.environment.CommandFailure;
import io.clockhand.workbench.environment.Failures;
import io.clockhand.workbench.environment.Progress;
import io.clockhand.workbench.experiment.options.Usage;
import io.clockhand.workbench.experiment.report.Figures;
import io.clockhand.workbench.experiment.report.Report;
import io.clockhand.workbench.simulate.Cell.Result;
import io.clockhand.workbench.simulate.OptimalPool.Lookaheads;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongConsumer;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** The command {@code simulate}. */
@Command(
        name = "simulate",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        usageHelpAutoWidth = true,
        description = """
            Counts the hits of policies on traces, at any number of frames, with the very classes that run in \
            production but without pages: what replay counts with one thread, sooner.""",
        footer = """

            Traces: a FILE, also one packed with gzip, xz or zstd, a pipe, or - for standard input. Text formats are \
            found out, and the one that was assumed is stated; a binary format is taken from the ending of the name \
            (.u32be, .u64be, .rw32be, .rw64be, .oracleGeneral) or from --format, and never assumed. Or paper80 and \
            paper45, 50,000 keys drawn after Zipf's law as in the experiments of the Nb-GCLOCK paper; paper80+scan, \
            with a fifth of scans; uniform, hot-page; or tpcc:W, references to the pages of a TPC-C database of W \
            warehouses.

            Threads are simulated by one, so that hits are the same every time: of N threads, thread t has the \
            references n with n mod N = t, and the threads take turns of 16 references each.

            A policy's name may set parameters, in parentheses; others have their default: 2q(in=0.3,out=0.6). Its \
            name with them is that of the policy in every report. Shells need quotes around it. mq has queues, life \
            and out; lirs and clock-pro cold and ghosts; s3-fifo small, ghosts and hits; w-tinylfu window and \
            protected; nb-gclock and gclock cap; 2r-gclock cold, its adaptive form most, too. A wrong one is answered \
            by the list with ranges.

            No dirty frame is a victim: a search that meets one queues it to be written, once, and passes it. A miss \
            that finds no clean frame waits for the oldest write, which counts as a read stall.

            opt is the ceiling: it knows all references, warm-up included, and evicts the page that is needed last; \
            every page that is referred to is framed (Belady, with forced admission). It ignores dirt.

            --check needs a head line with the columns trace (the name of a file without folders and endings), \
            capacity, policy, hits, requests and tolerance_points: exact, a number of percentage points, or info for \
            lines that are not judged. The exit code is 1 if a line does not hold, or none was compared.""")
public final class SimulateCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Mixin
    private Settings settings;

    @Override
    public Integer call() {
        settings.check(new Usage(spec));
        return new SimulateRuns(settings, System.out, System.err).run() ? 0 : 1;
    }

    /**
     * The whole command: read the traces, simulate every cell on as many threads as there are processors, check,
     * report.
     */
    record SimulateRuns(Settings settings, PrintStream out, PrintStream err) {

        /** Returns whether all that was to be checked holds. */
        boolean run() {
            try {
                return simulate();
            } catch (OutOfMemoryError e) {
                throw Failures.heapTooSmall(e);
            }
        }

        private boolean simulate() {
            Path directory = settings.common.out();
            Report.requireWritable(directory, SimulateReport.COMMAND);
            ExpectedHits expected = settings.check == null ? null : ExpectedHits.read(settings.check);
            List<Play> plays = settings.trace.stream().map(this::read).toList();
            List<Cell> cells = Cell.plan(settings, plays, expected);
            err.println(Figures.counted(cells.size(), "simulations"));
            for (Play play : plays) {
                if (cells.stream().noneMatch(cell -> cell.play().equals(play))) {
                    err.println(settings.check + " has no line for " + play.name() + ", so it is left out");
                }
            }
            SimulateReport report = new SimulateReport(settings, expected, plays, results(cells));
            report.report().publish(directory, out, report.conclusion());
            return report.holds();
        }

        private Play read(String trace) {
            Play play = Play.of(settings, trace);
            err.println(String.format(
                    Locale.ROOT,
                    "%s: %,d references to %,d pages%s",
                    trace,
                    play.allReferences(),
                    play.workload().keys(),
                    play.form() == null ? "" : "; format " + play.form()));
            if (play.isRepeated()) {
                err.println("  of which it has " + play.workload().length()
                        + " only, so it is played again from its beginning");
            }
            return play;
        }

        private List<Result> results(List<Cell> cells) {
            double whole = cells.stream()
                    .mapToLong(cell -> cell.play().allReferences())
                    .sum();
            LongAdder played = new LongAdder();
            Lookaheads lookaheads = new Lookaheads();
            ExecutorService workers =
                    Executors.newFixedThreadPool(Runtime.getRuntime().availableProcessors());
            try (Progress progress = Progress.of("simulating")) {
                LongConsumer count = references -> {
                    played.add(references);
                    synchronized (progress) {
                        progress.at(played.sum() / whole);
                    }
                };
                List<Future<Result>> futures = cells.stream()
                        .map(cell -> workers.submit(
                                new Simulation(cell, Math.max(1, settings.parts), settings.speed(), lookaheads, count)))
                        .toList();
                List<Result> results = new ArrayList<>();
                for (int i = 0; i < cells.size(); i++) {
                    results.add(result(futures.get(i), cells.get(i)));
                }
                return results;
            } finally {
                workers.shutdownNow();
            }
        }

        private static Result result(Future<Result> future, Cell cell) {
            try {
                return future.get();
            } catch (ExecutionException e) {
                if (e.getCause() instanceof OutOfMemoryError error) {
                    throw error;
                }
                throw new CommandFailure(
                        cell.play().trace() + ", " + cell.frames() + " frames, " + cell.policy() + ": " + e.getCause(),
                        e.getCause());
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new CommandFailure("interrupted", e);
            }
        }
    }
}
