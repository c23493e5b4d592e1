// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.policy;

import java.util.concurrent.locks.Lock;
import java.util.function.IntConsumer;

/**
 * A single-threaded policy under one lock, which every hit and every miss acquires: the baseline of this project.
 */
class Locked implements ReplacementPolicy, SelfChecking {
    private final Lock lock;
    private final ReplacementPolicy policy;

    /**
     * Puts a policy under a lock.
     *
     * @param policy a single-threaded policy
     * @param lock its lock: one whose waiters park, or a {@link SpinLock}
     */
    Locked(ReplacementPolicy policy, Lock lock) {
        this.policy = policy;
        this.lock = lock;
    }

    /** {@return the lock whose holder may call the policy} */
    final Lock lock() {
        return lock;
    }

    /** {@return the policy; the caller holds the lock} */
    final ReplacementPolicy policy() {
        return policy;
    }

    /**
     * Uses the result of {@link PrefetchablePolicy#prefetch}, so that the compiler keeps the reads: it cannot know
     * that the spin-wait hint changes nothing.
     */
    static void use(int read) {
        if (read == Integer.MIN_VALUE) {
            Thread.onSpinWait();
        }
    }

    @Override
    public boolean allowsReadAhead() {
        return policy.allowsReadAhead();
    }

    @Override
    public int weightCap() {
        return policy.weightCap();
    }

    @Override
    public boolean tracksAccesses() {
        return policy.tracksAccesses();
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
    public void onClean(int frame) {
        lock.lock();
        try {
            policy.onClean(frame);
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

    @Override
    public void checkIntegrity() {
        lock.lock();
        try {
            if (policy instanceof SelfChecking structures) {
                structures.checkIntegrity();
            }
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void checkGhosts() {
        lock.lock();
        try {
            if (policy instanceof SelfChecking structures) {
                structures.checkGhosts();
            }
        } finally {
            lock.unlock();
        }
    }
}
