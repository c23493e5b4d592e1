// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.testing;

import io.clockhand.policy.Claims;
import io.clockhand.policy.ReplacementPolicy;
import java.util.function.IntConsumer;

/** A policy that forwards every call to another one; tests override the call that differs. */
public class ForwardingPolicy implements ReplacementPolicy {
    private final ReplacementPolicy policy;

    protected ForwardingPolicy(ReplacementPolicy policy) {
        this.policy = policy;
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
        policy.onLoad(frame, identity, generation);
    }

    @Override
    public void onHit(int frame) {
        policy.onHit(frame);
    }

    @Override
    public void onRemove(int frame) {
        policy.onRemove(frame);
    }

    @Override
    public int evict(long identity, Claims claims) {
        return policy.evict(identity, claims);
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
