// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.workload;

import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

/**
 * The references of the experiments in M. Yui et al., <i>Nb-GCLOCK</i>, ICDE 2010, as its published benchmark makes
 * them: 50,000 keys, drawn after Zipf's law by 64 threads, each of which goes round 15,625 draws of its own.
 */
final class PaperDraws {
    static final int KEYS = 50_000;
    static final int DRAWS = 1_000_000;

    private static final int THREADS = 64;
    private static final int DRAWS_PER_THREAD = DRAWS / THREADS;

    /** Lehmer's generator, of Park and Miller. */
    private static final long MULTIPLIER = 16_807;

    private static final long MODULUS = (1L << 31) - 1;

    private static final double SCAN_PROBABILITY = 0.0025;
    private static final int SCAN_KEYS = 100;
    /** The number of passes over the draws before the scans repeat themselves. */
    private static final int ROUNDS_WITH_SCANS = 8;

    private PaperDraws() {}

    /** The draws in the order in which 64 threads refer to them in turn; with seed 1 those of the paper. */
    static int[] references(double exponent, long seed) {
        double[] cumulated = cumulated(exponent);
        int[] references = new int[DRAWS];
        long x = Math.floorMod(seed - 1, MODULUS - 1) + 1;
        for (int i = 0; i < DRAWS; i++) {
            x = MULTIPLIER * x % MODULUS;
            int found = Arrays.binarySearch(cumulated, (double) x / MODULUS);
            int key = Math.min(found >= 0 ? found : -found - 1, KEYS - 1); // the sum of all may be a little less than 1
            references[i % DRAWS_PER_THREAD * THREADS + i / DRAWS_PER_THREAD] = key;
        }
        return references;
    }

    /** The probabilities of the keys up to each, {@code c / rank^exponent}, added up from the first. */
    private static double[] cumulated(double exponent) {
        double whole = 0;
        for (int rank = 1; rank <= KEYS; rank++) {
            whole += 1 / Math.pow(rank, exponent);
        }
        double[] cumulated = new double[KEYS];
        double sum = 0;
        for (int rank = 1; rank <= KEYS; rank++) {
            sum += 1 / whole / Math.pow(rank, exponent);
            cumulated[rank - 1] = sum;
        }
        return cumulated;
    }

    /** Before a reference, now and then, a scan of consecutive keys: a fifth of all references. */
    static int[] withScans(int[] references, long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        IntStream.Builder all = IntStream.builder();
        for (int round = 0; round < ROUNDS_WITH_SCANS; round++) {
            for (int key : references) {
                if (random.nextDouble() < SCAN_PROBABILITY) {
                    int start = random.nextInt(KEYS);
                    for (int i = 0; i < SCAN_KEYS; i++) {
                        all.add((start + i) % KEYS);
                    }
                }
                all.add(key);
            }
        }
        return all.build().toArray();
    }
}
