// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.policy;

import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.IntUnaryOperator;

/** Streams of page references. */
final class References {
    /** The keys of the Nb-GCLOCK paper's workload. */
    static final int PAPER_KEYS = 50_000;

    private static final int DRAWS = 1_000_000;
    private static final int STREAMS = 64;
    private static final int PER_STREAM = DRAWS / STREAMS;
    /** By the skew. */
    private static final Map<Double, int[]> PAPER_DRAWS = new ConcurrentHashMap<>();

    private References() {}

    /**
     * The workload of the Nb-GCLOCK paper: discrete Zipf over {@link #PAPER_KEYS} keys, 64 threads that each cycle over
     * their own draws, here one after the other.
     *
     * @param skew 0.86 for "80/20", 0.5 for "45/20"
     * @return the key of the n-th reference
     */
    static IntUnaryOperator paper(double skew) {
        int[] draws = PAPER_DRAWS.computeIfAbsent(skew, References::paperDraws);
        return n -> draws[PER_STREAM * (n % STREAMS) + n / STREAMS % PER_STREAM];
    }

    private static int[] paperDraws(double skew) {
        double[] cumulated = new double[PAPER_KEYS];
        double norm = 0;
        for (int i = 1; i <= PAPER_KEYS; i++) {
            norm += 1 / Math.pow(i, skew);
        }
        double sum = 0;
        for (int i = 1; i <= PAPER_KEYS; i++) {
            sum += 1 / norm / Math.pow(i, skew);
            cumulated[i - 1] = sum;
        }
        int[] draws = new int[DRAWS];
        long x = 1;
        for (int n = 0; n < DRAWS; n++) {
            x = 16_807 * x % 2_147_483_647;
            draws[n] = smallestAtLeast(cumulated, x / 2_147_483_647.0);
        }
        return draws;
    }

    private static int smallestAtLeast(double[] ascending, double z) {
        int low = 0;
        int high = ascending.length - 1;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (ascending[middle] >= z) {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        return low;
    }

    /** {@return a stream of hot pages, runs, loops and random pages, in phases} */
    static int[] mixed(long seed, int pages, int length) {
        SplittableRandom random = new SplittableRandom(seed);
        int[] stream = new int[length];
        int n = 0;
        while (n < length) {
            int phase = random.nextInt(4);
            int from = random.nextInt(pages);
            int span = 1 + random.nextInt(pages);
            for (int i = 0, end = random.nextInt(10, 200); i < end && n < length; i++) {
                stream[n++] = switch (phase) {
                    case 0 -> random.nextInt(pages);
                    case 1 -> (from + i) % pages;
                    case 2 -> (from + i % span) % pages;
                    default -> (int) (pages * Math.pow(random.nextDouble(), 4));
                };
            }
        }
        return stream;
    }
}
