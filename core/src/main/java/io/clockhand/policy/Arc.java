// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.policy;

import static io.clockhand.policy.ArcGhosts.T1;
import static io.clockhand.policy.ArcGhosts.T2;

import java.util.function.IntConsumer;

/**
 * ARC: two LRU lists. A page is loaded into <i>T1</i>. A hit moves it to the front of <i>T2</i>; so does a load while
 * the page is a {@linkplain ArcGhosts ghost}, which also moves the target for the size of T1. The victim is the last
 * page of T1 while T1 is larger than its target, else the last page of T2.
 *
 * <p>In the paper the incoming page moves the target before the victim is chosen. Here the victim is chosen by the
 * target as it will be, and the target moves when the page has been loaded, so that a failed read changes nothing. If
 * another page is loaded between the two, the change is computed anew.
 *
 * <p>A dirty frame is set aside from its list, but counts as part of it. When it is clean it is the next victim of that
 * list. A hit moves it as any other.
 *
 * <p>Single-threaded, as all list policies.
 *
 * <p>Source: N. Megiddo, D. S. Modha, ARC: A Self-Tuning, Low Overhead Replacement Cache, FAST 2003, section 3, Fig. 4.
 */
final class Arc extends FrameListPolicy implements PrefetchablePolicy {
    private final ArcGhosts ghosts = new ArcGhosts();
    /** The page that the last search was for, and how its load will change the target: 0 if not at all. */
    private long expected;

    private double change;

    Arc(int frames) {
        super(2);
        onCapacity(frames);
    }

    @Override
    public void onLoad(int frame, long identity, int generation) {
        double now = identity == expected && change != 0 ? change : ghosts.change(identity);
        change = 0;
        boolean returns = ghosts.take(identity);
        if (returns) {
            ghosts.changeTarget(now);
        }
        pages[frame] = identity;
        lists.addFirst(returns ? T2 : T1, frame);
        ghosts.trim(lists.size(T1));
    }

    @Override
    public void onHit(int frame) {
        if (lists.listOf(frame) != FrameLists.NONE) {
            lists.addFirst(T2, frame);
        }
    }

    @Override
    public int prefetch(int frame) {
        return lists.prefetch(frame);
    }

    /** The paper's {@code REPLACE}. */
    @Override
    public int evict(long incomingIdentity, Claims claims) {
        expected = incomingIdentity;
        change = ghosts.change(incomingIdentity);
        double target = ghosts.targetAfter(change);
        int size = lists.size(T1);
        boolean fromT1 = size > target || (size == target && ghosts.isInB2(incomingIdentity));
        int preferred = size > 0 && fromT1 ? T1 : T2;
        int other = preferred == T1 ? T2 : T1;
        int victim = lists.claimLast(preferred, claims);
        if (victim == FrameLists.NONE) {
            victim = lists.claimLast(other, claims);
        }
        if (victim == FrameLists.NONE) {
            victim = lists.claimAside(preferred, claims);
        }
        if (victim == FrameLists.NONE) {
            victim = lists.claimAside(other, claims);
        }
        if (victim != FrameLists.NONE) {
            cameFrom[victim] = lists.remove(victim);
            ghosts.add(cameFrom[victim], pages[victim]);
        }
        return victim;
    }

    /** Puts the frame back at the end of its list, and removes its ghost. */
    @Override
    public void onDeclined(int frame) {
        ghosts.remove(cameFrom[frame], pages[frame]);
        lists.addLast(cameFrom[frame], frame);
    }

    @Override
    public void onCapacity(int frames) {
        ensureFrames(frames);
        ghosts.resize(frames, lists.size(T1));
    }

    @Override
    public int coldest(int max, IntConsumer sink) {
        boolean t1First = lists.size(T1) > ghosts.target();
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
