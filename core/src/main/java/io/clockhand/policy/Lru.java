// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.policy;

import java.util.Arrays;
import java.util.function.IntConsumer;

/**
 * Least recently used: a list of frames from the most to the least recently used; the victim is the last that can be
 * claimed. Frames that cannot keep their place.
 *
 * <p>Single-threaded: {@link Locked} makes it safe for production. Two int arrays hold the list; frame numbers are
 * shifted by one, since slot 0 is its head.
 */
final class Lru implements ReplacementPolicy {
    private static final int HEAD = 0;
    private static final int UNLINKED = -1;

    private int[] next = {HEAD};
    private int[] previous = {HEAD};

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
        linkAfter(HEAD, frame + 1);
    }

    @Override
    public void onHit(int frame) {
        int slot = frame + 1;
        if (isLinked(slot) && next[HEAD] != slot) {
            unlink(slot);
            linkAfter(HEAD, slot);
        }
    }

    @Override
    public void onRemove(int frame) {
        if (isLinked(frame + 1)) {
            unlink(frame + 1);
        }
    }

    @Override
    public int evict(long incomingIdentity, Claims claims) {
        for (int slot = previous[HEAD]; slot != HEAD; slot = previous[slot]) {
            if (claims.tryClaim(slot - 1)) {
                unlink(slot);
                return slot - 1;
            }
        }
        return NONE;
    }

    /** Puts the frame back at the cold end, where it was taken. */
    @Override
    public void onDeclined(int frame) {
        linkAfter(previous[HEAD], frame + 1);
    }

    @Override
    public void onCapacity(int frames) {
        int had = next.length;
        if (frames + 1 > had) {
            int[] grownNext = Arrays.copyOf(next, frames + 1);
            int[] grownPrevious = Arrays.copyOf(previous, frames + 1);
            Arrays.fill(grownNext, had, frames + 1, UNLINKED);
            next = grownNext;
            previous = grownPrevious;
        }
    }

    @Override
    public int coldest(int max, IntConsumer sink) {
        int named = 0;
        for (int slot = previous[HEAD]; slot != HEAD && named < max; slot = previous[slot]) {
            sink.accept(slot - 1);
            named++;
        }
        return named;
    }

    private boolean isLinked(int slot) {
        return next[slot] != UNLINKED;
    }

    private void linkAfter(int at, int slot) {
        int after = next[at];
        next[at] = slot;
        previous[slot] = at;
        next[slot] = after;
        previous[after] = slot;
    }

    private void unlink(int slot) {
        next[previous[slot]] = next[slot];
        previous[next[slot]] = previous[slot];
        next[slot] = UNLINKED;
    }
}
