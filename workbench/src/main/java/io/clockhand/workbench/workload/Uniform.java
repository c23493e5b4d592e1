// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.workload;

/** All keys alike: the key of reference n is a hash of n and the seed. */
record Uniform(int keys, long seed) implements Workload {
    private static final long GOLDEN = 0x9E37_79B9_7F4A_7C15L;

    @Override
    public long length() {
        return 0;
    }

    @Override
    public References references(long first, int step) {
        return new Drawn(keys, seed, first, step);
    }

    private static final class Drawn implements References {
        private final int keys;
        private final long begin;
        private final int step;
        private long n;

        Drawn(int keys, long seed, long first, int step) {
            this.keys = keys;
            this.begin = mixed(seed * GOLDEN);
            this.step = step;
            this.n = first;
        }

        @Override
        public int next() {
            long hash = mixed(begin + n * GOLDEN);
            n += step;
            return (int) (((hash >>> 32) * keys) >>> 32);
        }
    }

    /** The finalizer of SplitMix64 (Stafford's variant 13). */
    private static long mixed(long value) {
        long z = (value ^ (value >>> 30)) * 0xBF58_476D_1CE4_E5B9L;
        z = (z ^ (z >>> 27)) * 0x94D0_49BB_1331_11EBL;
        return z ^ (z >>> 31);
    }
}
