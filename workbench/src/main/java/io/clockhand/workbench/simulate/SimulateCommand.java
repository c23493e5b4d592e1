// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.simulate;

import io.clockhand.workbench.environment.CommandFailure;
import io.clockhand.workbench.environment.Failures;
import io.clockhand.workbench.environment.Progress;
import io.clockhand.workbench.experiment.options.Usage;
import io.clockhand.workbench.experiment.report.Report;
import io.clockhand.workbench.simulate.Cell.Result;
import io.clockhand.workbench.simulate.ExpectedHits.Check;
import io.clockhand.workbench.simulate.Lookahead.Lookaheads;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.LongAdder;
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
            references n with n mod N = t, and the threads take turns of --interleave references each.

            A policy's name may set parameters, in parentheses; others have their default: 2q(in=0.3,out=0.6). Its \
            name with them is that of the policy in every report. Shells need quotes around it. mq has queues, life \
            and out; lirs and clock-pro cold and ghosts; s3-fifo small, ghosts and hits; w-tinylfu window and \
            protected; nb-gclock and gclock cap; 2r-gclock cold, its adaptive form most, too. A wrong one is answered \
            by the list with ranges.

            --dirty-share makes pages dirty. No dirty frame is a victim: a search that meets one queues it to be \
            written, once, and passes it. The cleaner writes queued frames in this order, then the policy is \
            notified. Its time is counted in misses: each write takes --write-time of them, and --writes-in-flight \
            are written at once. A miss that finds no clean frame waits for the oldest write, which counts as a read \
            stall. Pages that no search meets are not written.

            opt is the ceiling: it knows what will be referred to, warm-up included, and throws the page out that is \
            needed last; every page that is referred to is framed (Belady, with forced admission). It ignores dirt.

            --check compares with hits that are known. Its file has a head line with the columns trace (the name of a \
            file without folders and endings), capacity, policy, hits, requests and tolerance_points: exact, a number \
            of percentage points, or info for lines that are shown and not judged. The exit code is 1 if a line does \
            not hold, or none was compared.""")
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
        private static final long TICK_MILLIS = 200;

        /** Returns whether all that was to be checked holds. */
        boolean run() {
            try {
                return simulate();
            } catch (OutOfMemoryError e) {
                throw Failures.heapTooSmall(e);
            }
        }

        private boolean simulate() {
            Report.requireWritable(settings.out(), SimulateReport.COMMAND);
            ExpectedHits expected = settings.expectedHits() == null ? null : ExpectedHits.read(settings.expectedHits());
            List<Play> plays = plays();
            List<Cell> cells = Cell.plan(settings, plays, expected);
            describe(plays, cells);
            List<Result> results = results(cells);
            List<Check> checks = expected == null ? null : Check.all(expected, results);
            SimulateReport report = new SimulateReport(settings, cells, results, checks);
            List<String> traces = plays.stream().map(Play::name).toList();
            report.report().publish(settings.out(), out, expected == null ? "" : report.conclusion(expected, traces));
            return report.holds();
        }

        private List<Play> plays() {
            List<Play> plays = new ArrayList<>();
            for (String trace : settings.traces()) {
                Play play = Play.of(settings, trace);
                plays.add(play);
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
            }
            return plays;
        }

        private void describe(List<Play> plays, List<Cell> cells) {
            err.println(cells.size() + (cells.size() == 1 ? " simulation" : " simulations"));
            for (Play play : plays) {
                if (cells.stream().noneMatch(cell -> cell.play().equals(play))) {
                    err.println(settings.expectedHits() + " has no line for " + play.name() + ", so it is left out");
                }
            }
        }

        private List<Result> results(List<Cell> cells) {
            long whole = cells.stream()
                    .mapToLong(cell -> cell.play().allReferences())
                    .sum();
            LongAdder played = new LongAdder();
            Lookaheads lookaheads = new Lookaheads(cells);
            ExecutorService workers =
                    Executors.newFixedThreadPool(Runtime.getRuntime().availableProcessors());
            try (Progress progress = Progress.of("simulating")) {
                List<Future<Result>> futures = cells.stream()
                        .map(cell -> workers.submit(new Simulation(
                                cell, settings.interleave(), settings.parts(), settings.speed(), lookaheads, played)))
                        .toList();
                List<Result> results = new ArrayList<>();
                for (int i = 0; i < cells.size(); i++) {
                    results.add(result(futures.get(i), cells.get(i), progress, played, whole));
                }
                return results;
            } finally {
                workers.shutdownNow();
            }
        }

        private static Result result(
                Future<Result> future, Cell cell, Progress progress, LongAdder played, long whole) {
            while (true) {
                try {
                    return future.get(TICK_MILLIS, TimeUnit.MILLISECONDS);
                } catch (TimeoutException e) {
                    progress.at((double) played.sum() / whole);
                } catch (ExecutionException e) {
                    throw failure(cell, e.getCause());
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                    throw new CommandFailure("interrupted", e);
                }
            }
        }

        private static CommandFailure failure(Cell cell, Throwable cause) {
            if (cause instanceof OutOfMemoryError error) {
                throw error;
            }
            return cause instanceof CommandFailure failure
                    ? failure
                    : new CommandFailure(cell + " failed: " + cause, cause);
        }
    }
}
