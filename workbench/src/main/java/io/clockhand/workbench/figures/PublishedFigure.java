// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.figures;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.clockhand.workbench.experiment.report.Figures;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.StringJoiner;

/**
 * A figure or table of a paper, and the command that measures it here; see {@code figures.json}.
 *
 * @param source the paper, and the figure in it
 * @param minutes that the command takes on two cores
 * @param command of the workbench with its arguments, in parts
 * @param quick further arguments of the short version; may be null
 * @param list of the command's report that has the values; null for its summary
 * @param series the fields of an entry that name a line
 * @param x the field along the axis
 * @param y the field with the value
 * @param per the field that divides it; may be null
 * @param factor of the value; null for 1
 * @param relativeTo the line that divides all others; may be null
 * @param logarithmic whether values differ by orders of magnitude
 * @param paper by line, then by x: the values that the paper states; may be null
 * @param shows what two cores can show of it and what they cannot, and how the paper's values were obtained
 */
record PublishedFigure(
        String name,
        String title,
        String source,
        int minutes,
        List<String> command,
        String quick,
        String list,
        List<String> series,
        String x,
        String y,
        String per,
        Double factor,
        String relativeTo,
        String unit,
        boolean logarithmic,
        Map<String, Map<String, Double>> paper,
        List<String> shows) {
    private static final String QUICK_COUNTS = "--accesses 200000 --warmup-accesses 100000";
    private static final String QUICK_TIMES = "--seconds 1 --warmup 1 --repeat 1";

    /**
     * A value of a figure.
     *
     * @param x a number, or a text; null if the report has none
     * @param value null if the report has none, or no value of the line that divides it
     */
    record Point(String figure, String series, boolean isPaper, Object x, Double value) {
        boolean isMissing() {
            return x == null || value == null;
        }

        String label() {
            return isPaper ? series + ", paper" : series;
        }
    }

    /** All that can be repeated here, in the order of the papers. */
    static List<PublishedFigure> all() {
        try (InputStream figures = PublishedFigure.class.getResourceAsStream("figures.json")) {
            return new ObjectMapper().readValue(figures, new TypeReference<>() {});
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * The words of the command.
     *
     * @param isQuick whether it is the short version
     */
    List<String> arguments(boolean isQuick) {
        List<String> words = new ArrayList<>(List.of(String.join(" ", command).split(" ", -1)));
        if (isQuick) {
            replace(words, words.contains("--accesses") ? QUICK_COUNTS : QUICK_TIMES);
            if (quick != null) {
                replace(words, quick);
            }
        }
        return words;
    }

    private static void replace(List<String> words, String options) {
        String[] changed = options.split(" ", -1);
        for (int i = 0; i < changed.length; i += 2) {
            int at = words.indexOf(changed[i]);
            if (at >= 0) {
                words.set(at + 1, changed[i + 1]);
            } else {
                words.addAll(List.of(changed[i], changed[i + 1]));
            }
        }
    }

    /** The values of a command's report, and those of the paper. */
    List<Point> points(JsonNode report) {
        List<Point> points = new ArrayList<>();
        JsonNode entries = report.path(list == null ? "summary" : list);
        for (JsonNode entry : entries) {
            points.add(new Point(name, seriesOf(entry), false, valueOf(entry.path(x)), value(entry, entries)));
        }
        if (paper != null) {
            paper.forEach((line, values) -> values.forEach((at, value) ->
                    points.add(new Point(name, line, true, at.matches("[0-9.]+") ? number(at) : at, value))));
        }
        return points;
    }

    private static Object valueOf(JsonNode node) {
        if (node.isMissingNode() || node.isNull()) {
            return null;
        }
        return node.isNumber() ? number(node.asText()) : node.asText();
    }

    /** Whole numbers have no decimals, so that those of the paper are equal to those of a report. */
    private static Object number(String text) {
        double value = Double.parseDouble(text);
        return value == Math.rint(value) ? (Object) (long) value : (Object) value;
    }

    private String seriesOf(JsonNode entry) {
        StringJoiner words = new StringJoiner(", ");
        for (String field : series) {
            JsonNode value = entry.path(field);
            if (value.isNumber()) {
                words.add(Figures.counted(value.asLong(), field));
            } else if (!value.isNull() && !value.isMissingNode()) {
                words.add(value.asText());
            }
        }
        return words.toString();
    }

    private Double value(JsonNode entry, JsonNode all) {
        Double own = number(entry, y);
        Double divisor = per == null ? Double.valueOf(1) : number(entry, per);
        if (relativeTo != null) {
            divisor = null;
            for (JsonNode other : all) {
                if (seriesOf(other).equals(relativeTo) && other.path(x).equals(entry.path(x))) {
                    divisor = number(other, y);
                }
            }
        }
        return own == null || divisor == null || divisor == 0
                ? null
                : Double.valueOf(own / divisor * (factor == null ? 1 : factor));
    }

    /** A field, or the median of its repeats; null if it was not measured. */
    private static Double number(JsonNode entry, String field) {
        JsonNode value = entry.path(field);
        JsonNode one = value.isObject() ? value.path("median") : value;
        return one.isNumber() ? Double.valueOf(one.asDouble()) : null;
    }
}
