// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.replay;

import io.clockhand.workbench.CommandFailure;
import io.clockhand.workbench.Version;
import io.clockhand.workbench.environment.CleanUp;
import io.clockhand.workbench.environment.Disk;
import io.clockhand.workbench.environment.Environment;
import io.clockhand.workbench.environment.Installation;
import io.clockhand.workbench.environment.Progress;
import io.clockhand.workbench.pages.Children;
import io.clockhand.workbench.pages.Memory;
import io.clockhand.workbench.pages.driver.Counting;
import io.clockhand.workbench.pages.driver.Timing;
import io.clockhand.workbench.replay.ReplayReport.Run;
import io.clockhand.workbench.replay.driver.Io;
import io.clockhand.workbench.replay.driver.RunAnswer;
import io.clockhand.workbench.replay.driver.RunAnswer.Counted;
import io.clockhand.workbench.replay.driver.RunChild;
import io.clockhand.workbench.replay.driver.RunOrder;
import io.clockhand.workbench.report.ResultFiles;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The whole command: read the traces, make the files, run every cell, report. */
final class ReplayRuns {
    private final Settings settings;
    private final Installation installation;
    private final PrintStream out;
    private final PrintStream err;
    private final Map<String, Play> plays = new LinkedHashMap<>();
    private final Map<PageFile, Path> files = new LinkedHashMap<>();
    private final List<Run> runs = new ArrayList<>();
    private boolean good = true;

    ReplayRuns(Settings settings, Installation installation, PrintStream out, PrintStream err) {
        this.settings = settings;
        this.installation = installation;
        this.out = out;
        this.err = err;
    }

    /** Returns whether every run ended and every page that was fixed was right. */
    boolean run() {
        try (CleanUp cleanUp = new CleanUp()) {
            Path directory = Disk.workingDirectory(settings.out(), ".replay-", cleanUp);
            settings.workloads().forEach(name -> plays.put(name, Play.of(settings, name, directory)));
            Memory memory = Memory.of(
                    settings.mostFrames(),
                    settings.pageBytes(),
                    Collections.max(settings.threads()),
                    plays.values().stream().mapToInt(Play::traceLength).max().orElse(0),
                    Environment.memory());
            describe();
            makeFiles(settings.file() == null ? directory : settings.file(), cleanUp);
            Children<RunAnswer> children = new Children<>(
                    RunChild.class,
                    RunAnswer.class,
                    RunAnswer::allHolds,
                    installation,
                    memory.jvmFlags(),
                    directory,
                    settings.out(),
                    cleanUp);
            List<Cell> cells = Cell.plan(settings);
            for (int i = 0; i < cells.size(); i++) {
                perform(cells.get(i), "run " + (i + 1) + " of " + cells.size(), children);
            }
            report(memory);
        }
        return good;
    }

    private void describe() {
        int count = Cell.plan(settings).size();
        err.println(count
                + (count == 1 ? " run" : " runs")
                + (settings.isTimed()
                        ? " of " + (settings.warmup() + settings.seconds())
                                + " s each, and as many shorter ones in which hits and reads are counted."
                        : " in which hits and reads are counted, and no time is measured."));
        for (Play play : plays.values()) {
            if (play.isTrace()) {
                err.println(String.format(
                        Locale.ROOT, "%s: %,d references to %,d pages", play.name(), play.traceLength(), play.keys()));
                noteIfLonger(play);
            }
        }
    }

    private void noteIfLonger(Play play) {
        if (!settings.isTimed()) {
            Counting counting = play.counting(settings);
            if (counting.warmupAccesses() + counting.accesses() > play.traceLength()) {
                err.println("  which are fewer than are asked for, so it is played again from its beginning");
            }
        }
    }

    /** One for each number of keys; each is tried out. */
    private void makeFiles(Path directory, CleanUp cleanUp) {
        List<Io> ios = settings.ios().stream().filter(Io::needsFile).toList();
        for (Play play : plays.values()) {
            PageFile layout = PageFile.of(settings, play.keys());
            if (!ios.isEmpty() && !files.containsKey(layout)) {
                Path file = layout.in(directory, cleanUp);
                files.put(layout, file);
                ios.forEach(io -> check(io, layout, file));
            }
        }
    }

    private static void check(Io io, PageFile layout, Path file) {
        try {
            io.check(file, layout.pages(), layout.pageBytes());
        } catch (IOException e) {
            throw new CommandFailure("--io " + io + " is not possible: " + e.getMessage(), e);
        }
    }

    private void perform(Cell cell, String number, Children<RunAnswer> children) {
        children.cleanUp().holdIfInterrupted();
        Play play = plays.get(cell.workload());
        RunAnswer timed = null;
        RunAnswer counted = null;
        try {
            if (settings.isTimed()) {
                Timing timing = new Timing(settings.warmup(), settings.seconds());
                timed = ask(order(cell, settings.interleave(), timing, null), cell, "", number, children);
                double speed = timed.timed().operationsPerSecond();
                Counting counting = play.counting(speed);
                RunOrder order = order(cell, settings.countedInterleave(), null, counting);
                counted = ask(order, cell, "-counted", number + ", counted", children);
            } else {
                RunOrder order = order(cell, settings.interleave(), null, play.counting(settings));
                counted = ask(order, cell, "", number, children);
            }
            noteIfCold(cell, play, counted.counted());
        } catch (CommandFailure failure) {
            children.cleanUp().holdIfInterrupted();
            complain(cell, failure.getMessage());
        }
        runs.add(Run.of(cell, settings.pageBytes(), timed, counted));
    }

    private RunAnswer ask(RunOrder order, Cell cell, String suffix, String number, Children<RunAnswer> children) {
        RunAnswer answer;
        String name = cell.fileName() + suffix;
        try (Progress progress = Progress.of(number + ": " + cell)) {
            answer = children.run(order, name, progress);
        }
        if (answer.timed() != null) {
            err.println(String.format(
                    Locale.ROOT, "  %,.0f operations a second", answer.timed().operationsPerSecond()));
        }
        if (answer.counted() != null) {
            Counted counted = answer.counted();
            err.println(String.format(Locale.ROOT, "  %.2f %% hits", 100.0 * counted.hits() / counted.accesses()));
        }
        if (!answer.allHolds()) {
            complain(
                    cell,
                    answer.wrongPages() + " of its fixes gave a wrong page: " + answer.firstWrong() + "; its log is "
                            + settings.out().resolve(name + ".log"));
        }
        return answer;
    }

    private RunOrder order(Cell cell, int interleave, Timing timing, Counting counting) {
        Play play = plays.get(cell.workload());
        PageFile layout = PageFile.of(settings, play.keys());
        Path file = cell.io().needsFile() ? files.get(layout).toAbsolutePath() : null;
        Contender contender = cell.contender();
        return new RunOrder(
                new RunOrder.Pool(
                        contender.policy(), contender.hand(), contender.pageIn(), cell.frames(), settings.pageBytes()),
                play.source(),
                new RunOrder.Pages(cell.io(), file == null ? null : file.toString(), layout.pages(), settings.spread()),
                cell.threads(),
                interleave,
                timing,
                counting);
    }

    /** A trace that is counted from its beginning is meant to start with an empty pool. */
    private void noteIfCold(Cell cell, Play play, Counted counted) {
        boolean meant = (play.isTrace() && !settings.isTimed())
                || (settings.warmupAccesses() != null && settings.warmupAccesses() == 0);
        if (counted.freeAtStart() > 0 && play.keys() >= cell.frames() && !meant) {
            err.println("  warning: " + counted.freeAtStart()
                    + " frames were empty when counting began; a longer warm-up" + " would show other hits");
        }
    }

    private void complain(Cell cell, String what) {
        good = false;
        err.println("Failed: " + cell + ": " + what);
    }

    private void report(Memory memory) {
        ReplayReport report = new ReplayReport(
                "replay",
                Version.current(),
                ReplayReport.note(settings),
                Environment.here(memory.jvmFlags()),
                settings.asOptions(),
                runs,
                ReplayReport.summarize(settings, runs));
        ResultFiles results = Renderings.files(report, settings.out());
        try {
            results.write();
        } catch (IOException e) {
            throw new CommandFailure("cannot write the results to " + settings.out() + ": " + e.getMessage(), e);
        }
        out.print(Renderings.table(report));
        out.println(report.note());
        out.println("Written: " + String.join(", ", results.paths()));
        out.println();
        out.println(Conclusion.of(report, good));
        out.flush();
    }
}
