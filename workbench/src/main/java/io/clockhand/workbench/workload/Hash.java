// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.workload;

/** Numbers that look random and depend on two numbers only, so that any of them can be had without those before it. */
public final class Hash {
    private static final long GOLDEN = 0x9E37_79B9_7F4A_7C15L;

    private Hash() {}

    /** Where the numbers of a seed begin. */
    public static long begin(long seed) {
        return mixed(seed * GOLDEN);
    }

    /** Number {@code n} of those that begin at {@code begin}. */
    public static long of(long begin, long n) {
        return mixed(begin + n * GOLDEN);
    }

    /** The finalizer of SplitMix64 (Stafford's variant 13). */
    static long mixed(long value) {
        long z = (value ^ (value >>> 30)) * 0xBF58_476D_1CE4_E5B9L;
        z = (z ^ (z >>> 27)) * 0x94D0_49BB_1331_11EBL;
        return z ^ (z >>> 31);
    }
}
