// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.jmh;

import java.util.Arrays;
import java.util.SplittableRandom;

/**
 * Keys to look up, drawn beforehand so that a benchmark neither draws nor boxes. The length of every array of draws is
 * a power of two. The same arguments give the same draws.
 */
final class Keys {
    /** The number of holders in a cache that holds all of them. */
    static final int RESIDENT = 32_768;
    /** The number of holders in a cache that holds a tenth of them. */
    static final int TENTH = RESIDENT / 10;

    private static final int DRAWS = 1 << 20;
    private static final double EXPONENT_80_20 = 0.86;
    private static final long SEED = 20101;

    private Keys() {}

    /** {@return the keys 0 to n − 1, equal to the keys in the draws but not the same objects} */
    static Long[] all(int n) {
        Long[] keys = new Long[n];
        Arrays.setAll(keys, i -> boxed(i));
        return keys;
    }

    /** {@return draws from n keys; the frequency of the i-th is proportional to 1 / i^0.86, so a fifth gets 75 %} */
    static Long[] zipf(int n) {
        double[] sums = new double[n];
        double sum = 0;
        for (int i = 0; i < n; i++) {
            sum += 1 / Math.pow(i + 1, EXPONENT_80_20);
            sums[i] = sum;
        }
        Long[] keys = shuffled(n);
        SplittableRandom random = new SplittableRandom(SEED);
        Long[] draws = new Long[DRAWS];
        for (int i = 0; i < DRAWS; i++) {
            int at = Arrays.binarySearch(sums, random.nextDouble() * sum);
            draws[i] = keys[at < 0 ? -at - 1 : at];
        }
        return draws;
    }

    /** {@return draws from n keys, each as frequent as any other} */
    static Long[] uniform(int n) {
        Long[] keys = all(n);
        SplittableRandom random = new SplittableRandom(SEED);
        Long[] draws = new Long[DRAWS];
        Arrays.setAll(draws, i -> keys[random.nextInt(n)]);
        return draws;
    }

    /** {@return draws from n keys; the distribution is {@code 80-20}, {@code uniform}, {@code sequential} or {@code
     * hot-key}} */
    static Long[] draws(String distribution, int n) {
        return switch (distribution) {
            case "80-20" -> zipf(n);
            case "uniform" -> uniform(n);
            case "sequential" -> sequential(n);
            case "hot-key" -> hot();
            default -> throw new IllegalArgumentException("no distribution " + distribution);
        };
    }

    /** {@return the keys in their order, again and again} */
    private static Long[] sequential(int n) {
        Long[] keys = all(n);
        Long[] draws = new Long[DRAWS];
        Arrays.setAll(draws, i -> keys[i % n]);
        return draws;
    }

    /** {@return the same key, always} */
    private static Long[] hot() {
        Long[] draws = new Long[DRAWS];
        Arrays.fill(draws, boxed(0));
        return draws;
    }

    /** {@return keys all over the range of a long, none of them twice} */
    static Long[] wide() {
        Long[] draws = new Long[DRAWS];
        Arrays.setAll(draws, i -> boxed((i + 1) * 0x9E37_79B9_7F4A_7C15L));
        return draws;
    }

    /** So that frequent keys do not lie side by side in a table. */
    private static Long[] shuffled(int n) {
        Long[] keys = all(n);
        SplittableRandom random = new SplittableRandom(SEED);
        for (int i = n - 1; i > 0; i--) {
            int other = random.nextInt(i + 1);
            Long key = keys[i];
            keys[i] = keys[other];
            keys[other] = key;
        }
        return keys;
    }

    @SuppressWarnings("UnnecessaryBoxedVariable") // objects of their own are the point
    private static Long boxed(long key) {
        return key;
    }
}
