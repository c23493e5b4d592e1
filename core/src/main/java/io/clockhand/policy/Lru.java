// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.policy;

import java.util.function.IntConsumer;

/**
 * Least recently used: a list of frames from the most to the least recently used; the victim is the last that can be
 * claimed. Frames that cannot keep their place.
 *
 * <p>Single-threaded: {@link Locked} makes it safe for production.
 */
final class Lru implements ReplacementPolicy {
    private static final int LIST = 0;

    private final FrameLists lists = new FrameLists(1);

    Lru(int frames) {
        onCapacity(frames);
    }

    @Override
    public int weightCap() {
        return 0;
    }

    @Override
    public boolean observesHits() {
        return true;
    }

    @Override
    public void onLoad(int frame, long identity, int generation) {
        lists.addFirst(LIST, frame);
    }

    @Override
    public void onHit(int frame) {
        if (lists.listOf(frame) != FrameLists.NONE) {
            lists.moveToFront(frame);
        }
    }

    @Override
    public void onRemove(int frame) {
        lists.remove(frame);
    }

    @Override
    public int evict(long incomingIdentity, Claims claims) {
        for (int frame = lists.last(LIST); frame != FrameLists.NONE; frame = lists.before(frame)) {
            if (claims.tryClaim(frame)) {
                lists.remove(frame);
                return frame;
            }
        }
        return NONE;
    }

    /** Puts the frame back at the cold end, where it was taken. */
    @Override
    public void onDeclined(int frame) {
        lists.addLast(LIST, frame);
    }

    @Override
    public void onCapacity(int frames) {
        lists.ensureFrames(frames);
    }

    @Override
    public int coldest(int max, IntConsumer sink) {
        int named = 0;
        for (int frame = lists.last(LIST); frame != FrameLists.NONE && named < max; frame = lists.before(frame)) {
            sink.accept(frame);
            named++;
        }
        return named;
    }
}
