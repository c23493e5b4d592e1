// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.tpcc;

import io.clockhand.workbench.CommandFailure;
import io.clockhand.workbench.Version;
import io.clockhand.workbench.derby.Contender;
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
import io.clockhand.workbench.report.ResultFiles;
import io.clockhand.workbench.tpcc.TpccReport.Counted;
import io.clockhand.workbench.tpcc.TpccReport.Run;
import io.clockhand.workbench.tpcc.driver.RunAnswer;
import io.clockhand.workbench.tpcc.load.Scale;
import java.io.IOException;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The whole command: load if need be, run every cell, report. */
final class TpccRuns {
    private final Settings typed;
    private final Scale scale;
    private final Installation installation;
    private final PrintStream out;
    private final PrintStream err;
    private final List<Run> runs = new ArrayList<>();
    private final List<Counted> counted = new ArrayList<>();
    private boolean good = true;
    private int runsWithoutFullPool;

    TpccRuns(Settings settings, Scale scale, Installation installation, PrintStream out, PrintStream err) {
        this.typed = settings;
        this.scale = scale;
        this.installation = installation;
        this.out = out;
        this.err = err;
    }

    /** Returns whether every run ended and every condition held. */
    boolean run() {
        try (DataSet dataSet = DataSet.lock(typed.data(), scale, typed.derby());
                CleanUp cleanUp = new CleanUp()) {
            Disk.requireWritable(typed.out(), "the results");
            boolean loaded = dataSet.isLoaded();
            Needs needs = Estimate.needs(typed, loaded);
            err.println(needs.inWords(typed.data(), loaded));
            if (!loaded) {
                typed.pool(Estimate.fewestPages(typed), Environment.memory());
                needs.requireRoom(dataSet.directory());
                new Children(typed, scale, installation, dataSet, cleanUp).load();
            }
            Pool pool = typed.pool(dataSet.readMarker().allocatedPages(), Environment.memory());
            Settings settings = typed.withHeap(pool.heap());
            describe(settings, pool, dataSet.readMarker());
            List<Cell> cells = Cell.plan(settings);
            Children children = new Children(settings, scale, installation, dataSet, cleanUp);
            for (int i = 0; i < cells.size(); i++) {
                perform(cells.get(i), "run " + (i + 1) + " of " + cells.size(), pool, settings, children);
            }
            report(settings, pool);
        }
        return good;
    }

    private void describe(Settings settings, Pool pool, DataSet.Marker data) {
        err.println("Derby " + settings.derby() + ", "
                + String.join(" ", DerbyChildren.jvmFlags(settings.heap())) + ", isolation SERIALIZABLE (Stock-Level:"
                + " READ_COMMITTED); every run has these properties:");
        derbyProperties(settings, pool).forEach((name, value) -> err.println("    " + name + "=" + value));
        err.println(String.format(
                Locale.ROOT,
                "The pool of %,d pages of 4 KiB is %.0f %% of the %,d pages loaded.",
                pool.pages(),
                100.0 * pool.pages() / data.allocatedPages(),
                data.allocatedPages()));
    }

    private static Map<String, String> derbyProperties(Settings settings, Pool pool) {
        return DerbyProperties.ofRun(Contender.of(Contender.DERBY), pool.pages(), settings.durability());
    }

    private void perform(Cell cell, String number, Pool pool, Settings settings, Children children) {
        children.holdIfInterrupted();
        RunAnswer answer = null;
        try (Progress progress = Progress.of(number + ": " + cell)) {
            children.requireRoomForRun();
            answer = children.run(cell, pool.pages(), progress);
        } catch (CommandFailure failure) {
            children.holdIfInterrupted();
            complain(cell, failure.getMessage());
        }
        warnOfFillingPool(cell, answer, pool);
        if (cell.counted()) {
            counted.add(counted(cell, answer));
        } else {
            runs.add(measured(cell, answer, pool, settings));
        }
        if (answer != null && !answer.allHolds()) {
            complain(cell, answer.complaint() + "; its log is " + children.log(cell));
        }
    }

    private void warnOfFillingPool(Cell cell, RunAnswer answer, Pool pool) {
        if (answer != null && pool.wasFilling(answer.residentAtStart())) {
            runsWithoutFullPool++;
            err.println(pool.filling(cell, answer.residentAtStart()));
        }
    }

    private Run measured(Cell cell, RunAnswer answer, Pool pool, Settings settings) {
        RunAnswer known = answer == null ? RunAnswer.nothing() : answer;
        boolean withinPool = pool.holds(known.maxResidentPages());
        if (!withinPool) {
            err.println(pool.overfull(cell, known.maxResidentPages()));
        }
        if (known.errors() != null && known.errors() > 0 && known.failure() == null) {
            err.println("Warning: " + cell + " gave up " + known.errors() + " transactions.");
        }
        if (known.tpmC() != null) {
            err.println(String.format(Locale.ROOT, "  %,.0f new-orders a minute", known.tpmC()));
        }
        boolean consistent = known.broken() != null && known.allHolds();
        return new Run(
                cell.cache().name(),
                settings.warehouses(),
                cell.terminals(),
                cell.repeat(),
                pool.pages(),
                settings.durability().toString(),
                settings.seconds(),
                known.tpmC(),
                known.transactions(),
                known.retries(),
                known.errors(),
                known.latencyMicros(),
                known.maxResidentPages(),
                consistent && withinPool,
                known.consistency());
    }

    private static Counted counted(Cell cell, RunAnswer answer) {
        RunAnswer known = answer == null ? RunAnswer.nothing() : answer;
        return new Counted(
                cell.cache().name(),
                cell.terminals(),
                known.hitRatio(),
                known.pageReads(),
                known.pageWrites(),
                known.transactions());
    }

    private void complain(Cell cell, String what) {
        good = false;
        err.println("Failed: " + cell + ": " + what);
    }

    private void report(Settings settings, Pool pool) {
        TpccReport report = new TpccReport(
                "tpcc",
                Version.current(),
                TpccReport.NOTE,
                Environment.here(DerbyChildren.jvmFlags(settings.heap())),
                settings.asOptions(),
                derbyProperties(settings, pool),
                runs,
                counted,
                TpccReport.summarize(settings, runs));
        ResultFiles files = Renderings.files(report, settings.out());
        try {
            files.write();
        } catch (IOException e) {
            throw new CommandFailure("cannot write the results to " + settings.out() + ": " + e.getMessage(), e);
        }
        out.print(Renderings.table(report));
        out.println(TpccReport.NOTE);
        out.println("Written: " + String.join(", ", files.paths()));
        out.println();
        out.println(Conclusion.of(report, good, runsWithoutFullPool));
        out.flush();
    }
}
