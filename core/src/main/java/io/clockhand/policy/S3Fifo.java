// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.policy;

import java.util.Arrays;
import java.util.function.IntConsumer;

/**
 * S3-FIFO: three FIFO queues. A page is loaded into <i>S</i>, the small queue, for a tenth of the frames. A hit adds
 * one to the frame's count, up to three, and moves nothing. A page that leaves S moves to <i>M</i>, the main queue, if
 * it was hit more than once; else it is evicted and becomes a ghost in <i>G</i>, which holds nine tenths as many pages
 * as there are frames. A page that is loaded while it is a ghost enters M. A page that leaves M takes one off its count
 * and enters M again, or is evicted, without a ghost, if its count is zero. M is evicted from if it has more than nine
 * tenths of the frames, or if S is empty.
 *
 * <p>As in the paper, the incoming page is looked up in G after the victim has been added, which may drop it if it is
 * the oldest there. So a failed read consumes no ghost. In the paper a page that moves from S to a full M evicts one
 * from M at once, besides the victim. A search has one victim, so here M has a page more until the next search evicts
 * it; that changes hit ratios by 0.14 points or less.
 *
 * <p>A dirty frame is set aside from its queue, but counts as part of it. When it is clean it is the next one to leave
 * that queue. A hit adds to its count as to any other.
 *
 * <p>Single-threaded, as all list policies.
 *
 * <p>Source: J. Yang, Y. Zhang, Z. Qiu, Y. Yue, K. V. Rashmi, FIFO Queues are All You Need for Cache Eviction, SOSP
 * 2023, section 4, Algorithm 1.
 */
final class S3Fifo extends FrameListPolicy {
    private static final int SMALL = 0;
    private static final int MAIN = 1;
    private static final int MOST_USES = 3;

    private final Ghosts ghosts = new Ghosts(0);
    private final double small;
    private final double ghostsPerFrame;
    private final int enoughUses;
    private int mostMain;
    /** By frame: the hits, or fewer. */
    private byte[] uses = {};

    /** By default S has a tenth of the frames, and G nine tenths as many pages; two hits lead from S to M. */
    S3Fifo(int frames) {
        this(frames, 0.1, 0.9, 2);
    }

    /**
     * Makes a policy.
     *
     * @param frames the number of frames
     * @param small the fraction of S in the frames; the paper has 0.1
     * @param ghostsPerFrame the pages in G for each frame; the paper has as many as M has frames, 0.9
     * @param hits the number of hits from which on a page moves from S to M, at most 3; the paper has 2
     */
    S3Fifo(int frames, double small, double ghostsPerFrame, int hits) {
        super(2);
        this.small = small;
        this.ghostsPerFrame = ghostsPerFrame;
        this.enoughUses = hits;
        onCapacity(frames);
    }

    @Override
    public void onLoad(int frame, long identity, int generation) {
        boolean returns = ghosts.take(identity);
        pages[frame] = identity;
        uses[frame] = 0;
        lists.addFirst(returns ? MAIN : SMALL, frame);
    }

    @Override
    public void onHit(int frame) {
        if (uses[frame] < MOST_USES) {
            uses[frame]++; // onLoad clears the count of a frame that is in no list
        }
    }

    @Override
    public int evict(long incomingIdentity, Claims claims) {
        int preferred = lists.size(MAIN) > mostMain || lists.size(SMALL) == 0 ? MAIN : SMALL;
        int other = preferred == MAIN ? SMALL : MAIN;
        int victim = claim(preferred, claims);
        if (victim == FrameLists.NONE) {
            victim = claim(other, claims);
        }
        if (victim == FrameLists.NONE) {
            victim = claim(preferred, claims); // pages of S may have moved to M
        }
        if (victim == FrameLists.NONE) {
            victim = lists.claimAside(preferred, claims);
        }
        if (victim == FrameLists.NONE) {
            victim = lists.claimAside(other, claims);
        }
        if (victim != FrameLists.NONE) {
            cameFrom[victim] = lists.remove(victim);
            if (cameFrom[victim] == SMALL) {
                ghosts.add(pages[victim]);
            }
        }
        return victim;
    }

    private int claim(int list, Claims claims) {
        return list == SMALL ? claimSmall(claims) : claimMain(claims);
    }

    private int claimSmall(Claims claims) {
        int frame = lists.last(SMALL);
        while (frame != FrameLists.NONE) {
            int before = lists.before(frame);
            if (uses[frame] >= enoughUses) {
                uses[frame] = 0;
                lists.addFirst(MAIN, frame);
            } else if (isClaimed(frame, claims)) {
                return frame;
            }
            frame = before;
        }
        return FrameLists.NONE;
    }

    /** Ends, since a frame that moves to the front, where it is met again, has lost a use. */
    private int claimMain(Claims claims) {
        int frame = lists.last(MAIN);
        while (frame != FrameLists.NONE) {
            int before = lists.before(frame);
            if (uses[frame] > 0) {
                uses[frame]--;
                lists.moveToFront(frame);
                before = before == FrameLists.NONE ? frame : before;
            } else if (isClaimed(frame, claims)) {
                return frame;
            }
            frame = before;
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

    /** Puts the frame back at the end of its list, and removes its ghost. */
    @Override
    public void onDeclined(int frame) {
        if (cameFrom[frame] == SMALL) {
            ghosts.take(pages[frame]);
        }
        lists.addLast(cameFrom[frame], frame);
    }

    @Override
    public void onCapacity(int frames) {
        int mostSmall = Math.max(1, PolicyParameter.of(frames, small));
        int most = Math.max(1, PolicyParameter.of(frames, ghostsPerFrame));
        if (frames > pages.length) {
            uses = Arrays.copyOf(uses, frames);
        }
        ensureFrames(frames);
        ghosts.limit(most);
        mostMain = frames - mostSmall;
    }

    @Override
    public int coldest(int max, IntConsumer sink) {
        int named = lists.nameLast(SMALL, max, sink);
        return named + lists.nameLast(MAIN, max - named, sink);
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
