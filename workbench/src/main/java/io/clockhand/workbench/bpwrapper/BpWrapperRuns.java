// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.bpwrapper;

import io.clockhand.duel.DuelSettings;
import io.clockhand.workbench.Journal;
import io.clockhand.workbench.bpwrapper.driver.RunAnswer;
import io.clockhand.workbench.bpwrapper.driver.RunChild;
import io.clockhand.workbench.bpwrapper.driver.RunOrder;
import io.clockhand.workbench.environment.CleanUp;
import io.clockhand.workbench.environment.Disk;
import io.clockhand.workbench.environment.Environment;
import io.clockhand.workbench.environment.Installation;
import io.clockhand.workbench.pages.Children;
import io.clockhand.workbench.pages.Memory;
import io.clockhand.workbench.pages.driver.Counting;
import io.clockhand.workbench.pages.driver.Timed;
import io.clockhand.workbench.pages.driver.Timing;
import io.clockhand.workbench.report.Cell;
import io.clockhand.workbench.report.Figures;
import io.clockhand.workbench.report.Turns;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;

/** The whole command: run every cell, report. */
final class BpWrapperRuns {
    private static final String COMMAND = "bp-wrapper";

    private final Settings settings;
    private final Installation installation;
    private final PrintStream out;
    private final PrintStream err;
    private final List<Run> runs = new ArrayList<>();

    BpWrapperRuns(Settings settings, Installation installation, PrintStream out, PrintStream err) {
        this.settings = settings;
        this.installation = installation;
        this.out = out;
        this.err = err;
    }

    /** Returns whether every run ended and every page that was fixed was right. */
    boolean run() {
        try (CleanUp cleanUp = new CleanUp()) {
            Journal journal = new Journal(err, cleanUp);
            Path directory = Disk.workingDirectory(settings.out(), ".bp-wrapper-", cleanUp);
            Memory memory = Memory.of(
                    settings.frames(),
                    Settings.PAGE_BYTES,
                    settings.mostThreads(),
                    0,
                    settings.contendersAtOnce(),
                    Environment.memory());
            describe(settings.plan().size() * settings.contenders().size());
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
                perform(groups.get(i), "part " + (i + 1) + " of " + groups.size(), children, journal);
            }
            BpWrapperReport report = new BpWrapperReport(settings, runs);
            int cores = Environment.here(List.of()).cores();
            report.report(memory).publish(settings.out(), out, report.conclusion(cores, journal.isGood()));
            return journal.isGood();
        }
    }

    private void describe(int count) {
        err.println(Figures.counted(count, "runs")
                + (settings.isTimed()
                        ? " of " + (settings.times().warmup() + settings.times().seconds())
                                + " s each, and as many shorter ones in which locks and hits are counted."
                        : " in which locks and hits are counted, and no time is measured."));
        settings.leftOut().forEach(note -> err.println("Left out: " + note + "."));
    }

    private void perform(
            List<Cell<Setting, Contender>> cells, String number, Children<RunAnswer> children, Journal journal) {
        List<RunAnswer> timed = new ArrayList<>(Collections.nCopies(cells.size(), null));
        List<Turns> turns = new ArrayList<>(Collections.nCopies(cells.size(), null));
        if (settings.isTimed()) {
            Setting setting = cells.get(0).setting();
            List<Children.Job> jobs = cells.stream()
                    .map(cell -> new Children.Job(
                            cell.name(), cell.fileName(COMMAND), slices -> order(cell, timing(slices), null, false)))
                    .toList();
            DuelSettings duel = settings.times().duelOf(cells.get(0).repeat(), settings.seed());
            timed.clear();
            turns = children.compare(cells, jobs, setting.threads(), duel, journal, number, timed);
        }
        for (int i = 0; i < cells.size(); i++) {
            count(new Run(cells.get(i), timed.get(i), turns.get(i), null), number, children, journal);
        }
    }

    private Timing timing(String slices) {
        return new Timing(
                settings.times().warmup(),
                settings.times().seconds(),
                slices,
                settings.times().duelOf(1, 1).warmUpRounds());
    }

    /** Counts locks and hits, after a timed run if there was one. */
    private void count(Run run, String number, Children<RunAnswer> children, Journal journal) {
        Cell<Setting, Contender> cell = run.cell();
        String name = cell.fileName(COMMAND);
        if (run.timedAnswer() != null) {
            err.println(String.format(
                    Locale.ROOT,
                    "  %s: %,.0f operations a second",
                    cell.name(),
                    run.timed(Timed::operationsPerSecond)));
            complainIfWrong(cell, run.timedAnswer(), name, journal);
        }
        RunOrder order = settings.isTimed()
                ? order(cell, Timing.alone(settings.times().warmup(), settings.countedSeconds()), null, true)
                : order(
                        cell,
                        null,
                        new Counting(
                                settings.accesses().warmupAccesses(),
                                settings.accesses().accesses()),
                        true);
        String countedName = name + (settings.isTimed() ? "-counted" : "");
        RunAnswer answer = journal.attempt(
                number + (settings.isTimed() ? ", counted" : ""),
                cell,
                progress -> children.run(order, countedName, progress));
        if (answer != null) {
            RunAnswer.Counted counted = answer.counted();
            err.println(String.format(
                    Locale.ROOT,
                    "  for a million references the lock is taken %,.0f times, %,.0f of them after a wait",
                    Run.perMillion(counted.lockAcquisitions(), counted),
                    Run.perMillion(counted.contentions(), counted)));
            complainIfWrong(cell, answer, countedName, journal);
        }
        runs.add(new Run(cell, run.timedAnswer(), run.turns(), answer));
    }

    private void complainIfWrong(Cell<Setting, Contender> cell, RunAnswer answer, String name, Journal journal) {
        if (!answer.allHolds()) {
            journal.complain(
                    cell,
                    answer.wrongPages() + " of its fixes gave a wrong page: " + answer.firstWrong() + "; its log is "
                            + settings.out().resolve(name + ".log"));
        }
    }

    private RunOrder order(Cell<Setting, Contender> cell, Timing timing, Counting counting, boolean countsLocks) {
        Contender contender = cell.contender();
        return new RunOrder(
                new RunOrder.Pool(
                        contender.form(),
                        cell.setting().policy(),
                        contender.queueSize() == null ? 0 : contender.queueSize(),
                        contender.threshold() == null ? 0 : contender.threshold(),
                        settings.frames(),
                        Settings.PAGE_BYTES),
                new RunOrder.Source(
                        cell.setting().stream(),
                        settings.pages(cell.setting().missPercent()),
                        cell.setting().missPercent(),
                        settings.seed()),
                cell.setting().threads(),
                timing,
                counting,
                countsLocks);
    }
}
