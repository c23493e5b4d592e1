// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.replay;

import io.clockhand.workbench.replay.ReplayReport.Summary;
import io.clockhand.workbench.report.Pairs;
import io.clockhand.workbench.report.Spread;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** What the user saw, in a sentence or a few: one for each contender, one about the machine, and one about the pages. */
final class Conclusion {
    private static final double PERCENT = 100;

    private Conclusion() {}

    /**
     * The conclusion, one line for each contender but the first.
     *
     * @param good whether every run ended and every page was right
     */
    static String of(ReplayReport report, boolean good) {
        List<String> sentences = new ArrayList<>();
        Map<String, List<Summary>> byContender = new LinkedHashMap<>();
        report.summary()
                .forEach(line -> byContender
                        .computeIfAbsent(report.contender(line), absent -> new ArrayList<>())
                        .add(line));
        if (byContender.size() > 1) {
            List<Summary> first = byContender.values().iterator().next();
            byContender.values().stream().skip(1).forEach(lines -> compare(report, lines, first, sentences));
        }
        int most = report.summary().stream().mapToInt(Summary::threads).max().orElse(0);
        int cores = report.environment().cores();
        if (report.options().get("seconds") != null && most > cores) {
            sentences.add("This machine has " + cores + (cores == 1 ? " processor" : " processors")
                    + ": runs of more threads show how well threads take turns, and not how a policy scales.");
        }
        sentences.add(
                good ? "Every page fixed was the right one." : "Not every run ended with right pages, see above.");
        return String.join(System.lineSeparator(), sentences);
    }

    private static void compare(ReplayReport report, List<Summary> lines, List<Summary> first, List<String> sentences) {
        List<Double> points = new ArrayList<>();
        List<Double> ratios = new ArrayList<>();
        int pairs = Integer.MAX_VALUE;
        int unclear = 0;
        for (int i = 0; i < lines.size(); i++) {
            Spread hits = lines.get(i).hitRatio();
            Spread firstHits = first.get(i).hitRatio();
            if (hits != null && firstHits != null) {
                points.add(PERCENT * (hits.median() - firstHits.median()));
            }
            Spread ratio = lines.get(i).ratioToFirst();
            if (ratio != null) {
                ratios.add(ratio.median());
                unclear += ratio.min() <= 1 && ratio.max() >= 1 ? 1 : 0;
                pairs = Math.min(pairs, lines.get(i).pairs());
            }
        }
        String against = report.contender(lines.get(0)) + " against " + report.contender(first.get(0)) + ": ";
        List<String> parts = new ArrayList<>();
        if (!points.isEmpty()) {
            parts.add(range("%+.2f", Spread.of(points)) + " points of hit ratio");
        }
        if (!ratios.isEmpty()) {
            Spread all = Spread.of(ratios);
            parts.add(range("%.2f", all) + " times the throughput (" + settings(ratios.size(), pairs, unclear) + ")");
        }
        if (!parts.isEmpty()) {
            sentences.add(against + String.join(", ", parts) + ".");
        }
    }

    /** How many ratios there are, each of so many pairs of runs, and what they do not show; unclear ones have pairs on both sides of 1. */
    private static String settings(int settings, int pairs, int unclear) {
        return (settings == 1 ? "" : settings + " settings, ") + pairs + (pairs == 1 ? " pair" : " pairs") + " of runs"
                + (settings == 1 ? "" : " each")
                + (pairs < Pairs.ENOUGH
                        ? ", too few to claim a difference"
                        : unclear == 0
                                ? ""
                                : settings == 1
                                        ? ", no difference shown"
                                        : ", no difference shown in " + unclear + " of them");
    }

    private static String range(String format, Spread spread) {
        String min = String.format(Locale.ROOT, format, spread.min());
        String max = String.format(Locale.ROOT, format, spread.max());
        return min.equals(max) ? min : min + " … " + max;
    }
}
