// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.select;

import io.clockhand.workbench.Journal;
import io.clockhand.workbench.derby.Contender;
import io.clockhand.workbench.derby.DerbyChildren;
import io.clockhand.workbench.derby.DerbyProperties;
import io.clockhand.workbench.derby.Durability;
import io.clockhand.workbench.derby.LoadedDatabase;
import io.clockhand.workbench.derby.Pool;
import io.clockhand.workbench.environment.Environment;
import io.clockhand.workbench.environment.Installation;
import io.clockhand.workbench.report.Cell;
import io.clockhand.workbench.report.Figures;
import io.clockhand.workbench.select.driver.LoadChild;
import io.clockhand.workbench.select.driver.LoadOrder;
import io.clockhand.workbench.select.driver.RunAnswer;
import io.clockhand.workbench.select.driver.RunChild;
import io.clockhand.workbench.select.driver.RunOrder;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The whole command: load if need be, run every cell, report. */
final class SelectRuns {
    private static final String COMMAND = "derby-select";

    private final Settings settings;
    private final Installation installation;
    private final PrintStream out;
    private final PrintStream err;
    private final List<Run> runs = new ArrayList<>();

    SelectRuns(Settings settings, Installation installation, PrintStream out, PrintStream err) {
        this.settings = settings;
        this.installation = installation;
        this.out = out;
        this.err = err;
    }

    /** Returns whether every run ended and every row that was read was right. */
    boolean run() {
        try (LoadedDatabase database = LoadedDatabase.lock(
                settings.derby(), settings.content(), settings.out(), Estimate.patience(settings), installation, err)) {
            database.load(
                    loaded -> Estimate.needs(settings, loaded),
                    () -> settings.largestPool(Estimate.fewestPages(settings), Environment.memory()),
                    LoadChild.class,
                    "derby-select-load",
                    directory -> new LoadOrder(directory, settings.content()),
                    settings.content().inWords());
            long pages = database.pages();
            settings.derby()
                    .setHeap(settings.largestPool(pages, Environment.memory()).heap());
            database.describeRuns(
                    "READ_COMMITTED",
                    DerbyProperties.ofEveryRun(settings.derby().names().size()));
            describePools(pages);
            Journal journal = database.journal();
            DerbyChildren children = database.children();
            List<List<Cell<Setting, Contender>>> groups = settings.plan();
            for (int i = 0; i < groups.size(); i++) {
                List<Cell<Setting, Contender>> cells = groups.get(i);
                Cell<Setting, Contender> first = cells.get(0);
                Pool pool = settings.pool(first.setting().poolPercent(), pages, Environment.memory());
                children.compare(
                        cells,
                        cells.stream()
                                .map(cell -> job(cell, pool, cells.size(), children))
                                .toList(),
                        first.setting().terminals(),
                        settings.times().duelOf(first.repeat(), settings.seed()),
                        Estimate.copyBytes(settings),
                        journal,
                        "part " + (i + 1) + " of " + groups.size(),
                        (cell, answer, turns) -> note(
                                new Run(
                                        cell,
                                        pool,
                                        answer,
                                        turns,
                                        settings.times().seconds()),
                                journal,
                                children));
            }
            SelectReport report = new SelectReport(settings, runs);
            report.report().publish(settings.out(), out, report.conclusion(journal.isGood()));
            return journal.isGood();
        }
    }

    private void describePools(long pages) {
        err.println(String.format(Locale.ROOT, "%,d pages of 4 KiB were loaded; the pools are:", pages));
        for (double percent : settings.poolPercents()) {
            err.println(String.format(
                    Locale.ROOT, "    %s %%: %,d pages", Figures.brief(percent), Pool.share(percent, pages)));
        }
    }

    private DerbyChildren.Job<RunAnswer> job(
            Cell<Setting, Contender> cell, Pool pool, int contenders, DerbyChildren children) {
        boolean profiled = settings.derby().profile();
        String name = cell.fileName(COMMAND);
        return new DerbyChildren.Job<>(
                RunChild.class,
                cell.name(),
                cell.contender().jars(),
                name,
                settings.derby().heap(),
                profiled,
                DerbyProperties.ofRun(cell.contender(), pool.pages(), Durability.TEST, contenders),
                (database, slices) -> new RunOrder(
                        database,
                        settings.content(),
                        cell.contender().required(pool.pages()),
                        cell.setting().terminals(),
                        settings.keys(),
                        settings.times().warmup(),
                        settings.times().seconds(),
                        settings.seed() + cell.repeat(),
                        slices,
                        DerbyProperties.hangSeconds(contenders),
                        profiled ? children.recording(name).toString() : null),
                RunAnswer.class,
                RunAnswer::allHolds);
    }

    private void note(Run run, Journal journal, DerbyChildren children) {
        runs.add(run);
        if (run.answer() == null) {
            return;
        }
        journal.say(String.format(
                Locale.ROOT, "  %s: %,.0f selects a second", run.cell().name(), run.selectsPerSecond()));
        if (!run.isWithinPool()) {
            journal.say(run.pool().overfull(run.cell(), run.maxResidentPages()));
        }
        if (!run.answer().allHolds()) {
            journal.complain(
                    run.cell(),
                    "read " + run.wrongRows() + " wrong rows: " + run.answer().firstWrong() + "; its log is "
                            + children.log(run.cell().fileName(COMMAND)));
        }
    }
}
