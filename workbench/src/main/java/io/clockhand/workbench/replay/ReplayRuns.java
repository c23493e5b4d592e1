// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.replay;

import io.clockhand.duel.DuelSettings;
import io.clockhand.workbench.CommandFailure;
import io.clockhand.workbench.Journal;
import io.clockhand.workbench.environment.CleanUp;
import io.clockhand.workbench.environment.Disk;
import io.clockhand.workbench.environment.Environment;
import io.clockhand.workbench.environment.Installation;
import io.clockhand.workbench.pages.Children;
import io.clockhand.workbench.pages.Memory;
import io.clockhand.workbench.pages.driver.Counting;
import io.clockhand.workbench.pages.driver.Timed;
import io.clockhand.workbench.pages.driver.Timing;
import io.clockhand.workbench.replay.driver.RunAnswer;
import io.clockhand.workbench.replay.driver.RunAnswer.Counted;
import io.clockhand.workbench.replay.driver.RunChild;
import io.clockhand.workbench.replay.driver.RunOrder;
import io.clockhand.workbench.report.Cell;
import io.clockhand.workbench.report.Figures;
import io.clockhand.workbench.report.Turns;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The whole command: read the traces, make the files, run every cell, report. */
final class ReplayRuns {
    private static final String COMMAND = "replay";

    private final Settings settings;
    private final Installation installation;
    private final PrintStream out;
    private final PrintStream err;
    private final Map<String, Play> plays = new LinkedHashMap<>();
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
                    plays.values().stream().allMatch(Play::writes) ? 1 : settings.contendersAtOnce(),
                    Environment.memory());
            requireWrites();
            describe();
            RunFiles files = new RunFiles(settings, settings.file() == null ? directory : settings.file(), cleanUp);
            files.prepare(plays.values());
            Children<RunAnswer> children = new Children<>(
                    RunChild.class,
                    RunAnswer.class,
                    RunAnswer::allHolds,
                    installation,
                    memory.jvmFlags(),
                    directory,
                    settings.out(),
                    cleanUp);
            List<List<Cell<Setting, Contender>>> groups = settings.plan();
            for (int i = 0; i < groups.size(); i++) {
                perform(groups.get(i), "part " + (i + 1) + " of " + groups.size(), files, children, journal);
            }
            ReplayReport report = new ReplayReport(settings, runs);
            int cores = Environment.here(List.of()).cores();
            report.report(memory).publish(settings.out(), out, report.conclusion(cores, journal.isGood()));
            return journal.isGood();
        }
    }

    private void requireWrites() {
        if (settings.writes().needsWrites() && plays.values().stream().noneMatch(Play::writes)) {
            throw new CommandFailure("--rate, --device-writes and --log need writes, but no reference of the traces is"
                    + " marked as one: add --write-share");
        }
    }

    private void describe() {
        int count = settings.plan().size() * settings.contenders().size();
        err.println(Figures.counted(count, "runs")
                + (settings.isTimed()
                        ? " of " + (settings.times().warmup() + settings.times().seconds())
                                + " s each, and as many shorter ones in which hits and reads are counted."
                        : " in which hits and reads are counted, and no time is measured."));
        if (settings.isTimed() && plays.values().stream().anyMatch(Play::writes)) {
            err.println("Contenders that change pages run one after the other, not in turn.");
        }
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

    /**
     * Contenders that change pages do not take turns: their flushers go by the clock, also while they are stopped, and
     * their devices finish what was begun.
     */
    private void perform(
            List<Cell<Setting, Contender>> cells,
            String number,
            RunFiles files,
            Children<RunAnswer> children,
            Journal journal) {
        Setting setting = cells.get(0).setting();
        if (!settings.isTimed()) {
            cells.forEach(cell -> count(cell, null, null, number, files, children, journal));
            return;
        }
        if (cells.size() > 1 && play(cells.get(0)).writes()) {
            cells.forEach(cell -> perform(List.of(cell), number, files, children, journal));
            return;
        }
        List<Children.Job> jobs = cells.stream()
                .map(cell -> new Children.Job(
                        cell.name(),
                        cell.fileName(COMMAND),
                        slices -> order(cell, settings.interleave(), timing(slices), null, files)))
                .toList();
        DuelSettings duel = settings.times().duelOf(cells.get(0).repeat(), settings.seed());
        List<RunAnswer> answers = new ArrayList<>();
        List<Turns> turns = children.compare(cells, jobs, setting.threads(), duel, journal, number, answers);
        for (int i = 0; i < cells.size(); i++) {
            noteTimed(cells.get(i), answers.get(i), journal);
            count(cells.get(i), answers.get(i), turns.get(i), number, files, children, journal);
        }
    }

    private Play play(Cell<Setting, Contender> cell) {
        return plays.get(cell.setting().workload());
    }

    private Timing timing(String slices) {
        return new Timing(
                settings.times().warmup(),
                settings.times().seconds(),
                slices,
                settings.times().duelOf(1, 1).warmUpRounds());
    }

    private void noteTimed(Cell<Setting, Contender> cell, RunAnswer answer, Journal journal) {
        if (answer != null && !answer.allHolds()) {
            complain(cell, answer, cell.fileName(COMMAND), journal);
        }
    }

    /** Counts hits and reads, after a timed run if there was one and it succeeded. */
    private void count(
            Cell<Setting, Contender> cell,
            RunAnswer timed,
            Turns turns,
            String number,
            RunFiles files,
            Children<RunAnswer> children,
            Journal journal) {
        Run run = new Run(cell, timed, turns, null);
        if (settings.isTimed() && timed == null) {
            runs.add(run);
            return;
        }
        Play play = play(cell);
        if (timed != null) {
            err.println(String.format(
                    Locale.ROOT,
                    "  %s: %,.0f operations a second",
                    cell.name(),
                    run.timed(Timed::operationsPerSecond)));
        }
        Counting counting =
                timed == null ? play.counting(settings) : play.counting(run.timed(Timed::operationsPerSecond));
        RunOrder order = order(cell, settings.countedInterleave(), null, counting, files);
        String name = cell.fileName(COMMAND) + (timed == null ? "" : "-counted");
        RunAnswer answer = journal.attempt(
                number + (timed == null ? "" : ", counted"), cell, progress -> children.run(order, name, progress));
        if (answer != null) {
            Counted counted = answer.counted();
            err.println(String.format(Locale.ROOT, "  %.2f %% hits", 100.0 * counted.hits() / counted.accesses()));
            noteIfCold(cell, play, counted);
            if (!answer.allHolds()) {
                complain(cell, answer, name, journal);
            }
        }
        runs.add(new Run(cell, timed, turns, answer));
    }

    private void complain(Cell<Setting, Contender> cell, RunAnswer answer, String name, Journal journal) {
        String what = answer.wrongPages() > 0
                ? answer.wrongPages() + " of its fixes gave a wrong page: " + answer.firstWrong()
                : "it made " + answer.written().changes() + " changes, but its pages have "
                        + answer.written().found();
        journal.complain(cell, what + "; its log is " + settings.out().resolve(name + ".log"));
    }

    private RunOrder order(
            Cell<Setting, Contender> cell, int interleave, Timing timing, Counting counting, RunFiles files) {
        Play play = play(cell);
        Contender contender = cell.contender();
        return new RunOrder(
                new RunOrder.Pool(
                        contender.policy(),
                        contender.hand(),
                        contender.pageIn(),
                        cell.setting().frames(),
                        settings.pageBytes(),
                        counting == null ? null : settings.advice().policies()),
                play.source(),
                files.pages(play, cell.setting().io()),
                cell.setting().threads(),
                interleave,
                timing,
                counting,
                play.writes() ? settings.writes().writing(timing != null) : null);
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
