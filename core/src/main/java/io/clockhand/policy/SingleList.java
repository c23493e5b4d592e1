// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.policy;

import java.util.function.IntConsumer;

/**
 * A policy with one list of frames. The victim is the last frame that can be claimed; a frame that is refused keeps
 * its place, or is set aside if it is dirty, and returns to the cold end when it is clean. Subclasses differ in where a
 * hit moves a frame.
 *
 * <p>Single-threaded, as all list policies: {@link Locked}, {@link BpWrapper} and {@link LossyHitBuffer} make them
 * thread-safe.
 */
abstract sealed class SingleList implements ReplacementPolicy, SelfChecking permits Fifo, Lru {
    private static final int LIST = 0;

    final FrameLists lists = new FrameLists(1);

    SingleList(int frames) {
        lists.ensureFrames(frames);
    }

    @Override
    public final void onLoad(int frame, long identity, int generation) {
        lists.addFirst(LIST, frame);
    }

    @Override
    public final void onRemove(int frame) {
        lists.remove(frame);
    }

    @Override
    public final int evict(long incomingIdentity, Claims claims) {
        int victim = lists.claimLast(LIST, claims);
        if (victim == FrameLists.NONE) {
            victim = lists.claimAside(LIST, claims);
        }
        if (victim != FrameLists.NONE) {
            lists.remove(victim);
        }
        return victim;
    }

    /** Puts the frame back at the cold end, where it was. */
    @Override
    public final void onDeclined(int frame) {
        lists.addLast(LIST, frame);
    }

    @Override
    public final void onClean(int frame) {
        lists.restore(frame);
    }

    @Override
    public final void onCapacity(int frames) {
        lists.ensureFrames(frames);
    }

    @Override
    public final int coldest(int max, IntConsumer sink) {
        return lists.nameLast(LIST, max, sink);
    }

    @Override
    public final void checkIntegrity() {
        lists.checkIntegrity();
    }
}
