// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.policy;

import java.util.Arrays;
import java.util.function.IntConsumer;

/**
 * 2Q, the full version: pages come into <i>A1in</i>, a queue of a quarter of the frames. Those that leave it are remembered in
 * <i>A1out</i>, as many as half of the frames; a page that comes again while it is remembered goes to <i>Am</i>, a list from the
 * most to the least recently used. A hit in A1in changes nothing.
 *
 * <p>The page that comes is taken out of A1out before the one that goes is put in, says the paper. Here it is taken out when it has come, so
 * that a read that fails forgets nothing; till then A1out may hold one page more.
 *
 * <p>Single-threaded, as all list policies.
 *
 * <p>Source: T. Johnson, D. Shasha, 2Q: A Low Overhead High Performance Buffer Management Replacement Algorithm, VLDB 1994, Fig. 3.
 */
final class TwoQ implements ReplacementPolicy, SelfChecking {
    private static final int A1_IN = 0;
    private static final int AM = 1;

    private final FrameLists lists = new FrameLists(2);
    private final Ghosts a1Out = new Ghosts(0);
    private int mostIn;
    private int mostOut;
    /** By frame: the page that is in it, or was at last. */
    private long[] pages = {};
    /** By frame that has left its list: which it was. */
    private int[] cameFrom = {};

    TwoQ(int frames) {
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
        boolean returns = a1Out.take(identity);
        a1Out.trim(mostOut);
        pages[frame] = identity;
        lists.addFirst(returns ? AM : A1_IN, frame);
    }

    @Override
    public void onHit(int frame) {
        if (lists.listOf(frame) == AM) {
            lists.moveToFront(frame);
        }
    }

    @Override
    public int touch(int frame) {
        return lists.touchIn(AM, frame);
    }

    @Override
    public void onRemove(int frame) {
        if (lists.listOf(frame) != FrameLists.NONE) {
            cameFrom[frame] = lists.remove(frame);
        }
    }

    /** Reclaims a frame. */
    @Override
    public int evict(long incomingIdentity, Claims claims) {
        int preferred = lists.size(A1_IN) > mostIn || lists.size(AM) == 0 ? A1_IN : AM;
        int victim = lists.claimLast(preferred, claims);
        if (victim == FrameLists.NONE) {
            victim = lists.claimLast(preferred == A1_IN ? AM : A1_IN, claims);
        }
        if (victim != FrameLists.NONE) {
            cameFrom[victim] = lists.remove(victim);
            if (cameFrom[victim] == A1_IN) {
                a1Out.add(pages[victim]);
            }
        }
        return victim;
    }

    /** Puts the frame back where it was taken, and forgets what was remembered of it. */
    @Override
    public void onDeclined(int frame) {
        if (cameFrom[frame] == A1_IN) {
            a1Out.take(pages[frame]);
        }
        lists.addLast(cameFrom[frame], frame);
    }

    @Override
    public void onCapacity(int frames) {
        mostIn = Math.max(1, frames / 4);
        mostOut = Math.max(1, frames / 2);
        a1Out.limit(mostOut + 1);
        lists.ensureFrames(frames);
        if (frames > pages.length) {
            cameFrom = Arrays.copyOf(cameFrom, frames);
            pages = Arrays.copyOf(pages, frames); // the last, since it is what is looked at: memory may run out before
        }
    }

    @Override
    public int coldest(int max, IntConsumer sink) {
        int named = lists.nameLast(A1_IN, max, sink);
        return named + lists.nameLast(AM, max - named, sink);
    }

    @Override
    public void checkIntegrity() {
        lists.checkIntegrity();
        a1Out.checkIntegrity();
    }
}
