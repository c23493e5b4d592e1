// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.policy;

import java.util.concurrent.locks.Lock;

/**
 * The modern form of {@link BpWrapper}: hits never wait, and misses do not work for hits.
 *
 * <ul>
 *   <li>A hit is put in its thread's queue. From a threshold on, its thread tries the lock, and with it tells the policy of all hits in the queue.
 *       If another thread has the lock it just goes on. A hit is <i>lost</i> to the policy if its queue is full, or owned by another thread at
 *       this moment and the next ones, too. Where a thread loses its processor with the lock in its hands, the others lose all but their first 64 hits till it goes on.
 *   <li>A miss takes the lock for its victim alone. Those hits that still wait, at most a queue for each number that thread ids choose, come later, when a thread with this number has hits enough; under BP-Wrapper as
 *       published a miss tells the policy of them first, so that others wait for longer the more misses there are.
 * </ul>
 *
 * <p>Source: the read buffer of Caffeine, B. Manes (striped, bounded, lossy, one thread drains it).
 */
final class BufferedHits extends Queueing {
    private static final int QUEUE = 64;
    private static final int THRESHOLD = 32;

    private final boolean prefetch;

    /**
     * Wraps a policy.
     *
     * @param policy a single-threaded policy
     * @param lock its lock
     * @param frames how many frames the pool has
     */
    BufferedHits(ReplacementPolicy policy, Lock lock, int frames) {
        super(policy, lock, frames, QUEUE);
        this.prefetch = Batching.isWorthPrefetching(frames);
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
        if (prefetch && length == THRESHOLD) {
            use(queues.touch(queue, policy()));
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
