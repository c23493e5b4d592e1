// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.policy;

import java.util.function.IntConsumer;

/**
 * 2Q, the full version. A page is loaded into <i>A1in</i>, a FIFO queue of a quarter of the frames. A page evicted
 * from it becomes a ghost in <i>A1out</i>, which holds half as many pages as there are frames; a page that is loaded
 * while it is a ghost enters <i>Am</i>, an LRU list. A hit in A1in changes nothing.
 *
 * <p>In the paper the incoming page is removed from A1out before the victim is added. Here it is removed when it has
 * been loaded, so that a failed read consumes no ghost; until then A1out may hold one page more.
 *
 * <p>A dirty frame is set aside from its queue, but counts as part of it: while A1in with the frames set aside is
 * longer than a quarter, its clean pages are the victims, as if the search had walked past the dirty ones. When it is
 * clean it is the next victim of its queue. A hit moves it to the front of Am if it came from there, else changes
 * nothing, as in A1in.
 *
 * <p>Single-threaded, as all list policies.
 *
 * <p>Source: T. Johnson, D. Shasha, 2Q: A Low Overhead High Performance Buffer Management Replacement Algorithm, VLDB
 * 1994, Fig. 3.
 */
final class TwoQ extends FrameListPolicy implements PrefetchablePolicy {
    private static final int A1_IN = 0;
    private static final int AM = 1;

    private final Ghosts a1Out = new Ghosts(0);
    private final double in;
    private final double out;
    private int mostIn;
    private int mostOut;

    /** By default, A1in has a quarter of the frames, and A1out half as many pages as there are frames. */
    TwoQ(int frames) {
        this(frames, 0.25, 0.5);
    }

    /**
     * Makes a policy.
     *
     * @param frames the number of frames
     * @param in the fraction of A1in in the frames, the paper's Kin; the paper advises 0.25
     * @param out the ghosts in A1out for each frame, the paper's Kout; the paper advises 0.5
     */
    TwoQ(int frames, double in, double out) {
        super(2);
        this.in = in;
        this.out = out;
        onCapacity(frames);
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
    public int prefetch(int frame) {
        return lists.prefetchIn(AM, frame);
    }

    /** The paper's {@code reclaimfor}. */
    @Override
    public int evict(long incomingIdentity, Claims claims) {
        int preferred = lists.size(A1_IN) > mostIn || lists.size(AM) == 0 ? A1_IN : AM;
        int other = preferred == A1_IN ? AM : A1_IN;
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
            if (cameFrom[victim] == A1_IN) {
                a1Out.add(pages[victim]);
            }
        }
        return victim;
    }

    /** Puts the frame back at the end of its list, and removes its ghost. */
    @Override
    public void onDeclined(int frame) {
        if (cameFrom[frame] == A1_IN) {
            a1Out.take(pages[frame]);
        }
        lists.addLast(cameFrom[frame], frame);
    }

    @Override
    public void onCapacity(int frames) {
        mostIn = Math.max(1, PolicyParameter.of(frames, in));
        mostOut = Math.max(1, PolicyParameter.of(frames, out));
        a1Out.limit(mostOut + 1);
        ensureFrames(frames);
    }

    @Override
    public int coldest(int max, IntConsumer sink) {
        int named = lists.nameLast(A1_IN, max, sink);
        return named + lists.nameLast(AM, max - named, sink);
    }

    @Override
    public void checkIntegrity() {
        super.checkIntegrity();
        a1Out.checkIntegrity();
    }

    @Override
    public void checkGhosts() {
        a1Out.checkNoneIsResident(lists, pages);
    }
}
