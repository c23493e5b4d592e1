// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.workload;

/** All keys alike: the key of reference n is a hash of n and the seed. */
record Uniform(int keys, long seed) implements Workload {
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
            this.begin = Hash.begin(seed);
            this.step = step;
            this.n = first;
        }

        @Override
        public int next() {
            long hash = Hash.of(begin, n);
            n += step;
            return (int) (((hash >>> 32) * keys) >>> 32);
        }
    }
}
