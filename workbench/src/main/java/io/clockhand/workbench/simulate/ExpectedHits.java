// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.simulate;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.clockhand.workbench.environment.CommandFailure;
import io.clockhand.workbench.experiment.options.PolicyNames;
import io.clockhand.workbench.simulate.Cell.Result;
import io.clockhand.workbench.workload.CsvLine;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Hits that are known, from a CSV file with a head line, which may be that of an earlier run: then they must be the
 * same, and lines with dirt or of a sample are left out.
 *
 * @param lines in the order of the file
 */
record ExpectedHits(Path file, List<Line> lines) {
    private static final List<String> COLUMNS =
            List.of("trace", "capacity", "policy", "hits", "requests", "tolerance_points");
    /** The columns of {@code simulate.csv} that are read. */
    private static final List<String> OWN_COLUMNS =
            List.of("traceName", "frames", "policy", "hits", "references", "threads", "dirtyShare", "sampleRate");

    private static final String NUMBERS = "a line with numbers that can be in the columns capacity, hits and requests,"
            + " and exact, info or a number as tolerance";
    private static final String EXACT = "exact";
    private static final String INFO = "info";

    /**
     * A line of the file.
     *
     * @param policy in small letters
     * @param tolerance {@code exact}, {@code info} for a line that is not judged, or percentage points
     */
    record Line(
            String trace,
            String policy,
            int frames,
            int threads,
            long expectedReferences,
            long expectedHits,
            String tolerance) {

        boolean isJudged() {
            return !tolerance.equals(INFO);
        }

        /** In percentage points. */
        private double mostDifference() {
            return tolerance.equals(EXACT) || !isJudged() ? 0 : Double.parseDouble(tolerance);
        }

        private boolean isOf(Cell cell) {
            return trace.equals(cell.play().name())
                    && policy.equals(cell.policy())
                    && frames == cell.frames()
                    && threads == cell.threads();
        }
    }

    /** Reads a file; fails with its name and the number of a wrong line. */
    static ExpectedHits read(Path file) {
        if (!Files.exists(file)) {
            throw new CommandFailure("there is no file " + file + " to check against");
        }
        List<Line> lines = new ArrayList<>();
        List<String> head = List.of();
        int number = 0;
        String line = "";
        try {
            for (String text : Files.readAllLines(file)) {
                number++;
                line = text.replace("\ufeff", "").strip();
                if (head.isEmpty()) {
                    head = head(line);
                } else if (!line.isEmpty()) {
                    Map<String, String> row = row(line, head);
                    if (isExactAndClean(row)) {
                        lines.add(line(row));
                    }
                }
            }
        } catch (IOException e) {
            throw new CommandFailure(file + " cannot be read: " + e, e);
        } catch (IllegalArgumentException e) {
            String expected = e instanceof NumberFormatException ? NUMBERS : e.getMessage();
            throw new CommandFailure(file + ", line " + number + ": '" + line + "' is not " + expected, e);
        }
        return new ExpectedHits(file, List.copyOf(lines));
    }

    private static List<String> head(String text) {
        List<String> names = CsvLine.cells(text);
        if (!names.containsAll(COLUMNS) && !names.containsAll(OWN_COLUMNS)) {
            throw new IllegalArgumentException(
                    "a head line with the columns " + String.join(", ", COLUMNS) + ", nor that of simulate.csv");
        }
        return names;
    }

    private static Map<String, String> row(String text, List<String> head) {
        List<String> cells = CsvLine.cells(text);
        if (cells.size() < head.size()) {
            throw new IllegalArgumentException("a line with as many columns as the head line");
        }
        Map<String, String> row = new HashMap<>();
        for (int i = 0; i < head.size(); i++) {
            row.putIfAbsent(head.get(i), cells.get(i));
        }
        return row;
    }

    private static boolean isExactAndClean(Map<String, String> row) {
        return Double.parseDouble(row.getOrDefault("dirtyShare", "0")) == 0
                && Double.parseDouble(row.getOrDefault("sampleRate", "1")) == 1;
    }

    /** Columns have the names of {@code simulate.csv}, or else those of other files. */
    private static Line line(Map<String, String> row) {
        String policy = row.get("policy").toLowerCase(Locale.ROOT);
        Line line = new Line(
                row.getOrDefault("traceName", row.get("trace")),
                isKnown(policy) ? PolicyNames.normalized(policy, Settings.knownPolicies()) : policy,
                Integer.parseInt(row.getOrDefault("frames", row.get("capacity"))),
                Integer.parseInt(row.getOrDefault("threads", "1")),
                Long.parseLong(row.getOrDefault("references", row.get("requests"))),
                Long.parseLong(row.get("hits")),
                row.getOrDefault("tolerance_points", EXACT).toLowerCase(Locale.ROOT));
        if (line.frames < 1 || line.expectedReferences < 1 || line.expectedHits < 0 || line.mostDifference() < 0) {
            throw new NumberFormatException();
        }
        return line;
    }

    private static boolean isKnown(String policy) {
        return PolicyNames.isPossible(policy, Settings.knownPolicies());
    }

    /** Those for a trace whose policies can be simulated. */
    private List<Line> of(String trace) {
        return lines.stream()
                .filter(line -> line.trace.equals(trace) && isKnown(line.policy))
                .toList();
    }

    List<String> policies(String trace) {
        return of(trace).stream().map(Line::policy).distinct().toList();
    }

    List<Integer> frames(String trace) {
        return of(trace).stream().map(Line::frames).distinct().toList();
    }

    /** Policies of these traces that the workbench does not have. */
    List<String> unknownPolicies(List<String> traces) {
        return lines.stream()
                .filter(line -> traces.contains(line.trace) && !isKnown(line.policy))
                .map(Line::policy)
                .distinct()
                .toList();
    }

    /** Every line that a result without dirty pages belongs to. */
    List<Check> checks(List<Result> results) {
        return results.stream()
                .filter(result -> result.cell().isClean())
                .flatMap(result -> lines.stream()
                        .filter(line -> line.isOf(result.cell()))
                        .map(line -> new Check(line, result.references(), result.hits())))
                .toList();
    }

    /** A result compared with the hits that were expected. */
    record Check(@JsonUnwrapped Line line, long references, long hits) {

        /** Percentage points more than expected. */
        @JsonProperty
        double differencePoints() {
            return 100.0 * (hits - line.expectedHits) / line.expectedReferences;
        }

        /** Null for a line that is not judged; no line holds for other references. */
        @JsonProperty
        Boolean holds() {
            return line.isJudged()
                    ? references == line.expectedReferences && Math.abs(differencePoints()) <= line.mostDifference()
                    : null;
        }

        boolean fails() {
            return line.isJudged() && !holds();
        }

        @Override
        public String toString() {
            return String.format(
                    Locale.ROOT,
                    "%s, %,d frames, %s: %,d hits of %,d references, expected %,d of %,d (%+.3f points; tolerance %s)",
                    line.trace,
                    line.frames,
                    line.policy,
                    hits,
                    references,
                    line.expectedHits,
                    line.expectedReferences,
                    differencePoints(),
                    line.tolerance);
        }
    }
}
