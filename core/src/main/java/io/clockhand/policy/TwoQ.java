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
 * <p>Single-threaded: {@link Locked} makes it safe for production.
 *
 * <p>Source: T. Johnson, D. Shasha, 2Q: A Low Overhead High Performance Buffer Management Replacement Algorithm, VLDB 1994, Fig. 3.
 */
final class TwoQ implements ReplacementPolicy {
    private static final int IN = 0;
    private static final int MAIN = 1;

    private final FrameLists lists = new FrameLists(2);
    private final Ghosts out = new Ghosts(0);
    private int mostIn;
    /** By frame: the page that is in it, or was at last. */
    private long[] pages = {};
    /** By frame that was chosen as a victim: the page that it is for, whether that was remembered, and the list that the frame was in. */
    private long[] incoming = {};

    private boolean[] returning = {};
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
        boolean returns = (returning[frame] && incoming[frame] == identity) || out.take(identity);
        returning[frame] = false;
        pages[frame] = identity;
        lists.addFirst(returns ? MAIN : IN, frame);
    }

    @Override
    public void onHit(int frame) {
        if (lists.listOf(frame) == MAIN) {
            lists.moveToFront(frame);
        }
    }

    @Override
    public void onRemove(int frame) {
        lists.remove(frame);
    }

    /** Reclaims a frame: the page that comes is taken out of A1out before the one that goes is put in. */
    @Override
    public int evict(long incomingIdentity, Claims claims) {
        int preferred = lists.size(IN) > mostIn || lists.size(MAIN) == 0 ? IN : MAIN;
        int victim = claimFrom(preferred, claims);
        if (victim == NONE) {
            victim = claimFrom(preferred == IN ? MAIN : IN, claims);
        }
        if (victim != NONE) {
            incoming[victim] = incomingIdentity;
            returning[victim] = out.take(incomingIdentity);
            cameFrom[victim] = lists.remove(victim);
            if (cameFrom[victim] == IN) {
                out.add(pages[victim]);
            }
        }
        return victim;
    }

    private int claimFrom(int list, Claims claims) {
        int frame = lists.last(list);
        while (frame != FrameLists.NONE && !claims.tryClaim(frame)) {
            frame = lists.before(frame);
        }
        return frame;
    }

    /** Puts the frame back where it was taken, and remembers what was remembered. */
    @Override
    public void onDeclined(int frame) {
        if (cameFrom[frame] == IN) {
            out.take(pages[frame]);
        }
        if (returning[frame]) {
            returning[frame] = false;
            out.add(incoming[frame]);
        }
        lists.addLast(cameFrom[frame], frame);
    }

    @Override
    public void onCapacity(int frames) {
        mostIn = Math.max(1, frames / 4);
        out.limit(Math.max(1, frames / 2));
        lists.ensureFrames(frames);
        if (frames > pages.length) {
            pages = Arrays.copyOf(pages, frames);
            incoming = Arrays.copyOf(incoming, frames);
            returning = Arrays.copyOf(returning, frames);
            cameFrom = Arrays.copyOf(cameFrom, frames);
        }
    }

    @Override
    public int coldest(int max, IntConsumer sink) {
        int named = name(IN, max, sink);
        return named + name(MAIN, max - named, sink);
    }

    private int name(int list, int max, IntConsumer sink) {
        int named = 0;
        for (int frame = lists.last(list); frame != FrameLists.NONE && named < max; frame = lists.before(frame)) {
            sink.accept(frame);
            named++;
        }
        return named;
    }
}
