// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.policy;

import java.util.concurrent.locks.Lock;

/**
 * {@link BpWrapper} with lossy hit buffers: a hit never waits for the policy's lock, and a miss does not replay hits.
 *
 * <ul>
 *   <li>A hit is added to its thread's queue. Once the queue has reached the threshold, each further hit tries the
 *       lock; with the lock its thread replays the queue. While another thread holds the lock the hit only queues. A
 *       hit is <i>lost</i> to the policy if its queue is full, or if other threads own that queue and the next ones.
 *       If a thread is descheduled while it holds the lock, the others lose all but their first 64 hits until it
 *       resumes.
 *   <li>A miss takes the lock for its victim alone. Queued hits, at most one queue for each stripe, are replayed when
 *       a thread of that stripe reaches the threshold. In BP-Wrapper as published a miss replays them first, so lock
 *       times grow with the fraction of misses.
 * </ul>
 *
 * <p>Source: the read buffer of Caffeine, B. Manes (striped, bounded, lossy, drained by one thread).
 */
final class LossyHitBuffer extends Queueing {
    private static final int QUEUE = 64;
    private static final int THRESHOLD = 32;

    /** Null if hits are not prefetched. */
    private final PrefetchablePolicy prefetchable;

    /**
     * Wraps a policy.
     *
     * @param policy a single-threaded policy
     * @param lock its lock
     * @param frames the number of frames of the pool
     */
    LossyHitBuffer(ReplacementPolicy policy, Lock lock, int frames) {
        super(policy, lock, frames, QUEUE);
        this.prefetchable = prefetchable(Batching.isWorthPrefetching(frames));
    }

    @Override
    public void onHit(int frame) {
        int queue = queues.own();
        if (queue == HitQueues.NONE_FREE) {
            return;
        }
        try {
            int length = queues.length(queue);
            if (length < QUEUE) {
                length = queues.add(queue, frame);
            }
            if (length >= THRESHOLD) {
                drain(queue, length);
            }
        } finally {
            queues.disown(queue);
        }
    }

    private void drain(int queue, int length) {
        if (prefetchable != null && length == THRESHOLD) {
            use(queues.prefetch(queue, prefetchable));
        }
        if (lock().tryLock()) {
            try {
                queues.replay(queue, policy());
            } finally {
                lock().unlock();
            }
        }
    }

    @Override
    public void onLoad(int frame, long identity, int generation) {
        lock().lock();
        try {
            load(frame, identity, generation);
        } finally {
            lock().unlock();
        }
    }
}
