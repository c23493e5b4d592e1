// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.internal.advice;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * Striped queues of sampled references that wait to be played, with counts of all references. Bounded and lossy: a
 * sample is dropped if its queue is full or another thread owns it. No call waits or allocates. Thread-safe.
 *
 * <h2>Words</h2>
 *
 * Each stripe is one row of longs, padded at both ends by two cache lines. The id of a thread selects its stripe.
 *
 * <ul>
 *   <li><i>seen</i>, <i>missed</i>, <i>sampled</i>, <i>dropped</i>: counts, added to with opaque order and no atomic
 *       operation. If threads share a stripe some are lost; but then all kinds are lost alike, and their ratios stay.
 *   <li><i>owner</i>: 0 or 1. Set by CAS by the thread that becomes the owner, cleared with release order by it.
 *   <li><i>length</i> and <i>entries</i>: accessed by the owner only.
 * </ul>
 */
final class SampleQueues {
    private static final VarHandle LONGS = MethodHandles.arrayElementVarHandle(long[].class);

    /** Samples that a queue holds: so few that playing them takes microseconds. */
    static final int CAPACITY = 32;

    private static final int STRIPES = Integer.highestOneBit(
            Math.max(64, Math.min(1024, 8 * Runtime.getRuntime().availableProcessors())));

    /** Longs of two cache lines: processors prefetch lines in pairs. */
    private static final int PADDING = 16;

    private static final int SEEN = PADDING;
    private static final int SAMPLED = SEEN + 1;
    private static final int DROPPED = SEEN + 2;
    private static final int MISSED = SEEN + 3;
    private static final int OWNER = SEEN + 4;
    private static final int LENGTH = SEEN + 5;
    private static final int ENTRIES = SEEN + 6;

    private final long[][] stripes = new long[STRIPES][ENTRIES + CAPACITY + PADDING];

    /** Takes the samples of a queue. */
    interface Sink {
        /**
         * Takes samples, in their order. Must not throw.
         *
         * @param ids an array that holds them; not to be kept
         * @param from the index of the first
         * @param to the index after the last
         * @return whether they were taken; otherwise they stay
         */
        boolean take(long[] ids, int from, int to);
    }

    SampleQueues() {
        if (tryOwn(stripes[0])) { // the JVM needs memory to link its calls
            disown(stripes[0]);
        }
    }

    /** {@return the stripe of the current thread, with one more reference} */
    long[] count() {
        long[] stripe = mine();
        increment(stripe, SEEN);
        return stripe;
    }

    /** Counts a miss. */
    void countMiss() {
        increment(mine(), MISSED);
    }

    private long[] mine() {
        return stripes[(int) Thread.currentThread().getId() & (STRIPES - 1)];
    }

    /**
     * Adds a sample.
     *
     * @param stripe what {@link #count} has returned
     * @param id the page
     * @param sink takes the samples once the queue is full; null if it must not be called now
     */
    void add(long[] stripe, long id, Sink sink) {
        increment(stripe, SAMPLED);
        if (!tryOwn(stripe)) {
            increment(stripe, DROPPED);
            return;
        }
        try {
            int length = (int) stripe[LENGTH];
            if (length == CAPACITY && sink != null && sink.take(stripe, ENTRIES, ENTRIES + length)) {
                length = 0;
            }
            if (length < CAPACITY) {
                stripe[ENTRIES + length] = id;
                stripe[LENGTH] = length + 1L;
            } else {
                increment(stripe, DROPPED);
            }
        } finally {
            disown(stripe);
        }
    }

    /** Empties all queues that no other thread owns at the moment. */
    void drain(Sink sink) {
        for (long[] stripe : stripes) {
            if (tryOwn(stripe)) {
                try {
                    int length = (int) stripe[LENGTH];
                    if (length > 0 && sink.take(stripe, ENTRIES, ENTRIES + length)) {
                        stripe[LENGTH] = 0;
                    }
                } finally {
                    disown(stripe);
                }
            }
        }
    }

    /** {@return all references} */
    long seen() {
        return sum(SEEN);
    }

    /** {@return the misses of the cache} */
    long missed() {
        return sum(MISSED);
    }

    /** {@return the references that were sampled, also those that were dropped} */
    long sampled() {
        return sum(SAMPLED);
    }

    /** {@return the samples that were dropped} */
    long dropped() {
        return sum(DROPPED);
    }

    private long sum(int word) {
        long sum = 0;
        for (long[] stripe : stripes) {
            sum += (long) LONGS.getOpaque(stripe, word);
        }
        return sum;
    }

    private static void increment(long[] stripe, int word) {
        LONGS.setOpaque(stripe, word, (long) LONGS.getOpaque(stripe, word) + 1);
    }

    private static boolean tryOwn(long[] stripe) {
        return (long) LONGS.getOpaque(stripe, OWNER) == 0 && LONGS.compareAndSet(stripe, OWNER, 0L, 1L);
    }

    private static void disown(long[] stripe) {
        LONGS.setRelease(stripe, OWNER, 0L);
    }
}
