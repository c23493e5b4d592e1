// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.simulate;

import io.clockhand.workbench.CommandFailure;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * Hits that are known, from a CSV file with a head line.
 *
 * @param lines in the order of the file
 */
record ExpectedHits(Path file, List<Line> lines) {
    private static final List<String> COLUMNS =
            List.of("trace", "capacity", "policy", "hits", "requests", "tolerance_points");
    private static final String EXACT = "exact";
    private static final String INFO = "info";
    private static final double PERCENT = 100;

    /**
     * A line of the file.
     *
     * @param policy in small letters
     * @param tolerance {@code exact}, {@code info}, or percentage points
     */
    record Line(String trace, int frames, String policy, long hits, long requests, String tolerance) {
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
            texts = Files.readAllLines(file, StandardCharsets.ISO_8859_1);
        } catch (NoSuchFileException e) {
            throw new CommandFailure("there is no file " + file + " to check against", e);
        } catch (IOException e) {
            throw new CommandFailure(file + " cannot be read: " + e, e);
        }
        List<Line> lines = new ArrayList<>();
        int[] columns = null;
        for (int i = 0; i < texts.size(); i++) {
            String text = texts.get(i).strip();
            try {
                if (columns == null) {
                    columns = columns(text);
                } else if (!text.isEmpty()) {
                    lines.add(line(text, columns));
                }
            } catch (IllegalArgumentException e) {
                throw new CommandFailure(file + ", line " + (i + 1) + ": '" + text + "' is not " + e.getMessage(), e);
            }
        }
        return new ExpectedHits(file, List.copyOf(lines));
    }

    private static int[] columns(String head) {
        List<String> names = Arrays.asList(head.split(",", -1));
        if (!names.containsAll(COLUMNS)) {
            throw new IllegalArgumentException("a head line with the columns " + String.join(", ", COLUMNS));
        }
        return COLUMNS.stream().mapToInt(names::indexOf).toArray();
    }

    private static Line line(String text, int[] columns) {
        String[] cells = text.split(",", -1);
        if (cells.length <= Arrays.stream(columns).max().orElseThrow()) {
            throw new IllegalArgumentException("a line with as many columns as the head line");
        }
        String tolerance = cells[columns[5]].toLowerCase(Locale.ROOT);
        try {
            Line line = new Line(
                    cells[columns[0]],
                    Integer.parseInt(cells[columns[1]]),
                    cells[columns[2]].toLowerCase(Locale.ROOT),
                    Long.parseLong(cells[columns[3]]),
                    Long.parseLong(cells[columns[4]]),
                    tolerance);
            boolean named = tolerance.equals(EXACT) || tolerance.equals(INFO);
            if (line.frames() < 1
                    || line.requests() < 1
                    || line.hits() < 0
                    || (!named && !(Double.parseDouble(tolerance) >= 0))) {
                throw new IllegalArgumentException("a line of numbers that can be");
            }
            return line;
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException(
                    "a line with numbers in the columns capacity, hits and requests, and exact, info or a number"
                            + " as tolerance",
                    e);
        }
    }

    /** Those for a trace whose policies can be simulated. */
    List<Line> of(String trace) {
        List<String> known = Settings.knownPolicies();
        return lines.stream()
                .filter(line -> line.trace().equals(trace) && known.contains(line.policy()))
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
        List<String> known = Settings.knownPolicies();
        return lines.stream()
                .filter(line -> traces.contains(line.trace()) && !known.contains(line.policy()))
                .map(Line::policy)
                .distinct()
                .toList();
    }
}
