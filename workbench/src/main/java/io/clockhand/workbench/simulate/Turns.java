// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.simulate;

import io.clockhand.workbench.workload.Workload;

/**
 * The references of several threads as one thread can play them: thread t of N has the references n with n mod N = t,
 * and the threads take turns of 16 references, as in replay; one that has none left is skipped. Not thread-safe.
 */
final class Turns {
    private static final int TURN = 16;

    private final Workload.References[] references;
    private final long[] left;
    private final long count;
    private int thread = -1;
    private long leftOfTurn;

    /** Deals the references {@code from} to {@code to - 1} of a workload. */
    Turns(Workload workload, int threads, long from, long to) {
        this.references = new Workload.References[threads];
        this.left = new long[threads];
        this.count = to - from;
        for (int t = 0; t < threads; t++) {
            long first = from + Math.floorMod(t - from, (long) threads);
            references[t] = workload.references(first, threads);
            left[t] = first < to ? (to - first - 1) / threads + 1 : 0;
        }
    }

    long count() {
        return count;
    }

    /** The key of the next reference, or its complement if it is a write; may be asked {@link #count} times. */
    int next() {
        if (leftOfTurn == 0) {
            pass();
        }
        leftOfTurn--;
        return references[thread].next();
    }

    private void pass() {
        do {
            thread = thread + 1 < left.length ? thread + 1 : 0;
        } while (left[thread] == 0);
        leftOfTurn = Math.min(TURN, left[thread]);
        left[thread] -= leftOfTurn;
    }
}
