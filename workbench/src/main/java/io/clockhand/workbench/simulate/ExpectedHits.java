// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.simulate;

import io.clockhand.workbench.environment.CommandFailure;
import io.clockhand.workbench.experiment.options.PolicyNames;
import io.clockhand.workbench.simulate.Cell.Result;
import io.clockhand.workbench.workload.CsvLine;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * Hits that are known, from a CSV file with a head line, which may be that of an earlier run: then they must be the
 * same, and lines with dirt or of a sample are left out.
 *
 * @param lines in the order of the file
 */
record ExpectedHits(Path file, List<Line> lines) {
    private static final List<String> COLUMNS =
            List.of("trace", "capacity", "policy", "hits", "requests", "tolerance_points");
    /** The same columns, but for the tolerance, as the CSV file of this command names them, and those of its cells. */
    private static final List<String> OWN_COLUMNS =
            List.of("traceName", "frames", "policy", "hits", "references", "threads", "dirtyShare", "sampleRate");

    private static final String EXACT = "exact";
    private static final String INFO = "info";
    private static final double PERCENT = 100;

    /**
     * A line of the file.
     *
     * @param policy in small letters
     * @param tolerance {@code exact}, {@code info}, or percentage points
     */
    record Line(String trace, int frames, String policy, int threads, long hits, long requests, String tolerance) {
        private boolean isPossible() {
            boolean named = tolerance.equals(EXACT) || tolerance.equals(INFO);
            return frames >= 1 && requests >= 1 && hits >= 0 && (named || Double.parseDouble(tolerance) >= 0);
        }

        boolean isJudged() {
            return !tolerance.equals(INFO);
        }

        /** Whether the line expects this number of hits; it never does for other references. */
        boolean holds(long otherHits, long references) {
            return references == requests
                    && (tolerance.equals(EXACT)
                            ? otherHits == hits
                            : Math.abs(points(otherHits)) <= Double.parseDouble(tolerance));
        }

        /** By how many percentage points these hits exceed those of the line. */
        double points(long otherHits) {
            return PERCENT * (otherHits - hits) / requests;
        }
    }

    /** Reads a file; fails with its name and the number of a wrong line. */
    static ExpectedHits read(Path file) {
        List<String> texts;
        try {
            texts = new String(Files.readAllBytes(file), StandardCharsets.UTF_8)
                    .lines()
                    .toList();
        } catch (NoSuchFileException e) {
            throw new CommandFailure("there is no file " + file + " to check against", e);
        } catch (IOException e) {
            throw new CommandFailure(file + " cannot be read: " + e, e);
        }
        List<Line> lines = new ArrayList<>();
        List<String> head = null;
        for (int i = 0; i < texts.size(); i++) {
            String text = texts.get(i).strip();
            try {
                if (head == null) {
                    head = head(text);
                } else if (!text.isEmpty()) {
                    line(text, head).ifPresent(lines::add);
                }
            } catch (IllegalArgumentException e) {
                throw new CommandFailure(file + ", line " + (i + 1) + ": '" + text + "' is not " + e.getMessage(), e);
            }
        }
        return new ExpectedHits(file, List.copyOf(lines));
    }

    /** Without a byte-order mark. */
    private static List<String> head(String text) {
        List<String> names = CsvLine.cells(text.replaceFirst("^\ufeff", ""));
        if (!names.containsAll(COLUMNS) && !names.containsAll(OWN_COLUMNS)) {
            throw new IllegalArgumentException(
                    "a head line with the columns " + String.join(", ", COLUMNS) + ", nor that of simulate.csv");
        }
        return names;
    }

    /** Empty for one that is not exact hits of a clean pool. */
    private static Optional<Line> line(String text, List<String> head) {
        List<String> cells = CsvLine.cells(text);
        if (cells.size() < head.size()) {
            throw new IllegalArgumentException("a line with as many columns as the head line");
        }
        Map<String, String> named = new HashMap<>();
        for (int i = head.size() - 1; i >= 0; i--) {
            named.put(head.get(i), cells.get(i));
        }
        boolean own = !head.containsAll(COLUMNS);
        try {
            if (own
                    && (Double.parseDouble(named.get("dirtyShare")) != 0
                            || Double.parseDouble(named.get("sampleRate")) != 1)) {
                return Optional.empty();
            }
            Line line = new Line(
                    named.get(own ? "traceName" : "trace"),
                    Integer.parseInt(named.get(own ? "frames" : "capacity")),
                    policy(named.get("policy").toLowerCase(Locale.ROOT)),
                    own ? Integer.parseInt(named.get("threads")) : 1,
                    Long.parseLong(named.get("hits")),
                    Long.parseLong(named.get(own ? "references" : "requests")),
                    own ? EXACT : named.get("tolerance_points").toLowerCase(Locale.ROOT));
            if (!line.isPossible()) {
                throw new IllegalArgumentException("a line of numbers that can be");
            }
            return Optional.of(line);
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException(
                    "a line with numbers in the columns capacity, hits and requests, and exact, info or a number"
                            + " as tolerance",
                    e);
        }
    }

    /** In the form in which policies are simulated; as it is if it is none that the workbench has. */
    private static String policy(String name) {
        return isKnown(name) ? PolicyNames.normalized(name, Settings.knownPolicies()) : name;
    }

    private static boolean isKnown(String policy) {
        return PolicyNames.isPossible(policy, Settings.knownPolicies());
    }

    /** Those for a trace whose policies can be simulated. */
    List<Line> of(String trace) {
        return lines.stream()
                .filter(line -> line.trace().equals(trace) && isKnown(line.policy()))
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
                .filter(line -> traces.contains(line.trace()) && !isKnown(line.policy()))
                .map(Line::policy)
                .distinct()
                .toList();
    }

    /**
     * A result compared with the hits that were expected.
     *
     * @param differencePoints percentage points more than expected
     * @param tolerance {@code exact}, {@code info}, or percentage points
     * @param holds null for a line that is not judged
     */
    record Check(
            String trace,
            String policy,
            int frames,
            long references,
            long hits,
            long expectedReferences,
            long expectedHits,
            double differencePoints,
            String tolerance,
            Boolean holds) {

        /** Every line of the file that a result without dirty pages belongs to. */
        static List<Check> all(ExpectedHits expected, List<Result> results) {
            List<Check> checks = new ArrayList<>();
            for (Result result : results) {
                if (result.cell().dirtyShare().isNone()) {
                    expected.of(result.cell().play().name()).stream()
                            .filter(line -> line.policy().equals(result.cell().policy())
                                    && line.frames() == result.cell().frames()
                                    && line.threads() == result.cell().threads())
                            .forEach(line -> checks.add(of(result, line)));
                }
            }
            return checks;
        }

        private static Check of(Result result, ExpectedHits.Line line) {
            return new Check(
                    line.trace(),
                    line.policy(),
                    line.frames(),
                    result.references(),
                    result.hits(),
                    line.requests(),
                    line.hits(),
                    line.points(result.hits()),
                    line.tolerance(),
                    line.isJudged() ? line.holds(result.hits(), result.references()) : null);
        }

        boolean isJudged() {
            return holds != null;
        }

        boolean fails() {
            return isJudged() && !holds;
        }

        private boolean isOfOtherReferences() {
            return references != expectedReferences;
        }

        @Override
        public String toString() {
            String where = String.format(Locale.ROOT, "%s, %,d frames, %s: ", trace, frames, policy);
            if (isJudged() && isOfOtherReferences()) {
                return where
                        + String.format(
                                Locale.ROOT,
                                "counted %,d references, the check is about %,d",
                                references,
                                expectedReferences);
            }
            return where
                    + String.format(
                            Locale.ROOT,
                            "%,d hits, expected %,d (%+.3f points; %s)",
                            hits,
                            expectedHits,
                            differencePoints,
                            toleranceInWords());
        }

        private String toleranceInWords() {
            return !isJudged()
                    ? "for information"
                    : tolerance.equals("exact") ? "must be exact" : "tolerance " + tolerance;
        }
    }
}
