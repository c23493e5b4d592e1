// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.bpwrapper.driver;

import io.clockhand.policy.Claims;
import io.clockhand.policy.PrefetchablePolicy;
import io.clockhand.policy.ReplacementPolicy;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.IntConsumer;

/**
 * Counts the hits that a policy for one thread records: a form may lose some. The policy's lock guards it; only the
 * count, written under the lock with opaque order, may be read by anybody.
 */
final class RecordedHits implements PrefetchablePolicy {
    private final ReplacementPolicy policy;
    private final AtomicLong count = new AtomicLong();

    RecordedHits(ReplacementPolicy policy) {
        this.policy = policy;
    }

    /** So far. */
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
