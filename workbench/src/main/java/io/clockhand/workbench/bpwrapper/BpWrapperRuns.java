// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.bpwrapper;

import io.clockhand.workbench.CommandFailure;
import io.clockhand.workbench.Version;
import io.clockhand.workbench.bpwrapper.BpWrapperReport.Run;
import io.clockhand.workbench.bpwrapper.driver.RunAnswer;
import io.clockhand.workbench.bpwrapper.driver.RunChild;
import io.clockhand.workbench.bpwrapper.driver.RunOrder;
import io.clockhand.workbench.environment.CleanUp;
import io.clockhand.workbench.environment.Disk;
import io.clockhand.workbench.environment.Environment;
import io.clockhand.workbench.environment.Installation;
import io.clockhand.workbench.environment.Progress;
import io.clockhand.workbench.pages.Children;
import io.clockhand.workbench.pages.Memory;
import io.clockhand.workbench.pages.driver.Counting;
import io.clockhand.workbench.pages.driver.Timing;
import io.clockhand.workbench.report.ResultFiles;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;

/** The whole command: run every cell, report. */
final class BpWrapperRuns {
    private final Settings settings;
    private final Installation installation;
    private final PrintStream out;
    private final PrintStream err;
    private final List<Run> runs = new ArrayList<>();
    private boolean good = true;

    BpWrapperRuns(Settings settings, Installation installation, PrintStream out, PrintStream err) {
        this.settings = settings;
        this.installation = installation;
        this.out = out;
        this.err = err;
    }

    /** Returns whether every run ended and every page that was fixed was right. */
    boolean run() {
        try (CleanUp cleanUp = new CleanUp()) {
            Path directory = Disk.workingDirectory(settings.out(), ".bp-wrapper-", cleanUp);
            Memory memory = Memory.of(
                    settings.frames(),
                    Settings.PAGE_BYTES,
                    Collections.max(settings.threads()),
                    0,
                    Environment.memory());
            List<Cell> cells = Cell.plan(settings);
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
                perform(cells.get(i), "run " + (i + 1) + " of " + cells.size(), children);
            }
            report(memory);
        }
        return good;
    }

    private void describe(int count) {
        err.println(count
                + (count == 1 ? " run" : " runs")
                + (settings.isTimed()
                        ? " of " + (settings.warmup() + settings.seconds())
                                + " s each, and as many again in which locks and hits are counted."
                        : " in which locks and hits are counted, and no time is measured."));
        Contender.leftOut(settings.queueSizes(), settings.thresholds())
                .forEach(note -> err.println("Left out: " + note + "."));
    }

    private void perform(Cell cell, String number, Children<RunAnswer> children) {
        children.cleanUp().holdIfInterrupted();
        RunAnswer timed = null;
        RunAnswer counted = null;
        try {
            if (settings.isTimed()) {
                Timing timing = new Timing(settings.warmup(), settings.seconds());
                timed = ask(order(cell, timing, null, false), cell, "", number, children);
                counted = ask(order(cell, timing, null, true), cell, "-counted", number + ", counted", children);
            } else {
                Counting counting = new Counting(settings.warmupAccesses(), settings.accesses());
                counted = ask(order(cell, null, counting, true), cell, "", number, children);
            }
        } catch (CommandFailure failure) {
            children.cleanUp().holdIfInterrupted();
            complain(cell, failure.getMessage());
        }
        runs.add(Run.of(cell, timed, counted));
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
            RunAnswer.Counted counted = answer.counted();
            err.println(String.format(
                    Locale.ROOT,
                    "  for a million references the lock is taken %,.0f times, %,.0f of them after a wait",
                    BpWrapperReport.perMillion(counted.lockAcquisitions(), counted),
                    BpWrapperReport.perMillion(counted.contentions(), counted)));
        }
        if (!answer.allHolds()) {
            complain(
                    cell,
                    answer.wrongPages() + " of its fixes gave a wrong page: " + answer.firstWrong() + "; its log is "
                            + settings.out().resolve(name + ".log"));
        }
        return answer;
    }

    private RunOrder order(Cell cell, Timing timing, Counting counting, boolean countsLocks) {
        Contender contender = cell.contender();
        return new RunOrder(
                new RunOrder.Pool(
                        contender.form(),
                        cell.policy(),
                        contender.queueSize() == null ? 0 : contender.queueSize(),
                        contender.threshold() == null ? 0 : contender.threshold(),
                        settings.frames(),
                        Settings.PAGE_BYTES),
                new RunOrder.Source(
                        cell.stream(), settings.pages(cell.missPercent()), cell.missPercent(), settings.seed()),
                cell.threads(),
                timing,
                counting,
                countsLocks);
    }

    private void complain(Cell cell, String what) {
        good = false;
        err.println("Failed: " + cell + ": " + what);
    }

    private void report(Memory memory) {
        BpWrapperReport report = new BpWrapperReport(
                "bp-wrapper",
                Version.current(),
                BpWrapperReport.note(settings),
                Environment.here(memory.jvmFlags()),
                settings.asOptions(),
                runs,
                BpWrapperReport.summarize(settings, runs));
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
        out.println(Conclusion.of(report, settings, good));
        out.flush();
    }
}
