// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.tpcc;

import io.clockhand.workbench.derby.Contender;
import io.clockhand.workbench.report.Pairs;
import io.clockhand.workbench.report.Spread;
import io.clockhand.workbench.tpcc.TpccReport.Summary;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** What the user saw, in two sentences. */
final class Conclusion {
    private Conclusion() {}

    /**
     * The conclusion.
     *
     * @param good whether every run ended with good data
     * @param runsWithoutFullPool how many runs began to measure while the pool was still filling
     */
    static String of(TpccReport report, boolean good, int runsWithoutFullPool) {
        return throughput(report) + " " + comparison(report, good) + filling(report, runsWithoutFullPool) + ".";
    }

    private static String filling(TpccReport report, int runsWithoutFullPool) {
        return runsWithoutFullPool == 0
                ? ""
                : "; in " + runsWithoutFullPool + " of "
                        + (report.runs().size() + report.counted().size())
                        + " runs the pool was still filling when measuring began";
    }

    private static String throughput(TpccReport report) {
        List<String> caches =
                report.summary().stream().map(Summary::cache).distinct().toList();
        return caches.stream()
                .map(cache -> cache + " committed "
                        + report.summary().stream()
                                .filter(summary -> summary.cache().equals(cache))
                                .map(summary -> tpmC(summary.tpmC()) + " at " + terminals(summary.terminals()))
                                .collect(Collectors.joining(", ")))
                .collect(Collectors.joining("; ", "New-orders a minute (median): ", "."));
    }

    private static String comparison(TpccReport report, boolean good) {
        String checked = good
                ? "all twelve consistency conditions held after every run"
                : "but not every run ended with all twelve consistency conditions intact, see above";
        List<Summary> compared = report.summary().stream()
                .filter(summary -> !summary.cache().equals(Contender.DERBY) && summary.ratioToDerby() != null)
                .toList();
        if (compared.isEmpty()) {
            return Character.toUpperCase(checked.charAt(0)) + checked.substring(1);
        }
        return compared.stream()
                .map(summary -> String.format(
                        Locale.ROOT,
                        "%s did %.2f times as many as derby at %s (%.2f … %.2f in %s)",
                        summary.cache(),
                        summary.ratioToDerby().median(),
                        terminals(summary.terminals()),
                        summary.ratioToDerby().min(),
                        summary.ratioToDerby().max(),
                        Pairs.inWords(TpccReport.pairs(report.runs(), summary), summary.ratioToDerby())))
                .collect(Collectors.joining(", ", "", "; " + checked));
    }

    private static String tpmC(Spread spread) {
        return spread == null ? "none" : String.format(Locale.ROOT, "%,.0f", spread.median());
    }

    private static String terminals(int terminals) {
        return terminals + (terminals == 1 ? " terminal" : " terminals");
    }
}
