// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.internal.pool;

import io.clockhand.policy.Claims;
import io.clockhand.policy.ReplacementPolicy;
import java.util.function.IntConsumer;

/**
 * The policy of a pool, which can be exchanged for another one while threads call it.
 *
 * <p>{@code current} is written by {@link #set} alone, by one thread at a time, and read by all (volatile). A thread
 * may be in a call of the earlier policy when the next one is set, and so leave the next one without a frame that it
 * has loaded, or with one that it has claimed:
 * <ul>
 * <li><b>Loads.</b> The thread that exchanges the policy sets it first and reads the state of each frame afterwards.
 * A frame whose load went to the earlier policy is pinned and has no content by then, or has its content already. It
 * waits for the content, pins the frame, and calls {@link #onLoad} of the next policy itself. A
 * thread that takes a frame that it has seen free takes it after that, and so finds the next policy.
 * <li><b>Claims.</b> A thread that has claimed a frame reads {@code current} again. If the next policy is set by then,
 * it may list the frame, so the thread removes it there. If not, the next policy is set after the claim, and the
 * thread that exchanges the policies finds the frame claimed, and waits until the claim has ended.
 * </ul>
 * So no two threads call the next policy for one frame at the same time, except for late hits, which policies accept.
 *
 * <p>{@code weightCap} and {@code tracksAccesses} are those of {@code current}, asked for once, as policies may expect.
 * They are written before it. A thread that still has the earlier ones adds a weight that nobody reads, or adds none,
 * or records a hit for nothing, or records none: no more than a lost hit. Thread-safe.
 */
final class CurrentPolicy implements ReplacementPolicy {
    private volatile ReplacementPolicy current;
    private volatile int weightCap;
    private volatile boolean tracksAccesses;

    CurrentPolicy(ReplacementPolicy policy) {
        set(policy);
    }

    void set(ReplacementPolicy next) {
        set(next, () -> {});
    }

    /**
     * Changes nothing if the policy throws.
     *
     * @param before run when the policy has been asked, and is not in force yet
     */
    void set(ReplacementPolicy next, Runnable before) {
        int cap = next.weightCap();
        boolean tracks = next.tracksAccesses();
        before.run();
        weightCap = cap;
        tracksAccesses = tracks;
        current = next;
    }

    @Override
    public boolean allowsReadAhead() {
        return current.allowsReadAhead();
    }

    @Override
    public int weightCap() {
        return weightCap;
    }

    @Override
    public boolean tracksAccesses() {
        return tracksAccesses;
    }

    @Override
    public void onLoad(int frame, long identity, int generation) {
        current.onLoad(frame, identity, generation);
    }

    @Override
    public void onHit(int frame) {
        current.onHit(frame);
    }

    @Override
    public void onRemove(int frame) {
        ReplacementPolicy called = current;
        called.onRemove(frame);
        removeFromNext(frame, called);
    }

    @Override
    public int evict(long incomingIdentity, Claims claims) {
        ReplacementPolicy called = current;
        int frame = called.evict(incomingIdentity, claims);
        if (frame != NONE) {
            removeFromNext(frame, called);
        }
        return frame;
    }

    @SuppressWarnings("ReferenceEquality") // the very policy
    private void removeFromNext(int frame, ReplacementPolicy called) {
        ReplacementPolicy next = current;
        if (next != called) {
            next.onRemove(frame);
        }
    }

    @Override
    public void onDeclined(int frame) {
        current.onDeclined(frame);
    }

    @Override
    public void onClean(int frame) {
        current.onClean(frame);
    }

    @Override
    public void onCapacity(int frames) {
        current.onCapacity(frames);
    }

    @Override
    public int coldest(int max, IntConsumer sink) {
        return current.coldest(max, sink);
    }
}
