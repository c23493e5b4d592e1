// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.jmh.duel;

import io.clockhand.duel.DuelResult;
import io.clockhand.duel.DuelResult.Standing;
import java.util.List;
import java.util.Locale;

/** The results of many duels of the same contenders, in one line each. */
public final class TrialsSummary {
    private TrialsSummary() {}

    /** One line for each contender but the one that all are compared with. */
    public static String of(List<DuelResult> trials) {
        StringBuilder text = new StringBuilder();
        for (Standing first : trials.get(0).contenders()) {
            if (!first.contender().equals(trials.get(0).comparedWith())) {
                text.append(line(
                        first.contender(),
                        trials.stream()
                                .map(trial -> trial.standing(first.contender()))
                                .toList()));
            }
        }
        return text.toString();
    }

    private static String line(String contender, List<Standing> standings) {
        long containing = standings.stream()
                .filter(standing -> standing.ratioLow() <= 1 && standing.ratioHigh() >= 1)
                .count();
        return String.format(
                Locale.ROOT,
                "%s: ratio %.3f to %.3f in %d trials; 1 lies in the interval in %d of them; "
                        + "intervals are ± %.1f %% wide in the middle, ± %.1f %% at most%n",
                contender,
                standings.stream().mapToDouble(Standing::ratio).min().orElseThrow(),
                standings.stream().mapToDouble(Standing::ratio).max().orElseThrow(),
                standings.size(),
                containing,
                100 * halfWidths(standings)[standings.size() / 2],
                100 * halfWidths(standings)[standings.size() - 1]);
    }

    /** Half the widths of the intervals, relative to the ratio, sorted. */
    private static double[] halfWidths(List<Standing> standings) {
        return standings.stream()
                .mapToDouble(standing -> (standing.ratioHigh() - standing.ratioLow()) / 2 / standing.ratio())
                .sorted()
                .toArray();
    }
}
