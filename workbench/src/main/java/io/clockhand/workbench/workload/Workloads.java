// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.workload;

import io.clockhand.workbench.experiment.options.Names;
import io.clockhand.workbench.workload.tpcc.TpccPages;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** The workloads by name; a trace is {@code trace:FILE}, the pages of TPC-C with W warehouses are {@code tpcc:W}. */
public final class Workloads {
    public static final String TRACE = "trace:";
    public static final String TPCC = "tpcc:";

    /** Of {@code tpcc:W}, unless more are asked for. */
    public static final int TPCC_REFERENCES = 5_000_000;

    private static final List<String> NAMES = List.of("paper80", "paper45", "paper80+scan", "uniform", "hot-page");

    private Workloads() {}

    /** All that can be typed. */
    public static List<String> possible() {
        return Stream.concat(NAMES.stream(), Stream.of(TPCC + "W", TRACE + "FILE"))
                .toList();
    }

    /** The workload of a text where a file needs no {@code trace:} before its name. */
    public static String named(String typed) {
        return NAMES.contains(typed) || typed.startsWith(TPCC) || isTrace(typed) ? typed : TRACE + typed;
    }

    public static boolean isTrace(String name) {
        return name.startsWith(TRACE);
    }

    /** Whether it has a first and a last reference, so that all of them can be counted; the others start again. */
    public static boolean hasEnd(String name) {
        return isTrace(name) || name.startsWith(TPCC);
    }

    public static Path traceFile(String name) {
        return Path.of(name.substring(TRACE.length()));
    }

    /** Throws with the possible names and the nearest if there is no such workload. */
    public static void check(String name) {
        if (name.startsWith(TPCC)) {
            warehouses(name);
            return;
        }
        boolean known = isTrace(name) ? name.length() > TRACE.length() : NAMES.contains(name);
        if (!known) {
            throw new IllegalArgumentException(Names.unknown("workload", name, possible()));
        }
    }

    private static int warehouses(String name) {
        String typed = name.substring(TPCC.length());
        if (!typed.matches("[1-9][0-9]{0,2}|1000")) {
            throw new IllegalArgumentException(
                    "the W of tpcc:W is a number of warehouses from 1 to 1000, not '" + typed + "'");
        }
        return Integer.parseInt(typed);
    }

    /** How many keys the workloads of the paper have, and the others if nothing else is asked for. */
    public static int defaultKeys() {
        return PaperDraws.KEYS;
    }

    /**
     * Reads or makes a workload that {@linkplain #hasEnd has an end}.
     *
     * @param length how many references of {@code tpcc:W} are asked for; a trace has those that it has
     * @param format of a trace; null to find out
     * @param column of a CSV file, as {@link Trace#read} takes it
     */
    public static Trace trace(String name, long length, long seed, TraceFormat format, String column) {
        check(name);
        if (isTrace(name)) {
            return Trace.read(traceFile(name), format, column);
        }
        return Trace.drawn(pages -> TpccPages.draw(warehouses(name), seed, Math.max(TPCC_REFERENCES, length), pages));
    }

    /**
     * Makes a workload.
     *
     * @param keys of those that have any number of them
     * @param format of a trace; null to find out
     */
    public static Workload of(String name, int keys, long seed, TraceFormat format) {
        check(name);
        if (hasEnd(name)) {
            return trace(name, 0, seed, format, null).workload();
        }
        return switch (name) {
            case "paper80" -> circle(PaperDraws.KEYS, PaperDraws.references(0.86, seed));
            case "paper45" -> circle(PaperDraws.KEYS, PaperDraws.references(0.5, seed));
            case "paper80+scan" ->
                circle(PaperDraws.KEYS, PaperDraws.withScans(PaperDraws.references(0.86, seed), seed));
            case "uniform" -> new Uniform(keys, seed);
            case "hot-page" -> circle(keys, new int[] {0});
            default -> throw new AssertionError(name);
        };
    }

    /** A workload whose references are all known, and which begins anew after the last one; nobody changes them. */
    public static Workload circle(int keys, int[] references) {
        return new Workload() {
            @Override
            public int keys() {
                return keys;
            }

            @Override
            public long length() {
                return references.length;
            }

            @Override
            public References references(long first, int step) {
                int round = step % references.length;
                return new References() {
                    private int at = (int) (first % references.length);

                    @Override
                    public int next() {
                        int key = references[at];
                        int next = at + round - references.length; // of the next round if it is not negative
                        at = next < 0 ? next + references.length : next;
                        return key;
                    }
                };
            }
        };
    }

    /** All keys alike: the key of reference n is a hash of n and the seed. */
    record Uniform(int keys, long seed) implements Workload {
        @Override
        public long length() {
            return 0;
        }

        @Override
        public References references(long first, int step) {
            long begin = Hash.begin(seed);
            return new References() {
                private long n = first;

                @Override
                public int next() {
                    long hash = Hash.of(begin, n);
                    n += step;
                    return (int) (((hash >>> 32) * keys) >>> 32);
                }
            };
        }
    }
}
