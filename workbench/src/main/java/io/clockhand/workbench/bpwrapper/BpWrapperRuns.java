// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.bpwrapper;

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
import io.clockhand.workbench.pages.driver.Timing;
import io.clockhand.workbench.report.Cell;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The whole command: run every cell, report. */
final class BpWrapperRuns {
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
            Memory memory =
                    Memory.of(settings.frames(), Settings.PAGE_BYTES, settings.mostThreads(), 0, Environment.memory());
            List<Cell<Setting, Contender>> cells = settings.plan();
            describe(cells.size());
            Children<RunAnswer> children = new Children<>(
                    RunChild.class,
                    RunAnswer.class,
                    RunAnswer::allHolds,
                    installation,
                    memory.jvmFlags(),
                    directory,
                    settings.out(),
                    cleanUp);
            for (int i = 0; i < cells.size(); i++) {
                perform(cells.get(i), "run " + (i + 1) + " of " + cells.size(), children, journal);
            }
            BpWrapperReport report = new BpWrapperReport(settings, runs);
            int cores = Environment.here(List.of()).cores();
            report.report(memory).publish(settings.out(), out, report.conclusion(cores, journal.isGood()));
            return journal.isGood();
        }
    }

    private void describe(int count) {
        err.println(count
                + (count == 1 ? " run" : " runs")
                + (settings.isTimed()
                        ? " of " + (settings.times().warmup() + settings.times().seconds())
                                + " s each, and as many again in which locks and hits are counted."
                        : " in which locks and hits are counted, and no time is measured."));
        settings.leftOut().forEach(note -> err.println("Left out: " + note + "."));
    }

    private void perform(Cell<Setting, Contender> cell, String number, Children<RunAnswer> children, Journal journal) {
        RunAnswer timed = null;
        Timing timing = null;
        Counting counting = null;
        if (settings.isTimed()) {
            timing = new Timing(settings.times().warmup(), settings.times().seconds());
            timed = ask(order(cell, timing, null, false), cell, "", number, children, journal);
        } else {
            counting = new Counting(
                    settings.accesses().warmupAccesses(), settings.accesses().accesses());
        }
        String suffix = settings.isTimed() ? "-counted" : "";
        RunAnswer counted = ask(order(cell, timing, counting, true), cell, suffix, number, children, journal);
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
        String name = cell.fileName("bp-wrapper") + suffix;
        RunAnswer answer = journal.attempt(number, cell, progress -> children.run(order, name, progress));
        if (answer == null) {
            return null;
        }
        if (answer.timed() != null) {
            err.println(String.format(
                    Locale.ROOT, "  %,.0f operations a second", answer.timed().operationsPerSecond()));
        }
        if (answer.counted() != null) {
            RunAnswer.Counted counted = answer.counted();
            err.println(String.format(
                    Locale.ROOT,
                    "  for a million references the lock is taken %,.0f times, %,.0f of them after a wait",
                    Run.perMillion(counted.lockAcquisitions(), counted),
                    Run.perMillion(counted.contentions(), counted)));
        }
        if (!answer.allHolds()) {
            journal.complain(
                    cell,
                    answer.wrongPages() + " of its fixes gave a wrong page: " + answer.firstWrong() + "; its log is "
                            + settings.out().resolve(name + ".log"));
        }
        return answer;
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
