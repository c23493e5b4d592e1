// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.policy;

import java.util.concurrent.locks.Lock;

/**
 * A single-threaded policy under one lock, whose hits wait in {@link HitQueues} until they are replayed. Which thread
 * replays them, and when, is decided by the subclass.
 *
 * <p>For the words that threads share see {@link HitQueues}; all else is guarded by the lock. Nothing is allocated,
 * except by a lock that queues its waiters.
 */
abstract sealed class Queueing extends Locked permits BpWrapper, LossyHitBuffer {
    final HitQueues queues;

    /**
     * Makes empty queues.
     *
     * @param frames the number of frames of the pool
     * @param queueSize the number of hits that a queue holds
     */
    Queueing(ReplacementPolicy policy, Lock lock, int frames, int queueSize) {
        super(policy, lock);
        queues = new HitQueues(queueSize);
        queues.onCapacity(frames);
    }

    /** {@return the policy if hits are to be prefetched and it can do that, or null} */
    final PrefetchablePolicy prefetchable(boolean wanted) {
        return wanted && policy() instanceof PrefetchablePolicy prefetchable ? prefetchable : null;
    }

    /** Records a load, which makes queued hits on the frame's earlier content stale. The caller holds the lock. */
    final void load(int frame, long identity, int generation) {
        queues.onLoad(frame, generation);
        policy().onLoad(frame, identity, generation);
    }

    @Override
    public final void onCapacity(int frames) {
        lock().lock();
        try {
            queues.onCapacity(frames);
            policy().onCapacity(frames);
        } finally {
            lock().unlock();
        }
    }
}
