// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.bpwrapper;

import io.clockhand.policy.Claims;
import io.clockhand.policy.PrefetchablePolicy;
import io.clockhand.policy.ReplacementPolicy;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.IntConsumer;

/**
 * A lock that counts, for a policy, which requests it by {@link #lock} and {@link #tryLock()} alone. It counts:
 *
 * <ul>
 *   <li><i>acquisitions</i>: how often a thread got it, by waiting or by trying;
 *   <li><i>contentions</i>: how many requests had to wait, as the BP-Wrapper paper has it;
 *   <li><i>failed tries</i>, whatever the thread did next.
 * </ul>
 *
 * <p>The holder of the lock writes the first two with opaque order, and any thread may read them; the third is a sum of
 * stripes. So the counts are exact whenever no thread is at work, and otherwise as good as. Thread-safe.
 */
final class CountingLock extends ReentrantLock {
    /** Waiting threads spin until the lock is free, and never park. */
    static final int FOR_EVER = -1;

    private static final long serialVersionUID = 1;

    private final int spins;
    private final AtomicLong acquisitions = new AtomicLong();
    private final AtomicLong contentions = new AtomicLong();
    private final LongAdder failedTries = new LongAdder();

    /**
     * Makes a lock.
     *
     * @param spins how often waiting threads check it before they park, as with the lock that it stands for; {@link
     *     #FOR_EVER} to spin
     */
    CountingLock(int spins) {
        this.spins = spins;
    }

    @Override
    public void lock() {
        if (!super.tryLock()) {
            waitForIt();
            addOne(contentions);
        }
        addOne(acquisitions);
    }

    /** For the holder of the lock. */
    private static void addOne(AtomicLong count) {
        count.setOpaque(count.getPlain() + 1);
    }

    private void waitForIt() {
        for (int i = 0; spins == FOR_EVER || i < spins; i++) {
            if (!isLocked() && super.tryLock()) {
                return;
            }
            Thread.onSpinWait();
        }
        super.lock();
    }

    @Override
    public boolean tryLock() {
        boolean free = super.tryLock();
        if (free) {
            addOne(acquisitions);
        } else {
            failedTries.increment();
        }
        return free;
    }

    long acquisitions() {
        return acquisitions.getOpaque();
    }

    long contentions() {
        return contentions.getOpaque();
    }

    long failedTries() {
        return failedTries.sum();
    }

    /**
     * Counts the hits that a policy for one thread records: a form may lose some. The policy's lock guards it; only the
     * count, written under the lock with opaque order, may be read by anybody.
     */
    static final class RecordedHits implements PrefetchablePolicy {
        private final ReplacementPolicy policy;
        private final AtomicLong count = new AtomicLong();

        RecordedHits(ReplacementPolicy policy) {
            this.policy = policy;
        }

        long count() {
            return count.getOpaque();
        }

        @Override
        public void onHit(int frame) {
            count.setOpaque(count.getPlain() + 1);
            policy.onHit(frame);
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
            policy.onLoad(frame, identity, generation);
        }

        @Override
        public int prefetch(int frame) {
            return policy instanceof PrefetchablePolicy prefetchable ? prefetchable.prefetch(frame) : 0;
        }

        @Override
        public void onRemove(int frame) {
            policy.onRemove(frame);
        }

        @Override
        public int evict(long incomingIdentity, Claims claims) {
            return policy.evict(incomingIdentity, claims);
        }

        @Override
        public void onDeclined(int frame) {
            policy.onDeclined(frame);
        }

        @Override
        public void onClean(int frame) {
            policy.onClean(frame);
        }

        @Override
        public void onCapacity(int frames) {
            policy.onCapacity(frames);
        }

        @Override
        public int coldest(int max, IntConsumer sink) {
            return policy.coldest(max, sink);
        }
    }
}
