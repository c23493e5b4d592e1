// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.lruc;

import io.clockhand.workbench.lruc.LruC.Setting;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Function;

/**
 * Short runs of vanilla with several numbers of pages that it writes in a second, of which the best gets a full run.
 * Its fields are those of the report.
 *
 * @param bestPagesPerSecond the number with the greatest throughput, the least of several; null if no run has ended
 * @param runs those that have ended
 */
record Sweep(int threads, double poolPercent, String readWrite, Long bestPagesPerSecond, List<Sweep.Point> runs) {
    private static final List<Integer> FACTORS = List.of(1, 2, 4, 8, 16, 32, 64);
    /** The part of a full run's time that a run of the sweep takes. */
    private static final int PART = 4;

    /** A run. */
    record Point(long pagesPerSecond, double operationsPerSecond) {}

    /** The numbers of pages a second that are tried. */
    static List<Long> rates(long vanilla) {
        return FACTORS.stream().map(factor -> factor * vanilla).toList();
    }

    static int count() {
        return FACTORS.size();
    }

    /** Of a run's warm-up or measured part; at least a second. */
    static int seconds(int ofFullRun) {
        return Math.max(1, ofFullRun / PART);
    }

    /**
     * Performs the runs.
     *
     * @param vanillaRate the pages a second that vanilla writes by itself
     * @param run performs that of a scheme; null if it failed
     */
    static Sweep of(Setting setting, long vanillaRate, Function<String, RunAnswer> run) {
        List<Point> runs = new ArrayList<>();
        for (long pagesPerSecond : rates(vanillaRate)) {
            RunAnswer answer = run.apply(Scheme.vanilla(pagesPerSecond));
            if (answer != null) {
                runs.add(new Point(pagesPerSecond, answer.operationsPerSecond()));
            }
        }
        return of(setting, runs);
    }

    static Sweep of(Setting setting, List<Point> runs) {
        Long best = runs.stream()
                .max(Comparator.comparingDouble(Point::operationsPerSecond)
                        .thenComparing(
                                Comparator.comparingLong(Point::pagesPerSecond).reversed()))
                .map(Point::pagesPerSecond)
                .orElse(null);
        return new Sweep(setting.threads(), setting.poolPercent(), setting.readWrite(), best, runs);
    }
}
