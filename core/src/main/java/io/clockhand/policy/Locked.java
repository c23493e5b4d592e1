// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.policy;

import java.util.concurrent.locks.Lock;
import java.util.function.IntConsumer;

/**
 * A single-threaded policy under one lock, taken for every hit and every miss: what buffer managers do without further
 * thought, and the baseline of this project.
 */
final class Locked implements ReplacementPolicy {
    private final Lock lock;
    private final ReplacementPolicy policy;

    /**
     * Puts a policy under a lock.
     *
     * @param policy a single-threaded policy
     * @param lock its lock: one that parks those who wait, or a {@link SpinLock}
     */
    Locked(ReplacementPolicy policy, Lock lock) {
        this.policy = policy;
        this.lock = lock;
    }

    @Override
    public int weightCap() {
        return policy.weightCap();
    }

    @Override
    public boolean observesHits() {
        return policy.observesHits();
    }

    @Override
    public void onLoad(int frame, long identity, int generation) {
        lock.lock();
        try {
            policy.onLoad(frame, identity, generation);
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void onHit(int frame) {
        lock.lock();
        try {
            policy.onHit(frame);
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void onRemove(int frame) {
        lock.lock();
        try {
            policy.onRemove(frame);
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void onDirty(int frame) {
        lock.lock();
        try {
            policy.onDirty(frame);
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void onClean(int frame) {
        lock.lock();
        try {
            policy.onClean(frame);
        } finally {
            lock.unlock();
        }
    }

    @Override
    public int evict(long incomingIdentity, Claims claims) {
        lock.lock();
        try {
            return policy.evict(incomingIdentity, claims);
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void onDeclined(int frame) {
        lock.lock();
        try {
            policy.onDeclined(frame);
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void onCapacity(int frames) {
        lock.lock();
        try {
            policy.onCapacity(frames);
        } finally {
            lock.unlock();
        }
    }

    @Override
    public int coldest(int max, IntConsumer sink) {
        lock.lock();
        try {
            return policy.coldest(max, sink);
        } finally {
            lock.unlock();
        }
    }
}
