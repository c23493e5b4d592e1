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
        listed.list(0, 0, 0, ListedFrames.COLD);
        listed.list(0, listed.page(0), listed.stamp(0), ListedFrames.COLD);
        long token = ListedFrames.token(0, listed.word(0));
        listed.setStamp(0, 1);
        listed.move(token, ListedFrames.COLD, ListedFrames.HOT);
        listed.unlist(0, listed.isIn(token, ListedFrames.HOT), ListedFrames.NONE, 0);
        TokenRing ring = new TokenRing(2);
        ring.offer(token);
        ring.pollIf(ring.peek());
        ring.offer(token);
        ring.peek(0);
        ring.poll();
        StampedGhosts some = new StampedGhosts(1);
        some.put(token, 0, 0);
        some.find(token, 0);
        some.take(token, 0);
        RingCounters counted = new RingCounters(1, true);
        counted.tick(0);
        counted.adapt(1);
        VarHandle.fullFence();
    }
}
