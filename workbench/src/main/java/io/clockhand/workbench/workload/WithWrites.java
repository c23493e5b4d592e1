// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.workload;

/**
 * Another workload, of whose references a share are writes; those that it marks itself are not. Whether reference n is
 * one depends on n and the seed alone, so it is the same for any number of threads.
 */
public final class WithWrites implements Workload {
    /** So that writes have nothing to do with keys that are drawn by the same seed. */
    private static final long OF_WRITES = 0x5157_4954_4553_0001L;

    private static final long WHOLE = 1L << 32;

    private final Workload reads;
    private final long begin;
    private final long limit;

    /**
     * Makes a workload.
     *
     * @param percent the share of writes, from 0 to 100
     */
    public WithWrites(Workload reads, double percent, long seed) {
        this.reads = reads;
        this.begin = Hash.begin(seed ^ OF_WRITES);
        this.limit = Math.round(percent / 100 * WHOLE);
    }

    @Override
    public int keys() {
        return reads.keys();
    }

    /** As of the other: the keys begin anew, the writes do not. */
    @Override
    public long length() {
        return reads.length();
    }

    @Override
    public References references(long first, int step) {
        References keys = reads.references(first, step);
        return new References() {
            private long n = first;

            @Override
            public int next() {
                int marked = keys.next();
                int key = marked < 0 ? ~marked : marked;
                boolean isWrite = Hash.of(begin, n) >>> Integer.SIZE < limit;
                n += step;
                return isWrite ? ~key : key;
            }
        };
    }
}
