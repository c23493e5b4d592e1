// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.policy;

import java.util.concurrent.locks.Lock;

/**
 * A single-threaded policy under one lock, of which hits wait in {@link HitQueues} until it is told of them. Which thread tells it, and when, is for
 * the subclass to say.
 *
 * <p>For the words that are shared see {@link HitQueues}; all else is guarded by the lock. Nothing is allocated, but by a
 * lock that queues who waits for it.
 */
abstract sealed class Queueing extends Locked permits BpWrapper, BufferedHits {
    final HitQueues queues;

    /**
     * Makes empty queues.
     *
     * @param frames how many frames the pool has
     * @param queueSize how many hits a queue holds
     */
    Queueing(ReplacementPolicy policy, Lock lock, int frames, int queueSize) {
        super(policy, lock);
        queues = new HitQueues(queueSize);
        queues.ensureFrames(frames);
    }

    /** Tells of a load, by which hits of what the frame held before become stale; for who holds the lock. */
    final void load(int frame, long identity, int generation) {
        queues.onLoad(frame, generation);
        policy().onLoad(frame, identity, generation);
    }

    @Override
    public final void onCapacity(int frames) {
        lock().lock();
        try {
            queues.ensureFrames(frames);
            policy().onCapacity(frames);
        } finally {
            lock().unlock();
        }
    }
}
