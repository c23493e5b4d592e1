// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.simulate;

import io.clockhand.workbench.workload.Hash;

/**
 * Some of the pages of a trace, all of whose references are simulated, in a pool that is smaller by the same factor.
 * Whether a page is in the sample depends on its number and the seed alone. Immutable.
 *
 * <p>A page with many references is in the sample or not, so a sample has more or fewer references than its share. The
 * difference is mostly that of such pages, whose references are hits; so it is added to the hits.
 *
 * <p>Source: C. Waldspurger, N. Park, A. Garthwaite and I. Ahmad, Efficient MRC construction with SHARDS, FAST 2015;
 * C. Waldspurger, T. Saemundsson, I. Ahmad and N. Park, Cache modeling and optimization using miniature simulations,
 * USENIX ATC 2017.
 */
final class Sample {
    /** The number of a page that is not in the sample; not the complement of a page either. */
    static final int SKIPPED = Integer.MIN_VALUE;

    /** So that the sample has nothing to do with keys that are drawn by the same seed. */
    private static final long OF_SAMPLES = 0x5341_4d50_4c45_0001L;

    /** By page. */
    private final int[] numbers;

    private final int pages;

    private Sample(int allPages, double share, long seed) {
        long begin = Hash.begin(seed ^ OF_SAMPLES);
        numbers = new int[allPages];
        int count = 0;
        for (int page = 0; page < allPages; page++) {
            boolean isIn = (Hash.of(begin, page) >>> 1) < share * Long.MAX_VALUE;
            numbers[page] = isIn ? count++ : SKIPPED;
        }
        pages = count;
    }

    /** About as many pages as are wanted; null for all of them, if there are no more, or none would be found. */
    static Sample of(int allPages, int wanted, long seed) {
        if (wanted == 0 || wanted >= allPages) {
            return null;
        }
        Sample sample = new Sample(allPages, (double) wanted / allPages, seed);
        return sample.pages == 0 ? null : sample;
    }

    int pages() {
        return pages;
    }

    /** The share of the pages that are in it, from 0 to 1. */
    double rate() {
        return (double) pages / numbers.length;
    }

    /** The number of a page in the sample, or SKIPPED. */
    int of(int page) {
        return numbers[page];
    }

    /** The frames of a pool for the sample, at least one. */
    int frames(int ofAll) {
        return (int) Math.max(1, Math.round(ofAll * rate()));
    }

    /** The share of hits that is to be expected of all references, from 0 to 1. */
    double hitRatio(long hits, long sampled, long references) {
        double expected = references * rate();
        return Math.min(Math.max(hits + expected - sampled, 0) / expected, 1);
    }
}
