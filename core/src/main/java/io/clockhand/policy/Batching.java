// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.policy;

/**
 * How BP-Wrapper batches hits. Immutable.
 *
 * @param queueSize the number of hits that a queue holds: when it is full, its thread waits for the lock; 1 to 4096
 * @param threshold the number of hits in a queue from which its thread tries the lock; 1 to {@code queueSize}
 * @param prefetch whether a thread reads what the policy will change before it waits for the lock; without effect
 *     unless the policy is a {@link PrefetchablePolicy}
 */
public record Batching(int queueSize, int threshold, boolean prefetch) {
    /** The paper's: queues of 64 hits, a threshold of 32, with prefetching. */
    public static final Batching PUBLISHED = new Batching(64, 32, true);

    /**
     * From this number of frames on, their links, 16 bytes each, exceed the caches of a processor. With fewer frames
     * the lines are cached, here or by another core; to read them first and then change them would move them twice.
     */
    private static final int FRAMES_WORTH_PREFETCHING = 1 << 19;

    private static final int GREATEST_QUEUE = 4096;

    /**
     * Checks the numbers.
     *
     * @param queueSize the number of hits that a queue holds
     * @param threshold the number of hits from which the lock is tried
     * @param prefetch whether the policy's links are read before that
     * @throws IllegalArgumentException if a number is out of its range
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
     * @param frames the number of frames of the pool
     */
    static Batching of(int frames) {
        return new Batching(PUBLISHED.queueSize, PUBLISHED.threshold, isWorthPrefetching(frames));
    }

    /** {@return whether it pays to read what the policy will change before waiting for its lock} */
    static boolean isWorthPrefetching(int frames) {
        return frames >= FRAMES_WORTH_PREFETCHING;
    }
}
