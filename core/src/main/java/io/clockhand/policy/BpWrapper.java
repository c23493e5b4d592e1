// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.policy;

import java.util.concurrent.locks.Lock;

/**
 * BP-Wrapper: makes an unchanged single-threaded policy nearly free of lock contention.
 *
 * <ul>
 *   <li><i>Batching</i>: a hit is added to a queue. Once the queue has reached the threshold, each further hit tries
 *       the lock; while another thread holds it, the hit only queues, until the queue is full and the thread waits.
 *       With the lock it replays all queued hits in their order. A miss takes the lock and replays the hits that wait
 *       in the thread's queue before it evicts or loads.
 *   <li><i>Prefetching</i>: before it waits for the lock, a thread {@linkplain PrefetchablePolicy#prefetch reads}
 *       what the policy will change. (As published it always does; here {@link Batching} decides.)
 * </ul>
 *
 * <p>A single thread has the same hits as with the bare policy, since its hits are replayed before each of its misses.
 *
 * <p>The paper's queues are private to a thread. Here a thread that finds its {@linkplain HitQueues queue} owned
 * takes one of the next; if those are owned as well, it waits for the lock with its one hit.
 *
 * <p>Source: X. Ding, S. Jiang, X. Zhang, BP-Wrapper: A System Framework Making Any Replacement Algorithms (Almost)
 * Lock Contention Free, ICDE 2009, section III, Fig. 4.
 */
final class BpWrapper extends Queueing {
    private final int threshold;
    /** Null if hits are not prefetched. */
    private final PrefetchablePolicy prefetchable;

    /**
     * Wraps a policy.
     *
     * @param policy a single-threaded policy
     * @param lock its lock
     * @param frames the number of frames of the pool
     */
    BpWrapper(ReplacementPolicy policy, Lock lock, int frames, Batching batching) {
        super(policy, lock, frames, batching.queueSize());
        this.threshold = batching.threshold();
        this.prefetchable = prefetchable(batching.prefetch());
    }

    @Override
    public void onHit(int frame) {
        int queue = queues.own();
        if (queue == HitQueues.NONE_FREE) {
            super.onHit(frame);
            return;
        }
        try {
            int length = queues.length(queue);
            if (length < queues.capacity()) { // it is still full if lock() threw when it became so
                length = queues.add(queue, frame);
            }
            if (length >= threshold) {
                commit(queue, length);
            }
        } finally {
            queues.disown(queue);
        }
    }

    /** Replays a full queue, and one that has reached the threshold if the lock is free. */
    private void commit(int queue, int length) {
        boolean full = length == queues.capacity();
        if (full || length == threshold) {
            prefetch(queue);
        }
        if (!lock().tryLock()) {
            if (!full) {
                return;
            }
            lock().lock();
        }
        try {
            queues.replay(queue, policy());
        } finally {
            lock().unlock();
        }
    }

    private void prefetch(int queue) {
        if (prefetchable != null && queue != HitQueues.NONE_FREE) {
            use(queues.prefetch(queue, prefetchable));
        }
    }

    @Override
    public int evict(long incomingIdentity, Claims claims) {
        int queue = ownToReplay();
        try {
            prefetch(queue);
            lock().lock();
            try {
                replay(queue);
                return policy().evict(incomingIdentity, claims);
            } finally {
                lock().unlock();
            }
        } finally {
            disown(queue);
        }
    }

    @Override
    public void onLoad(int frame, long identity, int generation) {
        int queue = ownToReplay();
        try {
            prefetch(queue);
            lock().lock();
            try {
                try {
                    replay(queue);
                } finally {
                    load(frame, identity, generation);
                }
            } finally {
                lock().unlock();
            }
        } finally {
            disown(queue);
        }
    }

    /** {@return the thread's queue if it holds hits and no other thread owns it, or NONE_FREE} */
    private int ownToReplay() {
        int mine = HitQueues.mine();
        return queues.isEmpty(mine) || !queues.tryOwn(mine) ? HitQueues.NONE_FREE : mine;
    }

    private void replay(int queue) {
        if (queue != HitQueues.NONE_FREE) {
            queues.replay(queue, policy());
        }
    }

    private void disown(int queue) {
        if (queue != HitQueues.NONE_FREE) {
            queues.disown(queue);
        }
    }
}
