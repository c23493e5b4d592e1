// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.replay;

import io.clockhand.workbench.CommandFailure;
import io.clockhand.workbench.Journal;
import io.clockhand.workbench.environment.CleanUp;
import io.clockhand.workbench.environment.Disk;
import io.clockhand.workbench.environment.Environment;
import io.clockhand.workbench.environment.Installation;
import io.clockhand.workbench.pages.Children;
import io.clockhand.workbench.pages.Memory;
import io.clockhand.workbench.pages.driver.Counting;
import io.clockhand.workbench.pages.driver.Timing;
import io.clockhand.workbench.replay.driver.Io;
import io.clockhand.workbench.replay.driver.RunAnswer;
import io.clockhand.workbench.replay.driver.RunAnswer.Counted;
import io.clockhand.workbench.replay.driver.RunChild;
import io.clockhand.workbench.replay.driver.RunOrder;
import io.clockhand.workbench.report.Cell;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.ArrayList;
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

    ReplayRuns(Settings settings, Installation installation, PrintStream out, PrintStream err) {
        this.settings = settings;
        this.installation = installation;
        this.out = out;
        this.err = err;
    }

    /** Returns whether every run ended and every page that was fixed was right. */
    boolean run() {
        try (CleanUp cleanUp = new CleanUp()) {
            Journal journal = new Journal(err, cleanUp);
            Path directory = Disk.workingDirectory(settings.out(), ".replay-", cleanUp);
            settings.workloads().forEach(name -> plays.put(name, Play.of(settings, name, directory)));
            Memory memory = Memory.of(
                    settings.mostFrames(),
                    settings.pageBytes(),
                    settings.mostThreads(),
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
            List<Cell<Setting, Contender>> cells = settings.plan();
            for (int i = 0; i < cells.size(); i++) {
                perform(cells.get(i), "run " + (i + 1) + " of " + cells.size(), children, journal);
            }
            ReplayReport report = new ReplayReport(settings, runs);
            int cores = Environment.here(List.of()).cores();
            report.report(memory).publish(settings.out(), out, report.conclusion(cores, journal.isGood()));
            return journal.isGood();
        }
    }

    private void describe() {
        int count = settings.plan().size();
        err.println(count
                + (count == 1 ? " run" : " runs")
                + (settings.isTimed()
                        ? " of " + (settings.times().warmup() + settings.times().seconds())
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

    /** One for each number of keys; each is opened once, as a test. */
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

    private void perform(Cell<Setting, Contender> cell, String number, Children<RunAnswer> children, Journal journal) {
        Play play = plays.get(cell.setting().workload());
        RunAnswer timed = null;
        Counting counting;
        if (settings.isTimed()) {
            Timing timing =
                    new Timing(settings.times().warmup(), settings.times().seconds());
            RunOrder order = order(cell, settings.interleave(), timing, null);
            timed = ask(order, cell, "", number, children, journal);
            if (timed == null) {
                runs.add(new Run(cell, null, null));
                return;
            }
            counting = play.counting(timed.timed().operationsPerSecond());
        } else {
            counting = play.counting(settings);
        }
        RunOrder order = order(cell, settings.countedInterleave(), null, counting);
        RunAnswer counted = ask(order, cell, settings.isTimed() ? "-counted" : "", number, children, journal);
        if (counted != null) {
            noteIfCold(cell, play, counted.counted());
        }
        runs.add(new Run(cell, timed, counted));
    }

    /** Returns null, and has complained, if there is no answer. */
    private RunAnswer ask(
            RunOrder order,
            Cell<Setting, Contender> cell,
            String suffix,
            String number,
            Children<RunAnswer> children,
            Journal journal) {
        String name = cell.fileName("replay") + suffix;
        RunAnswer answer = journal.attempt(number, cell, progress -> children.run(order, name, progress));
        if (answer == null) {
            return null;
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
            journal.complain(
                    cell,
                    answer.wrongPages() + " of its fixes gave a wrong page: " + answer.firstWrong() + "; its log is "
                            + settings.out().resolve(name + ".log"));
        }
        return answer;
    }

    private RunOrder order(Cell<Setting, Contender> cell, int interleave, Timing timing, Counting counting) {
        Play play = plays.get(cell.setting().workload());
        PageFile layout = PageFile.of(settings, play.keys());
        Path file = cell.setting().io().needsFile() ? files.get(layout).toAbsolutePath() : null;
        Contender contender = cell.contender();
        return new RunOrder(
                new RunOrder.Pool(
                        contender.policy(),
                        contender.hand(),
                        contender.pageIn(),
                        cell.setting().frames(),
                        settings.pageBytes()),
                play.source(),
                new RunOrder.Pages(
                        cell.setting().io(), file == null ? null : file.toString(), layout.pages(), settings.spread()),
                cell.setting().threads(),
                interleave,
                timing,
                counting);
    }

    /** A trace that is counted from its beginning starts with an empty pool on purpose. */
    private void noteIfCold(Cell<Setting, Contender> cell, Play play, Counted counted) {
        boolean intended = (play.isTrace() && !settings.isTimed())
                || (settings.accesses().warmupAccesses() != null
                        && settings.accesses().warmupAccesses() == 0);
        if (counted.freeAtStart() > 0 && play.keys() >= cell.setting().frames() && !intended) {
            err.println("  warning: " + counted.freeAtStart()
                    + " frames were empty when counting began; a longer warm-up" + " would show other hits");
        }
    }
}
