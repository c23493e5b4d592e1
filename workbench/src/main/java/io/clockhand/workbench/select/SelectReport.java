// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.select;

import io.clockhand.workbench.derby.DerbyChildren;
import io.clockhand.workbench.derby.DerbyProperties;
import io.clockhand.workbench.environment.Environment;
import io.clockhand.workbench.report.Chart;
import io.clockhand.workbench.report.Column;
import io.clockhand.workbench.report.Comparison;
import io.clockhand.workbench.report.Report;
import io.clockhand.workbench.report.Results;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The results of {@code derby-select}. */
record SelectReport(Settings settings, List<Run> runs) {
    private static final String NOTE = "A closed loop of terminals in the JVM of the database; every miss is served"
            + " from the operating system's cache unless memory is short.";

    private static final List<Column<Run>> COLUMNS = List.of(
            Column.contender("cache", run -> run.cell().contender().name()),
            Column.<Run>setting("terminals", run -> run.cell().setting().terminals())
                    .inWords("%s terminals"),
            Column.<Run>setting("poolPercent", run -> run.cell().setting().poolPercent())
                    .as("pool %", "%s")
                    .inWords("a pool of %s %%"),
            Column.<Run>figure("repeat", run -> run.cell().repeat())
                    .as("repeat", "%.0f")
                    .onlyOfRuns(),
            Column.figure("poolPages", run -> run.pool().pages()),
            Column.figure("selectsPerSecond", Run::selectsPerSecond)
                    .as("selects/s", "%,.0f")
                    .inSummary(),
            Column.figure("selects", Run::selects).as("selects", "%,.0f").onlyOfRuns(),
            Column.figure("wrongRows", Run::wrongRows)
                    .as("wrong rows", "%,.0f")
                    .onlyOfRuns()
                    .badIf(run -> run.wrongRows() != null && run.wrongRows() > 0),
            Column.figure("maxResidentPages", Run::maxResidentPages)
                    .as("max resident", "%,.0f")
                    .largest()
                    .badIf(run -> !run.isWithinPool()),
            Column.figure("valid", Run::isValid).as("valid", "%s").onlyOfRuns().badIf(run -> !run.isValid()));

    Results<Run> results() {
        return new Results<>(
                COLUMNS,
                runs,
                "selectsPerSecond",
                Run::cell,
                Run::turns,
                settings.times().slice(),
                settings.derby().baseline(settings.times()),
                "ratioToDerby");
    }

    Report report() {
        Results<Run> results = results();
        String lead = String.format(
                Locale.ROOT,
                "%,d rows, keys %s, %d s of own time measured after %d s of warm-up, Derby %s",
                settings.rows(),
                settings.keys(),
                settings.times().seconds(),
                settings.times().warmup(),
                settings.derby().derby());
        return new Report(
                        "derby-select",
                        "Primary-key selects on Apache Derby",
                        lead,
                        NOTE,
                        Environment.here(DerbyChildren.jvmFlags(settings.derby().heap())),
                        settings.asOptions())
                .add(
                        "derbyProperties",
                        DerbyProperties.ofEveryRun(settings.derby().names().size()))
                .results("runs", results)
                .summary(results)
                .chart(Chart.bars("Selects a second", "terminals", "selectsPerSecond", "selects/s", "poolPercent"))
                .chart(Chart.bars(
                        "Ratio with its 95 % interval",
                        "terminals", "ratio", "times the baseline's selects/s", "poolPercent"));
    }

    /**
     * The conclusion.
     *
     * @param good whether every run ended and every row was right
     */
    String conclusion(boolean good) {
        List<String> lines = new ArrayList<>(new Comparison<>(results(), "the selects").sentences());
        lines.add(good ? "Every row read had its own content." : "Not every run ended with right rows, see above.");
        return String.join(System.lineSeparator(), lines);
    }
}
