// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.select;

import io.clockhand.workbench.CommandFailure;
import io.clockhand.workbench.Version;
import io.clockhand.workbench.derby.DataSet;
import io.clockhand.workbench.derby.DerbyChildren;
import io.clockhand.workbench.derby.DerbyProperties;
import io.clockhand.workbench.derby.Needs;
import io.clockhand.workbench.derby.Pool;
import io.clockhand.workbench.environment.CleanUp;
import io.clockhand.workbench.environment.Disk;
import io.clockhand.workbench.environment.Environment;
import io.clockhand.workbench.environment.Installation;
import io.clockhand.workbench.environment.Progress;
import io.clockhand.workbench.report.Figures;
import io.clockhand.workbench.report.ResultFiles;
import io.clockhand.workbench.select.SelectReport.Run;
import io.clockhand.workbench.select.driver.RunAnswer;
import java.io.IOException;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The whole command: load if need be, run every cell, report. */
final class SelectRuns {
    private final Settings typed;
    private final Installation installation;
    private final PrintStream out;
    private final PrintStream err;
    private final List<Run> runs = new ArrayList<>();
    private boolean good = true;

    SelectRuns(Settings settings, Installation installation, PrintStream out, PrintStream err) {
        this.typed = settings;
        this.installation = installation;
        this.out = out;
        this.err = err;
    }

    /** Returns whether every run ended and every row that was read was right. */
    boolean run() {
        try (DataSet dataSet = DataSet.lock(typed.data(), typed.content(), typed.derby());
                CleanUp cleanUp = new CleanUp()) {
            Disk.requireWritable(typed.out(), "the results");
            boolean loaded = dataSet.isLoaded();
            Needs needs = Estimate.needs(typed, loaded);
            err.println(needs.inWords(typed.data(), loaded));
            if (!loaded) {
                typed.largestPool(Estimate.fewestPages(typed), Environment.memory());
                needs.requireRoom(dataSet.directory());
                children(typed, dataSet, cleanUp).load();
            }
            long pages = dataSet.readMarker().allocatedPages();
            Settings settings = typed.withHeap(
                    typed.largestPool(pages, Environment.memory()).heap());
            Children children = children(settings, dataSet, cleanUp);
            describe(settings, pages);
            List<Cell> cells = Cell.plan(settings);
            for (int i = 0; i < cells.size(); i++) {
                Pool pool = settings.pool(cells.get(i).poolPercent(), pages, Environment.memory());
                perform(cells.get(i), "run " + (i + 1) + " of " + cells.size(), pool, children);
            }
            report(settings);
        }
        return good;
    }

    private Children children(Settings settings, DataSet dataSet, CleanUp cleanUp) {
        return new Children(
                settings,
                new DerbyChildren(
                        installation, settings.derby(), settings.out(), Estimate.patience(settings), dataSet, cleanUp));
    }

    private void describe(Settings settings, long pages) {
        err.println("Derby " + settings.derby() + ", " + String.join(" ", DerbyChildren.jvmFlags(settings.heap()))
                + ", isolation READ_COMMITTED; every run has these properties:");
        DerbyProperties.ofEveryRun().forEach((name, value) -> err.println("    " + name + "=" + value));
        err.println(String.format(Locale.ROOT, "%,d pages of 4 KiB were loaded; the pools are:", pages));
        for (double percent : settings.poolPercents()) {
            err.println(String.format(
                    Locale.ROOT, "    %s %%: %,d pages", Figures.brief(percent), Pool.share(percent, pages)));
        }
    }

    private void perform(Cell cell, String number, Pool pool, Children children) {
        children.derby().holdIfInterrupted();
        RunAnswer answer = null;
        try (Progress progress = Progress.of(number + ": " + cell)) {
            answer = children.run(cell, pool.pages(), progress);
        } catch (CommandFailure failure) {
            children.derby().holdIfInterrupted();
            complain(cell, failure.getMessage());
        }
        runs.add(answer == null ? failed(cell, pool) : measured(cell, answer, pool, children));
    }

    private static Run failed(Cell cell, Pool pool) {
        return new Run(
                cell.cache().name(),
                cell.terminals(),
                cell.poolPercent(),
                cell.repeat(),
                pool.pages(),
                null,
                null,
                null,
                null,
                false);
    }

    private Run measured(Cell cell, RunAnswer answer, Pool pool, Children children) {
        double perSecond = (double) answer.selects() / children.settings().seconds();
        err.println(String.format(Locale.ROOT, "  %,.0f selects a second", perSecond));
        boolean withinPool = pool.holds(answer.maxResidentPages());
        if (!withinPool) {
            err.println(pool.overfull(cell, answer.maxResidentPages()));
        }
        if (!answer.allHolds()) {
            complain(
                    cell,
                    "read " + answer.wrongRows() + " wrong rows: " + answer.firstWrong() + "; its log is "
                            + children.derby().log(cell.fileName()));
        }
        return new Run(
                cell.cache().name(),
                cell.terminals(),
                cell.poolPercent(),
                cell.repeat(),
                pool.pages(),
                perSecond,
                answer.selects(),
                answer.wrongRows(),
                answer.maxResidentPages(),
                answer.allHolds() && withinPool);
    }

    private void complain(Cell cell, String what) {
        good = false;
        err.println("Failed: " + cell + ": " + what);
    }

    private void report(Settings settings) {
        SelectReport report = new SelectReport(
                "derby-select",
                Version.current(),
                SelectReport.NOTE,
                Environment.here(DerbyChildren.jvmFlags(settings.heap())),
                settings.asOptions(),
                DerbyProperties.ofEveryRun(),
                runs,
                SelectReport.summarize(settings, runs));
        ResultFiles files = Renderings.files(report, settings.out());
        try {
            files.write();
        } catch (IOException e) {
            throw new CommandFailure("cannot write the results to " + settings.out() + ": " + e.getMessage(), e);
        }
        out.print(Renderings.table(report));
        out.println(SelectReport.NOTE);
        out.println("Written: " + String.join(", ", files.paths()));
        out.println();
        out.println(Conclusion.of(report, good));
        out.flush();
    }
}
