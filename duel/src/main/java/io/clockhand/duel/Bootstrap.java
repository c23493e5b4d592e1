// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.duel;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Ratios of sums with percentile bootstrap intervals [Efron, Tibshirani: An Introduction to the Bootstrap, chapter 13].
 *
 * <p>A resample draws as many processes as there are, with replacement, and from each as many rounds as it played. The
 * contenders of a round are drawn together: they ran right after each other, so a disturbance of some seconds hit them
 * alike and cancels out in the ratio. Contenders that ran one after another are drawn independently.
 */
public final class Bootstrap {
    private static final int RESAMPLES = 4000;
    private static final double TAIL = 0.025;
    private static final double NANOS_PER_SECOND = 1e9;
    /** The 97.5 % quantile of Student's t relative to that of the normal distribution, for 1 process and more. */
    private static final double[] STUDENT = {1, 6.48, 2.2, 1.62, 1.42, 1.31, 1.25, 1.21, 1.18, 1.15, 1.14, 1.12};

    private final Rounds rounds;
    private final int base;
    private final SplittableRandom random;

    private Bootstrap(Rounds rounds, int base, long seed) {
        this.rounds = rounds;
        this.base = base;
        this.random = new SplittableRandom(seed);
    }

    /**
     * The figures of a duel.
     *
     * @param comparedWith the contender to which all throughputs are related
     */
    public static DuelResult evaluate(Rounds rounds, String comparedWith, long seed) {
        int base = rounds.names().indexOf(comparedWith);
        if (base < 0) {
            throw new IllegalArgumentException(
                    "no contender is named " + comparedWith + "; possible: " + rounds.names());
        }
        return new Bootstrap(rounds, base, seed).evaluate();
    }

    private DuelResult evaluate() {
        int count = rounds.names().size();
        double[] operations = new double[count];
        double[] nanos = new double[count];
        for (List<List<Slice>> process : rounds.processes()) {
            for (List<Slice> round : process) {
                for (int c = 0; c < count; c++) {
                    add(round.get(c), c, operations, nanos);
                }
            }
        }
        double[][] resampled = resample(count);
        List<DuelResult.Standing> standings = new ArrayList<>();
        for (int c = 0; c < count; c++) {
            double ratio = ratio(c, operations, nanos);
            double low = stretched(ratio, quantile(resampled[c], TAIL));
            double high = stretched(ratio, quantile(resampled[c], 1 - TAIL));
            standings.add(new DuelResult.Standing(
                    rounds.names().get(c),
                    (long) operations[c],
                    nanos[c] / NANOS_PER_SECOND,
                    operations[c] / nanos[c] * NANOS_PER_SECOND,
                    ratio,
                    low,
                    high,
                    rounds.inTurns() && (low > 1 || high < 1)));
        }
        return new DuelResult(
                rounds.names().get(base),
                rounds.inTurns(),
                rounds.processes().size(),
                rounds.processes().get(0).size(),
                standings);
    }

    /** Moves a bound away from the ratio, on a scale of logarithms: a ratio is positive, and so is its interval. */
    private double stretched(double ratio, double bound) {
        return ratio > 0 ? ratio * Math.pow(bound / ratio, stretch()) : bound;
    }

    /** Resamples of few processes vary too little: by Student's t for n, and by the square root of n / (n - 1). */
    private double stretch() {
        int n = rounds.processes().size();
        return n == 1 ? 1 : Math.sqrt(n / (n - 1.0)) * (n <= STUDENT.length ? STUDENT[n - 1] : 1);
    }

    /** For each contender its ratios in all resamples, sorted. */
    private double[][] resample(int count) {
        double[][] ratios = new double[count][RESAMPLES];
        List<List<List<Slice>>> processes = rounds.processes();
        for (int resample = 0; resample < RESAMPLES; resample++) {
            double[] operations = new double[count];
            double[] nanos = new double[count];
            for (int i = 0; i < processes.size(); i++) {
                drawRounds(drawn(processes), operations, nanos);
            }
            for (int c = 0; c < count; c++) {
                ratios[c][resample] = ratio(c, operations, nanos);
            }
        }
        for (double[] ofContender : ratios) {
            Arrays.sort(ofContender);
        }
        return ratios;
    }

    private void drawRounds(List<List<Slice>> process, double[] operations, double[] nanos) {
        for (int i = 0; i < process.size(); i++) {
            List<Slice> round = drawn(process);
            for (int c = 0; c < operations.length; c++) {
                add(rounds.inTurns() ? round.get(c) : drawn(process).get(c), c, operations, nanos);
            }
        }
    }

    private <T> T drawn(List<T> list) {
        return list.get(random.nextInt(list.size()));
    }

    private static void add(Slice slice, int contender, double[] operations, double[] nanos) {
        operations[contender] += slice.operations();
        nanos[contender] += slice.nanos();
    }

    private double ratio(int contender, double[] operations, double[] nanos) {
        return operations[contender] / nanos[contender] / (operations[base] / nanos[base]);
    }

    private static double quantile(double[] sorted, double share) {
        return sorted[(int) Math.round(share * (sorted.length - 1))];
    }
}
