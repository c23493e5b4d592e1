// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.policy;

import java.lang.invoke.VarHandle;

/**
 * The JVM needs memory and stack to link a call when it is made first. So each call of {@link TwoRingGclock} that links
 * one is made once before a frame depends on it.
 */
final class RingRehearsal {
    private RingRehearsal() {}

    /** Makes the calls, on objects of its own. */
    static void run() {
        ListedFrames listed = new ListedFrames(1);
        listed.setPage(0, 0, 0);
        listed.list(0, ListedFrames.HOT, 0);
        listed.setStamp(0, listed.page(0) + listed.stamp(0));
        listed.cas(0, listed.word(0), ListedFrames.listed(ListedFrames.HOT, 0));
        listed.unlist(0, false);
        listed.evictedFor(0, listed.incoming(0), true);
        listed.keep(0, ListedFrames.COLD, 0);
        FrameCells cells = new FrameCells(1);
        int cell = cells.put(0, cells.hand());
        int last = cell;
        while (last != FrameCells.NONE) { // until all are full
            last = cells.put(0, cells.hand());
        }
        cells.tryMark(cell, cells.frame(cell));
        cells.unmark(cell, cells.unmarked(cell) + 1);
        RangedHand hand = new RangedHand(cells, 1);
        hand.end(hand.next(hand.begin()));
        cells.set(cell, 0);
        cells.clear(cell);
        StampedGhosts some = new StampedGhosts(1);
        some.put(1, 0);
        some.find(1, 0);
        some.take(1, 0);
        RingCounters counted = new RingCounters(1, true);
        counted.tick(0);
        counted.adapt(1);
        VarHandle.fullFence();
    }
}
