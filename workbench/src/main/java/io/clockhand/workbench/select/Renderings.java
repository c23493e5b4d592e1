// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.select;

import io.clockhand.workbench.report.Csv;
import io.clockhand.workbench.report.Figures;
import io.clockhand.workbench.report.HtmlPage;
import io.clockhand.workbench.report.Json;
import io.clockhand.workbench.report.ResultFiles;
import io.clockhand.workbench.report.TextTable;
import io.clockhand.workbench.select.SelectReport.Run;
import io.clockhand.workbench.select.SelectReport.Summary;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** A report as a table, as JSON, as CSV and as a page with charts. */
final class Renderings {
    private Renderings() {}

    static ResultFiles files(SelectReport report, Path directory) {
        return new ResultFiles(directory)
                .add("derby-select.json", Json.of(report))
                .add("derby-select.csv", csv(report))
                .add("derby-select.html", page(report));
    }

    static String page(SelectReport report) {
        return HtmlPage.of(Renderings.class, "derby-select.html", Json.of(report));
    }

    /** The runs, one a line. */
    static String csv(SelectReport report) {
        Csv csv = new Csv(List.of(
                "cache",
                "terminals",
                "poolPercent",
                "repeat",
                "poolPages",
                "selectsPerSecond",
                "selects",
                "wrongRows",
                "maxResidentPages",
                "valid"));
        report.runs()
                .forEach(run -> csv.add(Arrays.asList(
                        run.cache(),
                        run.terminals(),
                        run.poolPercent(),
                        run.repeat(),
                        run.poolPages(),
                        run.selectsPerSecond(),
                        run.selects(),
                        run.wrongRows(),
                        run.maxResidentPages(),
                        run.valid())));
        return csv.toString();
    }

    /** One line for each cache with each pool at each number of terminals. */
    static String table(SelectReport report) {
        TextTable table = new TextTable(List.of(
                "cache", "terminals", "pool %", "selects/s", "min", "max", "to derby", "min", "max", "max resident"));
        for (Summary line : report.summary()) {
            List<String> row = new ArrayList<>(
                    List.of(line.cache(), Integer.toString(line.terminals()), Figures.brief(line.poolPercent())));
            row.addAll(Figures.of("%,.0f", line.selectsPerSecond()));
            row.addAll(Figures.of("%.2f", line.ratioToDerby()));
            row.add(Figures.largest(
                    report.runsOf(line).stream().map(Run::maxResidentPages).toList()));
            table.add(row);
        }
        return table.toString();
    }
}
