// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.workload;

import io.clockhand.workbench.Names;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** The workloads by name; a trace is {@code trace:FILE}. */
public final class Workloads {
    public static final String TRACE = "trace:";

    private static final double EXPONENT_80 = 0.86;
    private static final double EXPONENT_45 = 0.5;

    private static final List<String> NAMES = List.of("paper80", "paper45", "paper80+scan", "uniform", "hot-page");

    private Workloads() {}

    /** What can be typed. */
    public static List<String> possible() {
        return List.of("paper80", "paper45", "paper80+scan", "uniform", "hot-page", TRACE + "FILE");
    }

    public static boolean isTrace(String name) {
        return name.startsWith(TRACE);
    }

    /** The file of a trace. */
    public static Path traceFile(String name) {
        return Path.of(name.substring(TRACE.length()));
    }

    /** Throws with the possible names and the nearest if there is no such workload. */
    public static void check(String name) {
        boolean known = isTrace(name) ? name.length() > TRACE.length() : NAMES.contains(name);
        if (!known) {
            throw new IllegalArgumentException(Names.unknown("workload", name, possible()));
        }
    }

    /** Whether it has as many keys as it is told, and not a number of its own. */
    public static boolean hasAnyKeys(String name) {
        return name.equals("uniform") || name.equals("hot-page");
    }

    /** How many keys the workloads of the paper have, and the others if nothing else is asked for. */
    public static int defaultKeys() {
        return PaperDraws.KEYS;
    }

    /**
     * Makes a workload.
     *
     * @param keys of those that have any number of them
     * @param format of a trace; null to find out
     * @throws IOException if a trace cannot be read; the message names file and line
     */
    public static Workload of(String name, int keys, long seed, TraceFormat format) throws IOException {
        check(name);
        if (isTrace(name)) {
            return Trace.read(traceFile(name), format).workload();
        }
        return switch (name) {
            case "paper80" -> new Circle(PaperDraws.KEYS, PaperDraws.references(EXPONENT_80, seed));
            case "paper45" -> new Circle(PaperDraws.KEYS, PaperDraws.references(EXPONENT_45, seed));
            case "paper80+scan" ->
                new Circle(PaperDraws.KEYS, PaperDraws.withScans(PaperDraws.references(EXPONENT_80, seed), seed));
            case "uniform" -> new Uniform(keys, seed);
            case "hot-page" -> new Circle(keys, new int[] {0});
            default -> throw new AssertionError(name);
        };
    }
}
