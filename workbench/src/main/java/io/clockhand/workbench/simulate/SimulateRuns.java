// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.simulate;

import io.clockhand.workbench.CommandFailure;
import io.clockhand.workbench.Version;
import io.clockhand.workbench.environment.Disk;
import io.clockhand.workbench.environment.Environment;
import io.clockhand.workbench.environment.Failures;
import io.clockhand.workbench.environment.Progress;
import io.clockhand.workbench.report.ResultFiles;
import io.clockhand.workbench.simulate.SimulateReport.Check;
import io.clockhand.workbench.simulate.SimulateReport.Result;
import java.io.IOException;
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

/** The whole command: read the traces, simulate every cell on as many threads as there are processors, check, report. */
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
        Disk.requireWritable(settings.out(), "the results");
        ExpectedHits expected = settings.check() == null ? null : ExpectedHits.read(settings.check());
        List<Play> plays = plays();
        List<Cell> cells = Cell.plan(settings, plays, expected);
        describe(plays, cells);
        List<Result> results = results(cells);
        SimulateReport report = new SimulateReport(
                "simulate",
                Version.current(),
                SimulateReport.note(settings),
                Environment.here(List.of()),
                Cell.options(settings, cells),
                results,
                expected == null ? null : SimulateReport.checks(expected, results));
        write(report);
        if (expected != null) {
            conclude(report, expected, plays.stream().map(Play::name).toList());
        }
        out.flush();
        return report.holds();
    }

    /** Reads each trace once. */
    private List<Play> plays() {
        List<Play> plays = new ArrayList<>();
        for (String trace : settings.traces()) {
            Play play;
            try (Progress progress = Progress.of("reading " + trace)) {
                play = Play.of(settings, trace);
                progress.at(1);
            }
            plays.add(play);
            err.println(String.format(
                    Locale.ROOT,
                    "%s: %,d references to %,d pages",
                    trace,
                    play.allReferences(),
                    play.workload().keys()));
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
                err.println(settings.check() + " has no line for " + play.name() + ", so it is left out");
            }
        }
    }

    private List<Result> results(List<Cell> cells) {
        long whole =
                cells.stream().mapToLong(cell -> cell.play().allReferences()).sum();
        LongAdder played = new LongAdder();
        ExecutorService workers =
                Executors.newFixedThreadPool(Runtime.getRuntime().availableProcessors());
        try (Progress progress = Progress.of("simulating")) {
            List<Future<Result>> futures = cells.stream()
                    .map(cell -> workers.submit(new Simulation(cell, settings.interleave(), played)))
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

    private void write(SimulateReport report) {
        ResultFiles results = Renderings.files(report, settings.out());
        try {
            results.write();
        } catch (IOException e) {
            throw new CommandFailure("cannot write the results to " + settings.out() + ": " + e.getMessage(), e);
        }
        out.println(Renderings.tables(report));
        out.println(report.note());
        out.println("Written: " + String.join(", ", results.paths()));
    }

    private void conclude(SimulateReport report, ExpectedHits expected, List<String> traces) {
        List<Check> checks = report.checks();
        out.println();
        Renderings.remarkable(checks).forEach(out::println);
        List<String> unknown = expected.unknownPolicies(traces);
        if (!unknown.isEmpty()) {
            out.println("Not to be simulated: " + String.join(", ", unknown) + ".");
        }
        long failed = checks.stream().filter(Check::fails).count();
        long judged = checks.stream().filter(check -> check.holds() != null).count();
        out.println(
                judged == 0
                        ? "Nothing was checked: no line of " + expected.file()
                                + " that is judged is about these results."
                        : judged - failed + " of " + judged + " lines of " + expected.file() + " hold"
                                + (failed == 0 ? "." : "; " + failed + " do not, see above."));
    }
}
