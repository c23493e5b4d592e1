// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.internal.advice;

/**
 * The fraction of all pages that is sampled. A page is sampled if a hash of its id lies below a threshold, so either
 * all references of a page are sampled or none. Immutable.
 */
final class SampledPages {
    /** Of hashes, which are not negative. */
    private static final double HASHES = 0x1p63;

    private final double rate;
    /** All hashes up to this one are sampled. */
    private final long greatest;

    /**
     * Creates a fraction.
     *
     * @param rate the fraction, greater than 0; 1 for all pages
     */
    SampledPages(double rate) {
        this.rate = rate;
        this.greatest = rate >= 1 ? Long.MAX_VALUE : (long) (rate * HASHES);
    }

    /** {@return the fraction of the pages, greater than 0 and at most 1} */
    double rate() {
        return rate;
    }

    boolean contains(long id) {
        return mix(id) >>> 1 <= greatest;
    }

    /** {@return a hash with 64 bits; of sampled pages the upper ones are zeros} */
    static long mix(long id) {
        long hash = id * 0x9E37_79B9_7F4A_7C15L;
        hash = (hash ^ hash >>> 32) * 0xD6E8_FEB8_6659_FD93L;
        return hash ^ hash >>> 32;
    }
}
