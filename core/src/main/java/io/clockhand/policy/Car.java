// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.policy;

import static io.clockhand.policy.ArcGhosts.T1;
import static io.clockhand.policy.ArcGhosts.T2;

import java.util.Arrays;
import java.util.function.IntConsumer;

/**
 * CAR: as ARC, but with two clocks instead of LRU lists, so that a hit sets a reference bit and moves nothing. A page
 * is loaded into <i>T1</i>, or into <i>T2</i> if it is a {@linkplain ArcGhosts ghost}, with the bit clear. While T1 has
 * its target size its hand advances, else that of T2. The hand clears a bit that is set and moves the page behind the
 * hand of T2; a page whose bit is clear is the victim.
 *
 * <p>In the paper, ghosts are dropped before the incoming page enters a clock. Here they are dropped after it was
 * loaded, so that a failed read consumes none; they are the same ones.
 *
 * <p>Each list is a clock: its hand is at the last frame, and the place behind the hand is the front. A frame that is
 * in use keeps its place. A dirty frame is set aside from its clock, but counts as part of it. When it is clean
 * the hand meets it next. A hit sets its bit as any other.
 *
 * <p>Single-threaded, as all list policies.
 *
 * <p>Source: S. Bansal, D. S. Modha, CAR: Clock with Adaptive Replacement, FAST 2004, section III, Fig. 2.
 */
final class Car extends FrameListPolicy {
    private final ArcGhosts ghosts = new ArcGhosts();
    /** By frame: the reference bit. */
    private boolean[] referenced = {};

    Car(int frames) {
        super(2);
        onCapacity(frames);
    }

    @Override
    public void onLoad(int frame, long identity, int generation) {
        ghosts.changeTarget(ghosts.change(identity));
        boolean returns = ghosts.take(identity);
        pages[frame] = identity;
        referenced[frame] = false;
        lists.addFirst(returns ? T2 : T1, frame);
        ghosts.trim(lists.size(T1));
    }

    @Override
    public void onHit(int frame) {
        referenced[frame] = true; // onLoad clears the bit of a frame that is in no list
    }

    @Override
    public int evict(long incomingIdentity, Claims claims) {
        int victim = replace(claims);
        if (victim == FrameLists.NONE) {
            victim = lists.claimAside(T1, claims);
        }
        if (victim == FrameLists.NONE) {
            victim = lists.claimAside(T2, claims);
        }
        if (victim != FrameLists.NONE) {
            cameFrom[victim] = lists.remove(victim);
            ghosts.add(cameFrom[victim], pages[victim]);
        }
        return victim;
    }

    /** The paper's {@code replace}. It ends, since each step clears a bit, or refuses a frame for the whole search. */
    private int replace(Claims claims) {
        int once = lists.last(T1);
        int often = lists.last(T2);
        while (once != FrameLists.NONE || often != FrameLists.NONE) {
            boolean fromT1 = often == FrameLists.NONE
                    || (once != FrameLists.NONE && lists.size(T1) >= Math.max(1, ghosts.target()));
            int frame = fromT1 ? once : often;
            int before = lists.before(frame);
            if (referenced[frame]) {
                referenced[frame] = false;
                lists.addFirst(T2, frame);
                if (fromT1) {
                    often = often == FrameLists.NONE ? frame : often;
                } else {
                    before = before == FrameLists.NONE ? frame : before;
                }
            } else if (isClaimed(frame, claims)) {
                return frame;
            }
            once = fromT1 ? before : once;
            often = fromT1 ? often : before;
        }
        return FrameLists.NONE;
    }

    private boolean isClaimed(int frame, Claims claims) {
        Claims.Outcome outcome = claims.claim(frame);
        if (outcome == Claims.Outcome.DIRTY) {
            lists.setAside(frame);
        }
        return outcome == Claims.Outcome.CLAIMED;
    }

    /** Puts the frame back where the hand meets it next, and removes its ghost. */
    @Override
    public void onDeclined(int frame) {
        ghosts.remove(cameFrom[frame], pages[frame]);
        lists.addLast(cameFrom[frame], frame);
    }

    @Override
    public void onCapacity(int frames) {
        if (frames > pages.length) {
            referenced = Arrays.copyOf(referenced, frames);
        }
        ensureFrames(frames);
        ghosts.resize(frames, lists.size(T1));
    }

    @Override
    public int coldest(int max, IntConsumer sink) {
        boolean t1First = lists.size(T1) >= Math.max(1, ghosts.target());
        int named = lists.nameLast(t1First ? T1 : T2, max, sink);
        return named + lists.nameLast(t1First ? T2 : T1, max - named, sink);
    }

    @Override
    public void checkIntegrity() {
        super.checkIntegrity();
        ghosts.checkIntegrity();
    }

    @Override
    public void checkGhosts() {
        ghosts.checkNoneIsResident(lists, pages);
    }
}
