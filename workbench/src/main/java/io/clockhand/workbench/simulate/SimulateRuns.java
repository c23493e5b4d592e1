// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.simulate;

import io.clockhand.workbench.environment.CommandFailure;
import io.clockhand.workbench.environment.Disk;
import io.clockhand.workbench.environment.Failures;
import io.clockhand.workbench.environment.Progress;
import io.clockhand.workbench.report.Report;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.LongAdder;

/**
 * The whole command: read the traces, simulate every cell on as many threads as there are processors, check, report.
 */
final class SimulateRuns {
    private static final long TICK_MILLIS = 200;

    private final Settings settings;
    private final PrintStream out;
    private final PrintStream err;

    SimulateRuns(Settings settings, PrintStream out, PrintStream err) {
        this.settings = settings;
        this.out = out;
        this.err = err;
    }

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

    /** Reads each trace once. */
    private List<Play> plays() {
        List<Play> plays = new ArrayList<>();
        for (String trace : settings.traces().traces()) {
            Play play;
            try (Progress progress = Progress.of("reading " + trace)) {
                play = Play.of(settings, trace, (bytes, size) -> show(progress, bytes, size));
                progress.at(1);
            }
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

    private static void show(Progress progress, long bytes, long size) {
        if (size > 0) {
            progress.at((double) bytes / size);
        } else {
            progress.at(Disk.megabytes(bytes));
        }
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
        long whole =
                cells.stream().mapToLong(cell -> cell.play().allReferences()).sum();
        LongAdder played = new LongAdder();
        Lookaheads lookaheads = new Lookaheads(cells);
        ExecutorService workers =
                Executors.newFixedThreadPool(Runtime.getRuntime().availableProcessors());
        try (Progress progress = Progress.of("simulating")) {
            List<Future<Result>> futures = cells.stream()
                    .map(cell -> workers.submit(new Simulation(
                            cell,
                            settings.interleave(),
                            settings.parts(),
                            settings.cleaning().speed(),
                            lookaheads,
                            played)))
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

    private static Result result(Future<Result> future, Cell cell, Progress progress, LongAdder played, long whole) {
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
