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

/** Sentences that compare each contender with the baseline. */
public final class Comparison<R> {
    private static final int MOST_SETTINGS_NAMED = 5;
    private static final double PERCENT = 100;

    private final Results<R> results;
    private final String unit;
    private final Map<String, List<Line<R>>> byContender = new LinkedHashMap<>();
    private final Map<String, List<String>> parts = new LinkedHashMap<>();

    /**
     * Compares throughputs.
     *
     * @param unit of the rate, such as {@code the throughput}
     */
    public Comparison(Results<R> results, String unit) {
        this.results = results;
        this.unit = unit;
        results.lines()
                .forEach(line -> byContender
                        .computeIfAbsent(line.contender(), absent -> new ArrayList<>())
                        .add(line));
        byContender.keySet().stream()
                .filter(contender -> !contender.equals(results.baseline()))
                .forEach(contender -> parts.put(contender, new ArrayList<>()));
        parts.forEach((contender, sentences) -> addRatios(byContender.get(contender), sentences));
    }

    private void addRatios(List<Line<R>> all, List<String> sentences) {
        List<Line<R>> lines = all.stream().filter(line -> line.ratio() != null).toList();
        if (lines.size() == 1) {
            sentences.add(ratio(lines.get(0)) + " times " + unit + " (" + evidence(lines.get(0)) + ")");
        } else if (lines.size() > MOST_SETTINGS_NAMED) {
            Spread medians =
                    Spread.of(lines.stream().map(line -> line.ratio().value()).toList());
            Line<R> least = lines.stream()
                    .filter(line -> line.ratio().value() == medians.min())
                    .findFirst()
                    .orElseThrow();
            sentences.add(String.format(
                    Locale.ROOT,
                    "%.2f … %.2f times %s in %d settings, least with %s (%s)",
                    medians.min(),
                    medians.max(),
                    unit,
                    lines.size(),
                    results.settingInWords(least.first()),
                    evidence(least)));
        } else if (!lines.isEmpty()) {
            sentences.add(lines.stream()
                    .map(line ->
                            ratio(line) + " with " + results.settingInWords(line.first()) + " (" + evidence(line) + ")")
                    .collect(Collectors.joining(", ", "times " + unit + ": ", "")));
        }
    }

    private String ratio(Line<R> line) {
        return String.format(Locale.ROOT, "%.2f", line.ratio().value());
    }

    private String evidence(Line<R> line) {
        return line.ratio().evidence();
    }

    /** Adds by how many percentage points a ratio differs. */
    public Comparison<R> points(String field, String words) {
        parts.forEach((contender, sentences) -> {
            Spread points = Spread.of(differences(results.column(field), contender));
            if (points != null) {
                String least = String.format(Locale.ROOT, "%+.2f", PERCENT * points.min());
                String most = String.format(Locale.ROOT, "%+.2f", PERCENT * points.max());
                sentences.add((least.equals(most) ? least : least + " … " + most) + " points of " + words);
            }
        });
        return this;
    }

    /** One for each setting in which the contender and the baseline have measured the column. */
    private List<Double> differences(Column<R> column, String contender) {
        List<Line<R>> bases = byContender.getOrDefault(results.baseline(), List.of());
        List<Double> all = new ArrayList<>();
        for (Line<R> line : byContender.get(contender)) {
            Spread own = column.spread(line.runs());
            bases.stream()
                    .filter(base -> base.setting().equals(line.setting()))
                    .map(base -> column.spread(base.runs()))
                    .filter(base -> own != null && base != null)
                    .forEach(base -> all.add(own.median() - base.median()));
        }
        return all;
    }

    /** One for each contender but the baseline. */
    public List<String> sentences() {
        return parts.entrySet().stream()
                .filter(part -> !part.getValue().isEmpty())
                .map(part -> part.getKey() + " against " + results.baseline() + ": "
                        + String.join(", ", part.getValue()) + ".")
                .toList();
    }
}
