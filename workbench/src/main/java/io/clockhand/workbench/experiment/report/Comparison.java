// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.experiment.report;

import io.clockhand.workbench.experiment.report.Results.Line;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Sentences that compare each contender with the baseline.
 *
 * @param unit of the rate, such as {@code the throughput}
 */
public record Comparison<R>(Results<R> results, String unit) {
    private static final int MOST_SETTINGS_NAMED = 5;

    /** One for each contender but the baseline that has a ratio. */
    public List<String> sentences() {
        Map<String, List<Line<R>>> byContender = new LinkedHashMap<>();
        results.lines().stream()
                .filter(line -> line.ratio() != null)
                .forEach(line -> byContender
                        .computeIfAbsent(line.contender(), absent -> new ArrayList<>())
                        .add(line));
        return byContender.entrySet().stream()
                .map(entry -> entry.getKey() + " against " + results.baseline() + ": " + ratios(entry.getValue()) + ".")
                .toList();
    }

    private String ratios(List<Line<R>> lines) {
        if (lines.size() == 1) {
            Ratio only = lines.get(0).ratio();
            return String.format(Locale.ROOT, "%.2f times %s (%s)", only.value(), unit, only.evidence());
        }
        if (lines.size() > MOST_SETTINGS_NAMED) {
            Spread all =
                    Spread.of(lines.stream().map(line -> line.ratio().value()).toList());
            return String.format(
                    Locale.ROOT,
                    "%.2f … %.2f times %s in %d settings, with intervals in the table",
                    all.min(),
                    all.max(),
                    unit,
                    lines.size());
        }
        return lines.stream()
                .map(line -> String.format(
                        Locale.ROOT,
                        "%.2f with %s (%s)",
                        line.ratio().value(),
                        results.settingInWords(line.first()),
                        line.ratio().evidence()))
                .collect(Collectors.joining(", ", "times " + unit + ": ", ""));
    }
}
