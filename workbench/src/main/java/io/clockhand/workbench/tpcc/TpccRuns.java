// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.tpcc;

import io.clockhand.workbench.Journal;
import io.clockhand.workbench.derby.Contender;
import io.clockhand.workbench.derby.DerbyChildren;
import io.clockhand.workbench.derby.DerbyProperties;
import io.clockhand.workbench.derby.LoadedDatabase;
import io.clockhand.workbench.derby.Pool;
import io.clockhand.workbench.derby.driver.Recorded;
import io.clockhand.workbench.environment.Disk;
import io.clockhand.workbench.environment.Environment;
import io.clockhand.workbench.environment.Installation;
import io.clockhand.workbench.report.Cell;
import io.clockhand.workbench.report.Turns;
import io.clockhand.workbench.tpcc.driver.LoadChild;
import io.clockhand.workbench.tpcc.driver.LoadOrder;
import io.clockhand.workbench.tpcc.driver.RunAnswer;
import io.clockhand.workbench.tpcc.driver.RunChild;
import io.clockhand.workbench.tpcc.driver.RunOrder;
import io.clockhand.workbench.tpcc.load.Scale;
import io.clockhand.workbench.workload.TraceWriter;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The whole command: load if need be, run every cell, report. */
final class TpccRuns {
    private static final String COMMAND = "tpcc";

    private final Settings settings;
    private final Scale scale;
    private final Installation installation;
    private final PrintStream out;
    private final PrintStream err;
    private final List<Run> runs = new ArrayList<>();
    private final List<Run> counted = new ArrayList<>();
    private int runsWithoutFullPool;

    TpccRuns(Settings settings, Scale scale, Installation installation, PrintStream out, PrintStream err) {
        this.settings = settings;
        this.scale = scale;
        this.installation = installation;
        this.out = out;
        this.err = err;
    }

    /** Returns whether every run ended and every condition held. */
    boolean run() {
        if (settings.record() != null) {
            Disk.requireWritable(settings.record().toAbsolutePath().getParent(), "the recording");
        }
        try (LoadedDatabase database = LoadedDatabase.lock(
                settings.derby(), scale, settings.out(), Estimate.patience(settings), installation, err)) {
            database.load(
                    loaded -> Estimate.needs(settings, loaded),
                    () -> settings.pool(Estimate.fewestPages(settings), Environment.memory()),
                    LoadChild.class,
                    "tpcc-load",
                    directory -> new LoadOrder(directory, scale),
                    scale.inWords());
            long pages = database.pages();
            Pool pool = settings.pool(pages, Environment.memory());
            settings.derby().setHeap(pool.heap());
            database.describeRuns("SERIALIZABLE (Stock-Level: READ_COMMITTED)", derbyProperties(settings, pool));
            err.println(String.format(
                    Locale.ROOT,
                    "The pool of %,d pages of 4 KiB is %.0f %% of the %,d pages loaded.",
                    pool.pages(),
                    100.0 * pool.pages() / pages,
                    pages));
            Journal journal = database.journal();
            if (settings.record() != null) {
                database.children().cleanUp().add(TraceWriter.part(settings.record()));
            }
            Tpcc tpcc = new Tpcc(pool, database.children(), journal);
            List<List<Cell<Setting, Contender>>> groups = settings.plan();
            for (int i = 0; i < groups.size(); i++) {
                tpcc.perform(groups.get(i), "part " + (i + 1) + " of " + groups.size());
            }
            TpccReport report = new TpccReport(settings, pool, runs, counted);
            report.report().publish(settings.out(), out, report.conclusion(journal.isGood(), runsWithoutFullPool));
            return journal.isGood();
        }
    }

    /** Of the runs, without those that name the cache. */
    static Map<String, String> derbyProperties(Settings settings, Pool pool) {
        return DerbyProperties.ofRun(
                Contender.of(Contender.DERBY),
                pool.pages(),
                settings.durability(),
                settings.derby().names().size());
    }

    /** The runs on a loaded database. */
    private final class Tpcc {
        private final Pool pool;
        private final DerbyChildren children;
        private final Journal journal;

        Tpcc(Pool pool, DerbyChildren children, Journal journal) {
            this.pool = pool;
            this.children = children;
            this.journal = journal;
        }

        /** A duel, or a run of a single contender. */
        void perform(List<Cell<Setting, Contender>> cells, String number) {
            Cell<Setting, Contender> first = cells.get(0);
            List<DerbyChildren.Job<RunAnswer>> jobs =
                    cells.stream().map(cell -> job(cell, cells.size())).toList();
            children.compare(
                    cells,
                    jobs,
                    first.setting().terminals(),
                    settings.times().duelOf(first.repeat(), settings.seed()),
                    Estimate.copyBytes(settings),
                    journal,
                    number,
                    this::note);
        }

        private DerbyChildren.Job<RunAnswer> job(Cell<Setting, Contender> cell, int contenders) {
            boolean profiled = settings.derby().profile() && !cell.onlyCounts();
            String name = cell.fileName(COMMAND);
            return new DerbyChildren.Job<>(
                    RunChild.class,
                    cell.name(),
                    cell.contender().jars(),
                    name,
                    settings.derby().heap(),
                    cell.onlyCounts() || profiled,
                    properties(cell, contenders),
                    (database, slices) -> new RunOrder(
                            database,
                            scale,
                            cell.contender().required(pool.pages()),
                            cell.setting().terminals(),
                            settings.times().warmup(),
                            cell.onlyCounts()
                                    ? settings.countedSeconds()
                                    : settings.times().seconds(),
                            cell.onlyCounts() ? settings.leastNewOrders() : 0,
                            settings.keying(),
                            cell.onlyCounts(),
                            settings.seed() + cell.repeat(),
                            slices,
                            DerbyProperties.hangSeconds(contenders),
                            profiled ? children.recording(name).toString() : null,
                            isRecorded(cell)
                                    ? settings.record().toAbsolutePath().toString()
                                    : null,
                            isAdvised(cell)),
                    RunAnswer.class,
                    RunAnswer::allHolds);
        }

        private Map<String, String> properties(Cell<Setting, Contender> cell, int contenders) {
            Map<String, String> lines =
                    DerbyProperties.ofRun(cell.contender(), pool.pages(), settings.durability(), contenders);
            Map<String, String> all =
                    isAdvised(cell) ? DerbyProperties.advised(settings.advice().policies(), lines) : lines;
            return isRecorded(cell) ? DerbyProperties.recorded(cell.contender(), all) : all;
        }

        /** The run that counts hits: estimates do not slow down those that are measured. */
        private boolean isAdvised(Cell<Setting, Contender> cell) {
            return settings.advice().policies() != null
                    && cell.onlyCounts()
                    && !cell.contender().isDerby()
                    && cell.contender().jars().isEmpty();
        }

        /** The run that counts hits is recorded: recording does not slow down those that are measured. */
        private boolean isRecorded(Cell<Setting, Contender> cell) {
            return settings.record() != null && cell.onlyCounts();
        }

        private void note(Cell<Setting, Contender> cell, RunAnswer answer, Turns turns) {
            boolean withinPool = answer == null || pool.holds(answer.maxResidentPages());
            Run run = new Run(cell, answer, turns, withinPool);
            (cell.onlyCounts() ? counted : runs).add(run);
            if (answer == null) {
                return;
            }
            if (answer.recorded() != null) {
                noteRecorded(answer.recorded());
            }
            if (pool.wasFilling(answer.residentAtStart())) {
                runsWithoutFullPool++;
                journal.say(pool.filling(cell, answer.residentAtStart()));
            }
            if (!cell.onlyCounts()) {
                noteMeasured(run);
            }
            if (!answer.allHolds()) {
                journal.complain(cell, answer.complaint() + "; its log is " + children.log(cell.fileName(COMMAND)));
            }
        }

        private void noteRecorded(Recorded recorded) {
            journal.say(String.format(
                    Locale.ROOT,
                    "Recorded %,d references to %,d pages, %.1f %% of them writes: %s",
                    recorded.references(),
                    recorded.pages(),
                    recorded.references() == 0 ? 0 : 100.0 * recorded.writes() / recorded.references(),
                    settings.record()));
        }

        private void noteMeasured(Run run) {
            RunAnswer answer = run.answer();
            if (!run.withinPool()) {
                journal.say(pool.overfull(run.cell(), answer.maxResidentPages()));
            }
            if (answer.errors() != null && answer.errors() > 0 && answer.failure() == null) {
                journal.say("Warning: " + run.cell() + " gave up " + answer.errors() + " transactions.");
            }
            if (run.tpmC() != null) {
                journal.say(String.format(
                        Locale.ROOT,
                        "  %s: %,.0f new-orders a minute",
                        run.cell().name(),
                        run.tpmC()));
            }
        }
    }
}
