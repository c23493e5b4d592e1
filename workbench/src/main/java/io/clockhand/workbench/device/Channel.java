// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.device;

import io.clockhand.workbench.workload.Hash;

/**
 * A part of a device that serves one request at a time, in the order in which they come. Thread-safe.
 *
 * <p>It only keeps account: a request gets the moment of its end when it comes, and its own thread waits for that. The
 * time for which request n is served depends on its kind, on the seed and on n alone. Moments are those of {@link
 * System#nanoTime}.
 */
final class Channel {
    private static final double HALF = 0x1p63;

    private final double jitter;
    /** Where the random numbers of this channel begin. */
    private final long begin;

    /** The end of the last request. */
    private long free;
    /** How long all requests are served. */
    private long busy;

    private long requests;

    /**
     * Makes an idle channel.
     *
     * @param jitter the part of its time by which a request is longer or shorter at most
     * @param number among the channels of the device
     */
    Channel(double jitter, long seed, int number, long now) {
        this.jitter = jitter;
        this.begin = Hash.of(Hash.begin(seed), number);
        this.free = now;
    }

    /**
     * Accepts a request.
     *
     * @param nanos how long requests of its kind are served in the mean
     * @return when it ends
     */
    synchronized long accept(long now, double nanos) {
        long service = Math.round(nanos * (1 + jitter * (Hash.of(begin, requests++) / HALF)));
        free = (free - now > 0 ? free : now) + service;
        busy += service;
        return free;
    }

    /** How long it has been busy up to now: what it has accepted, less what is still to be done. */
    synchronized long busy(long now) {
        return busy - Math.max(0, free - now);
    }
}
