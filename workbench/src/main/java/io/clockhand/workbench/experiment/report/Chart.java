// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.experiment.report;

import java.util.List;

/**
 * A chart of the page: a line or a row of bars for each contender.
 *
 * @param bars or lines
 * @param by the field along the axis, whose values have a bar or a point each
 * @param y the figure; {@code ratio} for that of the summary
 * @param unit of y
 * @param log whether the scale of y is logarithmic
 * @param each settings whose values have a chart each; the reader chooses one value of the others
 * @param overTime the figures of a run's {@code overTime} that have a line each; null for a figure of runs
 * @param estimates the {@code estimates} of which a line for each policy is drawn, by size; null for a figure of runs
 */
public record Chart(
        String title,
        boolean bars,
        String by,
        String y,
        String unit,
        boolean log,
        List<String> each,
        List<String> overTime,
        Estimates estimates) {

    /**
     * The entries that have estimates, and the hit ratio that was counted.
     *
     * @param list their field in the report
     * @param size the field of an entry with the size of its cache
     * @param unit of the size
     */
    public record Estimates(String list, String size, String unit) {}

    /** A chart for each contender: lines of its estimates, and its hit ratio as a point. */
    public static Chart estimates(String title, String contender, Estimates estimates) {
        return new Chart(title, false, null, "hitRatio", "hits, %", false, List.of(contender), null, estimates);
    }

    public static Chart bars(String title, String by, String y, String unit, String... each) {
        return new Chart(title, true, by, y, unit, false, List.of(each), null, null);
    }

    public static Chart lines(String title, String by, String y, String unit, String... each) {
        return new Chart(title, false, by, y, unit, false, List.of(each), null, null);
    }

    /** Lines of figures that each run has for each of its seconds. */
    public static Chart overTime(String title, String unit, String... figures) {
        return new Chart(title, false, "second", figures[0], unit, false, List.of(), List.of(figures), null);
    }

    /** Lines of figures that each run has for parts of its references, which end with the {@code reference} of each. */
    public static Chart overReferences(String title, String unit, String... figures) {
        return new Chart(title, false, "reference", figures[0], unit, false, List.of(), List.of(figures), null);
    }

    public Chart logarithmic() {
        return new Chart(title, bars, by, y, unit, true, each, overTime, estimates);
    }
}
