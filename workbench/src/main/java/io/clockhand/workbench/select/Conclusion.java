// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.select;

import io.clockhand.workbench.derby.Contender;
import io.clockhand.workbench.report.Figures;
import io.clockhand.workbench.report.Pairs;
import io.clockhand.workbench.select.SelectReport.Summary;
import java.util.List;
import java.util.Locale;

/** What the user saw, in a sentence or a few: one for each comparison, and one about the rows. */
final class Conclusion {
    private Conclusion() {}

    /**
     * The conclusion, one line for each comparison.
     *
     * @param good whether every run ended and every row was right
     */
    static String of(SelectReport report, boolean good) {
        List<String> comparisons = report.summary().stream()
                .filter(line -> !line.cache().equals(Contender.DERBY) && line.ratioToDerby() != null)
                .map(line -> comparison(report, line))
                .toList();
        String rows = good ? "Every row read had its own content." : "Not every run ended with right rows, see above.";
        return String.join("", comparisons) + rows;
    }

    private static String comparison(SelectReport report, Summary line) {
        return String.format(
                Locale.ROOT,
                "%s did %.2f times as many selects as derby at %d %s with a pool of %s %% (%.2f … %.2f in %s).%n",
                line.cache(),
                line.ratioToDerby().median(),
                line.terminals(),
                line.terminals() == 1 ? "terminal" : "terminals",
                Figures.brief(line.poolPercent()),
                line.ratioToDerby().min(),
                line.ratioToDerby().max(),
                Pairs.inWords(report.pairs(line), line.ratioToDerby()));
    }
}
