// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.testkit;

/** Writes at a fixed rate: each takes the time of one page, and they follow one another. Thread-safe. */
final class WriteTurns {
    private static final double NANOS_PER_SECOND = 1e9;

    /** 0 without a rate. */
    private volatile long intervalNanos;

    private long lastEnd = System.nanoTime();

    void setRate(double pagesPerSecond) {
        if (!(pagesPerSecond > 0)) {
            throw new IllegalArgumentException(
                    "the write rate is " + pagesPerSecond + " pages per second; it must be positive");
        }
        intervalNanos = (long) (NANOS_PER_SECOND / pagesPerSecond);
    }

    /** {@return when the write of a page that begins now ends, as {@link System#nanoTime}} */
    long nextEnd(long now) {
        return intervalNanos == 0 ? now : queue(now);
    }

    private synchronized long queue(long now) {
        lastEnd = Math.max(now - lastEnd, 0) + lastEnd + intervalNanos;
        return lastEnd;
    }
}
