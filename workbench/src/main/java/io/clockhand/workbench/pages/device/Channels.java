// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.pages.device;

import io.clockhand.workbench.workload.Hash;
import java.util.Arrays;

/**
 * The channels of a device, each of which serves one request at a time. Requests are served in the order in which they
 * come, each by the channel that is free first. Thread-safe.
 *
 * <p>They only keep account: a request gets the moment of its end when it comes, and its own thread waits for that. The
 * time for which request n is served depends on its kind, on the seed and on n alone. Moments are those of {@link
 * System#nanoTime}.
 */
final class Channels {
    private static final double HALF = 0x1p63;

    private final double jitter;
    /** Where the random numbers begin. */
    private final long begin;

    /** The end of the last request of each channel: a heap, the earliest first. */
    private final long[] free;
    /** How long all requests are served. */
    private long busy;

    private long requests;

    /**
     * Makes idle channels.
     *
     * @param jitter the part of its time by which a request is longer or shorter at most
     */
    Channels(int count, double jitter, long seed, long now) {
        this.jitter = jitter;
        this.begin = Hash.begin(seed);
        this.free = new long[count];
        Arrays.fill(free, now);
    }

    /**
     * Accepts a request.
     *
     * @param nanos how long requests of its kind are served in the mean
     * @return when it ends
     */
    synchronized long accept(long now, double nanos) {
        long service = Math.round(nanos * (1 + jitter * (Hash.of(begin, requests++) / HALF)));
        long end = (free[0] - now > 0 ? free[0] : now) + service;
        busy += service;
        replaceFirst(end);
        return end;
    }

    private void replaceFirst(long end) {
        int at = 0;
        for (int child = 1; child < free.length; child = 2 * at + 1) {
            if (child + 1 < free.length && free[child + 1] - free[child] < 0) {
                child++;
            }
            if (end - free[child] <= 0) {
                break;
            }
            free[at] = free[child];
            at = child;
        }
        free[at] = end;
    }

    /** How long they have been busy up to now, together: what they have accepted, less what is still to be done. */
    synchronized long busy(long now) {
        long left = 0;
        for (long end : free) {
            left += Math.max(0, end - now);
        }
        return busy - left;
    }
}
