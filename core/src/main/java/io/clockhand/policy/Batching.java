// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.policy;

/**
 * How BP-Wrapper batches hits. Immutable.
 *
 * @param queueSize how many hits a queue holds: when it is full its thread waits for the lock; 1 to 4096
 * @param threshold from how many hits in a queue on its thread takes the lock if that is free; 1 to {@code queueSize}
 * @param prefetch whether what the policy will change is read before the lock is asked for
 */
public record Batching(int queueSize, int threshold, boolean prefetch) {
    /** The paper's: queues of 64 hits, a threshold of 32, with prefetching. */
    public static final Batching PUBLISHED = new Batching(64, 32, true);

    /**
     * From so many frames on their links, 16 bytes each, are more than the caches of a processor hold. With fewer of them the reads cost more than they
     * save: the lines are there, or are another core's, and to read them first and change them then moves them twice.
     */
    private static final int FRAMES_WORTH_PREFETCHING = 1 << 19;

    private static final int GREATEST_QUEUE = 4096;

    /**
     * Checks the numbers.
     *
     * @param queueSize how many hits a queue holds
     * @param threshold from how many on the lock is tried
     * @param prefetch whether the policy's links are read before that
     * @throws IllegalArgumentException if one is out of its range
     */
    public Batching {
        if (queueSize < 1 || queueSize > GREATEST_QUEUE) {
            throw new IllegalArgumentException("a queue holds 1 to " + GREATEST_QUEUE + " hits, not " + queueSize);
        }
        if (threshold < 1 || threshold > queueSize) {
            throw new IllegalArgumentException(
                    "the threshold is 1 to the size of a queue, " + queueSize + ", not " + threshold);
        }
    }

    /**
     * {@return the paper's numbers, with prefetching where it pays}
     *
     * @param frames how many frames the pool has
     */
    static Batching of(int frames) {
        return new Batching(PUBLISHED.queueSize, PUBLISHED.threshold, isWorthPrefetching(frames));
    }

    /** {@return whether it pays to read what the policy will change before its lock is asked for} */
    static boolean isWorthPrefetching(int frames) {
        return frames >= FRAMES_WORTH_PREFETCHING;
    }
}
