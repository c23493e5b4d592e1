// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.testkit;

import java.util.SplittableRandom;

/** Random numbers for one of many decisions, which depend on the seed and on the decision, not on the others. */
final class Seeds {
    private Seeds() {}

    static SplittableRandom random(long seed, long subject, long number) {
        return new SplittableRandom(mix(mix(mix(seed) + subject) + number));
    }

    /** The finalizer of MurmurHash3, which spreads each bit over the result. */
    private static long mix(long value) {
        long mixed = value + 0x9E37_79B9_7F4A_7C15L;
        mixed = (mixed ^ (mixed >>> 33)) * 0xFF51_AFD7_ED55_8CCDL;
        mixed = (mixed ^ (mixed >>> 33)) * 0xC4CE_B9FE_1A85_EC53L;
        return mixed ^ (mixed >>> 33);
    }
}
