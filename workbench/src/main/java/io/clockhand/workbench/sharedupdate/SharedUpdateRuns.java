// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.sharedupdate;

import io.clockhand.duel.DuelSettings;
import io.clockhand.workbench.Journal;
import io.clockhand.workbench.environment.CleanUp;
import io.clockhand.workbench.environment.Disk;
import io.clockhand.workbench.environment.Installation;
import io.clockhand.workbench.pages.Children;
import io.clockhand.workbench.pages.Memory;
import io.clockhand.workbench.pages.driver.Timing;
import io.clockhand.workbench.report.Cell;
import io.clockhand.workbench.report.Figures;
import io.clockhand.workbench.report.Turns;
import io.clockhand.workbench.sharedupdate.driver.CpuLoop;
import io.clockhand.workbench.sharedupdate.driver.Protocol;
import io.clockhand.workbench.sharedupdate.driver.Rows;
import io.clockhand.workbench.sharedupdate.driver.RunAnswer;
import io.clockhand.workbench.sharedupdate.driver.RunChild;
import io.clockhand.workbench.sharedupdate.driver.RunOrder;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The whole command: run every cell, report. */
final class SharedUpdateRuns {
    private static final String COMMAND = "shared-update";
    /** A page takes little; so every contender of a duel can have so much. */
    private static final Memory MEMORY = new Memory(128 << 20, 64 << 20);

    private final Settings settings;
    private final Installation installation;
    private final PrintStream out;
    private final PrintStream err;
    private final List<Run> runs = new ArrayList<>();

    private Journal journal;
    private Children<RunAnswer> children;
    private Path directory;
    private double stepsPerMicro;

    SharedUpdateRuns(Settings settings, Installation installation, PrintStream out, PrintStream err) {
        this.settings = settings;
        this.installation = installation;
        this.out = out;
        this.err = err;
    }

    /** Returns whether every run ended and found its page right. */
    boolean run() {
        try (CleanUp cleanUp = new CleanUp()) {
            journal = new Journal(err, cleanUp);
            directory = Disk.workingDirectory(settings.out(), ".shared-update-", cleanUp);
            children = new Children<>(
                    RunChild.class,
                    RunAnswer.class,
                    RunAnswer::allHolds,
                    installation,
                    MEMORY.jvmFlags(),
                    directory,
                    settings.out(),
                    cleanUp);
            stepsPerMicro = CpuLoop.stepsPerMicro(); // once, so that all contenders compute the same
            List<List<Cell<Setting, Contender>>> groups = settings.plan();
            describe(groups);
            for (int i = 0; i < groups.size(); i++) {
                perform(groups.get(i), "part " + (i + 1) + " of " + groups.size());
            }
            SharedUpdateReport report = new SharedUpdateReport(settings, BestExclusive.addTo(runs, settings));
            report.report(MEMORY).publish(settings.out(), out, report.conclusion(journal.isGood()));
            return journal.isGood();
        }
    }

    private void describe(List<List<Cell<Setting, Contender>>> groups) {
        int count = groups.stream().mapToInt(List::size).sum();
        err.println(String.format(
                Locale.ROOT,
                "%s of %d s each, and as many of %d s in which waits are counted.",
                Figures.counted(count, "runs"),
                settings.times().warmup() + settings.times().seconds(),
                settings.times().warmup() + settings.countedSeconds()));
    }

    private void perform(List<Cell<Setting, Contender>> cells, String number) {
        List<RunAnswer> timed = new ArrayList<>();
        List<Turns> turns = new ArrayList<>();
        if (cells.get(0).setting().logCost().waits()) {
            for (Cell<Setting, Contender> cell : cells) {
                timed.addAll(alone(cell, number));
                turns.add(null);
            }
        } else {
            List<Children.Job> jobs = cells.stream().map(this::job).toList();
            DuelSettings duel = settings.times().duelOf(cells.get(0).repeat(), settings.seed());
            turns.addAll(children.compare(cells, jobs, settings.mostThreads(), duel, journal, number, timed));
        }
        for (int i = 0; i < cells.size(); i++) {
            count(new Run(cells.get(i), timed.get(i), turns.get(i), null, null), number);
        }
    }

    /** The answer, which is null if it failed. */
    private List<RunAnswer> alone(Cell<Setting, Contender> cell, String number) {
        List<RunAnswer> answers = new ArrayList<>();
        children.compare(List.of(cell), List.of(job(cell)), cell.contender().threads(), null, journal, number, answers);
        return answers;
    }

    private Children.Job job(Cell<Setting, Contender> cell) {
        return new Children.Job(
                cell.name(), cell.fileName(COMMAND), slices -> order(cell, timing(slices), "timed", false));
    }

    private Timing timing(String slices) {
        return new Timing(
                settings.times().warmup(),
                settings.times().seconds(),
                slices,
                settings.times().duelOf(1, 1).warmUpRounds());
    }

    /** Counts waits, after the timed run. */
    private void count(Run run, String number) {
        Cell<Setting, Contender> cell = run.cell();
        String name = cell.fileName(COMMAND);
        if (run.timed() != null) {
            err.println(
                    String.format(Locale.ROOT, "  %s: %,.0f updates a second", cell.name(), run.updatesPerSecond()));
            complainIfWrong(cell, run.timed(), name);
        }
        Timing timing = Timing.alone(0, settings.countedSeconds()); // all threads from the begin, and counted then
        RunAnswer counted = journal.attempt(
                number + ", counted",
                cell,
                progress -> children.run(order(cell, timing, "counted", true), name + "-counted", progress));
        if (counted != null) {
            complainIfWrong(cell, counted, name + "-counted");
        }
        runs.add(new Run(cell, run.timed(), run.turns(), counted, null));
    }

    private void complainIfWrong(Cell<Setting, Contender> cell, RunAnswer answer, String name) {
        if (!answer.allHolds()) {
            journal.complain(
                    cell,
                    answer.wrong() + "; the run is not valid; its log is "
                            + settings.out().resolve(name + ".log"));
        }
    }

    private RunOrder order(Cell<Setting, Contender> cell, Timing timing, String kind, boolean counts) {
        Setting setting = cell.setting();
        Protocol protocol = cell.contender().protocol();
        return new RunOrder(
                setting.load(),
                protocol,
                new Rows(setting.layout(), setting.rowBytes(), cell.contender().threads()),
                setting.pageLsnBytes(),
                setting.logCost(),
                stepsPerMicro,
                directory.resolve(cell.fileName(kind)).toAbsolutePath().toString(),
                timing,
                counts);
    }
}
