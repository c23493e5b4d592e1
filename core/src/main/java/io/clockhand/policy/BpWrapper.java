// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.policy;

import java.util.concurrent.locks.Lock;

/**
 * BP-Wrapper: makes a single-threaded policy nearly free of contention for its lock, unchanged.
 *
 * <ul>
 *   <li><i>Batching</i>: a hit is put in a queue. When the queue has as many hits as the threshold says, the thread tries the lock; if
 *       another one has it, it goes on until the queue is full, and only then waits. With the lock it tells the policy of all the hits in their
 *       order. A miss takes the lock, tells of the hits that wait in the thread's queue, then does what it came for.
 *   <li><i>Prefetching</i>: before the lock is asked for, what the policy will change is {@linkplain ReplacementPolicy#touch read}. (As published it always is;
 *       here {@link Batching} says whether.)
 * </ul>
 *
 * <p>One thread alone has the same hits as with the bare policy, since its hits are told before each of its misses.
 *
 * <p>The paper's queues are private to a thread; here a thread that finds its {@linkplain HitQueues queue} owned takes one of the next, and if
 * those are owned, too, it waits for the lock with its one hit.
 *
 * <p>Source: X. Ding, S. Jiang, X. Zhang, BP-Wrapper: A System Framework Making Any Replacement Algorithms (Almost) Lock Contention Free,
 * ICDE 2009, section III, Fig. 4.
 */
final class BpWrapper extends Queueing {
    private final Batching batching;

    /**
     * Wraps a policy.
     *
     * @param policy a single-threaded policy
     * @param lock its lock
     * @param frames how many frames the pool has
     */
    BpWrapper(ReplacementPolicy policy, Lock lock, int frames, Batching batching) {
        super(policy, lock, frames, batching.queueSize());
        this.batching = batching;
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
            if (length < queues.capacity()) { // it is full if the lock could not be had when it became so
                length = queues.add(queue, frame);
            }
            if (length >= batching.threshold()) {
                commit(queue, length);
            }
        } finally {
            queues.disown(queue);
        }
    }

    /** Tells the policy of the hits in a full queue, and of those in one that has reached the threshold if the lock is free. */
    private void commit(int queue, int length) {
        boolean full = length == queues.capacity();
        if (full || length == batching.threshold()) {
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
        if (batching.prefetch() && queue != HitQueues.NONE_FREE) {
            use(queues.touch(queue, policy()));
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

    /** The thread's queue if there are hits in it and nobody else owns it. */
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
