// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.policy;

import java.util.Arrays;
import java.util.function.IntConsumer;

/**
 * CLOCK-Pro: LIRS by a clock. Pages are hot or cold, and a hit sets a reference bit only. A cold page that is loaded
 * begins its <i>test period</i>, which goes on after the page was evicted: it is a ghost then. A page that is referred
 * to in its test period becomes hot. The test period ends when all hot pages have been met by the hot hand since it
 * began, or when there are twice as many ghosts as frames (the paper has as many as frames; LIRS has twice as many,
 * too). The number of cold frames adapts: one more for each page that is referred to in its test period, one less for
 * each that is not, from 1 % of the frames to 99 %.
 *
 * <p>In the paper all pages are in one circular list, with three hands. The list head is directly behind the hot hand,
 * and a page that a hand passes enters at the head. So each hand is at the oldest page of its kind, and the list can be
 * held in parts, the hot frames, the cold ones, and the ghosts, with the time at which each page entered. <i>Oldest</i>
 * stands for the position of a hand:
 *
 * <ul>
 *   <li>The cold hand takes the oldest cold frame as the victim. One that was hit enters anew: as a hot one if it was
 *       in its test period, else with a new test period.
 *   <li>The hot hand makes room for a page that becomes hot: the oldest hot frame becomes cold, or enters anew if it
 *       was hit. If all those that are older than the page were hit, the page stays cold; the paper leaves that open.
 *       All test periods that began before the oldest hot frame entered end.
 *   <li>The test hand drops the oldest ghosts.
 * </ul>
 *
 * <p>Pages that are loaded into a pool that is not full become hot up to 99 % of the frames.
 *
 * <p>A frame that is in use keeps its place. A dirty frame is set aside, and its test period goes on; when it is clean,
 * the cold hand meets it next. If all cold frames are in use or dirty, the victim is a hot one, without a test period.
 *
 * <p>Single-threaded, as all list policies.
 *
 * <p>Source: S. Jiang, F. Chen, X. Zhang, CLOCK-Pro: An Effective Improvement of the CLOCK Replacement, USENIX ATC
 * 2005, section 4.
 */
final class ClockPro implements ReplacementPolicy, SelfChecking {
    private static final int HOT = 0;
    private static final int COLD = 1;
    private static final int TESTED = 0;
    /** The least number of cold frames in any pool, and of hot ones. */
    private static final int LEAST_COLD = 2;

    private final FrameLists lists = new FrameLists(2);
    /** The cold frames in their test period, from the oldest, at the cold end, on. */
    private final FrameLists tests = new FrameLists(1);

    private final Ghosts ghosts = new Ghosts(0);
    private final double cold;
    private final double ghostsPerFrame;
    private int mostGhosts;
    private int frames;
    private int leastCold;
    private int mostCold;
    /** The number of cold frames that there should be. */
    private int target;
    /** Counts the pages that entered. */
    private long now;
    /** By frame: its page, when it entered, and the reference bit. */
    private long[] pages = {};

    private long[] entered = {};
    private boolean[] referenced = {};
    /** By frame that is in no list: the list that it was in. */
    private int[] cameFrom = {};
    /** By slot of the ghosts: when the page entered. */
    private long[] ghostEntered = {};

    /** By default at least 1 % of the frames are cold, and as many hot, and there are two ghosts for each frame. */
    ClockPro(int frames) {
        this(frames, 0.01, 2);
    }

    /**
     * Makes a policy.
     *
     * @param frames the number of frames
     * @param cold the least fraction of the cold frames, and of the hot ones; the number of cold ones adapts between
     *     (the paper leaves the bounds open)
     * @param ghostsPerFrame the most ghosts for each frame; the paper has 1
     */
    ClockPro(int frames, double cold, double ghostsPerFrame) {
        this.cold = cold;
        this.ghostsPerFrame = ghostsPerFrame;
        onCapacity(frames);
    }

    /** {@return false: of pages that have come once only a few stay} */
    @Override
    public boolean allowsReadAhead() {
        return false;
    }

    @Override
    public void onLoad(int frame, long identity, int generation) {
        leave(frame); // a call that threw may have left it there
        int free = frames - lists.size(HOT) - lists.size(COLD);
        pages[frame] = identity;
        int ghost = ghosts.find(identity);
        boolean hot = ghost == Ghosts.NONE ? free > leastCold : promotes(ghostEntered[ghost]);
        ghosts.take(identity); // the hot hand may have dropped it
        enter(hot ? HOT : COLD, frame);
        if (!hot) {
            tests.addFirst(TESTED, frame);
        }
        endTests();
    }

    @Override
    public void onHit(int frame) {
        referenced[frame] = true; // cleared when the frame enters a list
    }

    private void enter(int list, int frame) {
        referenced[frame] = false;
        entered[frame] = now++;
        lists.addFirst(list, frame);
    }

    private int leave(int frame) {
        tests.remove(frame);
        return lists.remove(frame);
    }

    @Override
    public void onRemove(int frame) {
        if (lists.listOf(frame) != FrameLists.NONE) {
            cameFrom[frame] = leave(frame);
            endTests();
        }
    }

    @Override
    public int evict(long incomingIdentity, Claims claims) {
        int victim = turnColdHand(claims);
        if (victim == FrameLists.NONE) {
            victim = lists.claimLast(HOT, claims);
        }
        if (victim == FrameLists.NONE) {
            victim = lists.claimAside(COLD, claims);
        }
        if (victim == FrameLists.NONE) {
            victim = lists.claimAside(HOT, claims);
        }
        if (victim != FrameLists.NONE) {
            evicted(victim);
        }
        return victim;
    }

    /** Ends, since each revolution clears a reference bit. */
    private int turnColdHand(Claims claims) {
        int frame = lists.last(COLD);
        while (frame != FrameLists.NONE) {
            int before = lists.before(frame);
            if (referenced[frame]) {
                spareCold(frame);
                before = before == FrameLists.NONE ? lists.last(COLD) : before;
            } else {
                switch (claims.claim(frame)) {
                    case CLAIMED -> {
                        return frame;
                    }
                    case DIRTY -> lists.setAside(frame);
                    default -> {} // in use: it keeps its place
                }
            }
            frame = before;
        }
        return FrameLists.NONE;
    }

    private void spareCold(int frame) {
        boolean hot = tests.listOf(frame) != FrameLists.NONE && promotes(entered[frame]);
        leave(frame);
        enter(hot ? HOT : COLD, frame);
        if (!hot) {
            tests.addFirst(TESTED, frame);
        }
        endTests();
    }

    private void evicted(int frame) {
        boolean tested = tests.listOf(frame) != FrameLists.NONE;
        cameFrom[frame] = leave(frame);
        if (tested) {
            if (ghosts.size() == mostGhosts) {
                dropOldestGhost();
            }
            ghostEntered[ghosts.add(pages[frame])] = entered[frame];
        }
        endTests();
    }

    /** A page was referred to in its test period: {@return whether it becomes hot} */
    private boolean promotes(long since) {
        changeTarget(1);
        while (lists.size(HOT) >= frames - target) {
            if (since < oldestHot() || !turnHotHand(since)) {
                return false;
            }
        }
        return true;
    }

    /** Makes the oldest hot frame without a reference cold, if it entered before; {@return whether there was one} */
    private boolean turnHotHand(long before) {
        boolean demoted = false;
        for (int frame = lists.last(HOT); frame != FrameLists.NONE && !demoted; frame = lists.last(HOT)) {
            if (entered[frame] > before) {
                break;
            }
            demoted = !referenced[frame];
            enter(demoted ? COLD : HOT, frame);
        }
        endTests();
        return demoted;
    }

    private long oldestHot() {
        int frame = lists.last(HOT);
        return frame == FrameLists.NONE ? Long.MIN_VALUE : entered[frame];
    }

    /** Ends the test periods that began before the oldest hot frame entered. */
    private void endTests() {
        long oldest = oldestHot();
        while (ghosts.size() > 0 && ghostEntered[ghosts.oldest()] < oldest) {
            dropOldestGhost();
        }
        for (int frame = tests.last(TESTED); frame != FrameLists.NONE; frame = tests.last(TESTED)) {
            if (entered[frame] > oldest) {
                return;
            }
            tests.remove(frame);
            changeTarget(referenced[frame] ? 1 : -1);
        }
    }

    private void dropOldestGhost() {
        ghosts.remove(ghosts.oldest());
        changeTarget(-1);
    }

    private void changeTarget(int change) {
        target = Math.max(leastCold, Math.min(mostCold, target + change));
    }

    /**
     * Puts the frame back at the end of its list; if it has a ghost, its test period goes on. A hot frame has left no
     * ghost: one with its identity is that of another object, whose key has the same hash.
     */
    @Override
    public void onDeclined(int frame) {
        if (ghosts.take(pages[frame]) && cameFrom[frame] == COLD) {
            tests.addLast(TESTED, frame);
        }
        referenced[frame] = false;
        lists.addLast(cameFrom[frame], frame);
    }

    @Override
    public void onClean(int frame) {
        lists.restore(frame);
    }

    @Override
    public void onCapacity(int count) {
        int most = Math.max(1, PolicyParameter.of(count, ghostsPerFrame));
        if (most > ghostEntered.length) {
            ghostEntered = Arrays.copyOf(ghostEntered, most);
        }
        lists.ensureFrames(count);
        tests.ensureFrames(count);
        if (count > pages.length) {
            entered = Arrays.copyOf(entered, count);
            referenced = Arrays.copyOf(referenced, count);
            cameFrom = Arrays.copyOf(cameFrom, count);
            pages = Arrays.copyOf(pages, count); // last: its length is tested, memory may run out before
        }
        ghosts.limit(most); // after the array that has an element for each slot
        mostGhosts = most;
        frames = count;
        leastCold = Math.max(LEAST_COLD, PolicyParameter.of(count, cold));
        mostCold = Math.max(leastCold, count - leastCold);
        changeTarget(0);
    }

    @Override
    public int coldest(int max, IntConsumer sink) {
        int named = lists.nameLast(COLD, max, sink);
        return named + lists.nameLast(HOT, max - named, sink);
    }

    @Override
    public void checkIntegrity() {
        lists.checkIntegrity();
        tests.checkIntegrity();
        ghosts.checkIntegrity();
        for (int frame = 0; frame < pages.length; frame++) {
            if (tests.listOf(frame) != FrameLists.NONE && lists.listOf(frame) != COLD) {
                throw new IllegalStateException("frame " + frame + " has a test period and is not cold");
            }
        }
    }

    @Override
    public void checkGhosts() {
        ghosts.checkNoneIsResident(lists, pages);
    }
}
