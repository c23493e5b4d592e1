// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.policy;

import java.util.Arrays;
import java.util.function.IntConsumer;

/**
 * SIEVE: a FIFO queue and a hand. A hit marks a frame and moves nothing. The hand moves from the oldest frame to the
 * youngest; it clears the mark of a frame, which stays in its place, and evicts the first one that has none. After the
 * youngest frame it begins again with the oldest. A page that is loaded is the youngest, and has no mark.
 *
 * <p>The queue is held in two lists: the frames that the hand has yet to meet, and behind them those that it has
 * passed. When the first list is empty, the two change their roles.
 *
 * <p>A frame in use that has no mark keeps its place, so the next search begins with it. A dirty one is set aside, and
 * is the next victim when it is clean; if the hand has begun again by then, it will be the first frame of the next
 * round.
 *
 * <p>Single-threaded, as all list policies.
 *
 * <p>Source: Y. Zhang, J. Yang, Y. Yue, Y. Vigfusson, K. V. Rashmi, SIEVE is Simpler than LRU: an Efficient Turn-Key
 * Eviction Algorithm for Web Caches, NSDI 2024, section 3, Algorithm 1.
 */
final class Sieve implements ReplacementPolicy, SelfChecking {
    /** The rounds after which each frame has been met without a mark: the rest of one, and two. */
    private static final int ROUNDS = 3;

    private final FrameLists lists = new FrameLists(2);
    /** The list of the frames that the hand has yet to meet; the other list has those that it has passed. */
    private int ahead;
    /** By frame: whether it was hit since it was loaded, or since the hand has met it. */
    private boolean[] marked = {};

    Sieve(int frames) {
        onCapacity(frames);
    }

    private int passed() {
        return 1 - ahead;
    }

    @Override
    public void onLoad(int frame, long identity, int generation) {
        if (lists.last(ahead) == FrameLists.NONE) { // the hand is at the end: this page comes after all others
            ahead = passed();
        }
        marked[frame] = false;
        lists.addFirst(ahead, frame);
    }

    @Override
    public void onHit(int frame) {
        marked[frame] = true; // onLoad clears the mark of a frame that is in no list
    }

    @Override
    public void onRemove(int frame) {
        lists.remove(frame);
    }

    @Override
    public int evict(long incomingIdentity, Claims claims) {
        int victim = turn(claims);
        if (victim == FrameLists.NONE) {
            victim = lists.claimAside(ahead, claims);
        }
        if (victim == FrameLists.NONE) {
            victim = lists.claimAside(passed(), claims);
        }
        if (victim != FrameLists.NONE) {
            lists.remove(victim);
        }
        return victim;
    }

    private int turn(Claims claims) {
        for (int round = 0; round < ROUNDS; round++) {
            int frame = lists.last(ahead);
            while (frame != FrameLists.NONE) {
                int before = lists.before(frame);
                Claims.Outcome outcome = marked[frame] ? Claims.Outcome.AGED : claims.claim(frame);
                switch (outcome) {
                    case CLAIMED -> {
                        return frame;
                    }
                    case AGED -> pass(frame);
                    case DIRTY -> lists.setAside(frame);
                    default -> {} // in use: it keeps its place
                }
                frame = before;
            }
            ahead = passed();
        }
        return FrameLists.NONE;
    }

    private void pass(int frame) {
        marked[frame] = false;
        lists.addFirst(passed(), frame);
    }

    /** Puts the frame back where the hand meets it next. */
    @Override
    public void onDeclined(int frame) {
        marked[frame] = false;
        lists.addLast(ahead, frame);
    }

    @Override
    public void onClean(int frame) {
        lists.restore(frame);
    }

    @Override
    public void onCapacity(int frames) {
        lists.ensureFrames(frames);
        if (frames > marked.length) {
            marked = Arrays.copyOf(marked, frames);
        }
    }

    @Override
    public int coldest(int max, IntConsumer sink) {
        int named = lists.nameLast(ahead, max, sink);
        return named + lists.nameLast(passed(), max - named, sink);
    }

    @Override
    public void checkIntegrity() {
        lists.checkIntegrity();
    }
}
