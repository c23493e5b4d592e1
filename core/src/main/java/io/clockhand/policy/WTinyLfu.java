// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.policy;

import java.util.function.IntConsumer;

/**
 * W-TinyLFU. A page is loaded into the <i>window</i>, an LRU list of 1 % of the frames. The others are a segmented LRU
 * list: a page that leaves the window enters <i>probation</i>, from where a hit moves it to the <i>protected</i> part,
 * for at most 80 % of these frames; the last page there moves back to probation. The victim is the last page of the
 * window or the last one of probation, whichever was used less often by the {@linkplain FrequencySketch sketch}; of two
 * that were used alike that of the window.
 *
 * <p>The window has the size that the paper recommends, and does not adapt.
 *
 * <p>A dirty frame is set aside from its list, but counts as part of it. When it is clean it is the first victim of
 * that list. A hit moves it as any other.
 *
 * <p>Single-threaded, as all list policies. An access among ten times as many as there are frames takes a time
 * proportional to the number of frames, since it halves the sketch.
 *
 * <p>Source: G. Einziger, R. Friedman, B. Manes, TinyLFU: A Highly Efficient Cache Admission Policy, ACM Transactions
 * on Storage 13(4), 2017, section 4.
 */
final class WTinyLfu extends FrameListPolicy implements PrefetchablePolicy {
    private static final int WINDOW = 0;
    private static final int PROBATION = 1;
    private static final int PROTECTED = 2;

    private final FrequencySketch sketch = new FrequencySketch();
    private final double window;
    private final double protectedFraction;
    private int mostInWindow;
    private int mostProtected;

    /** By default the window has 1 % of the frames, and the protected part 80 % of the others. */
    WTinyLfu(int frames) {
        this(frames, 0.01, 0.8);
    }

    /**
     * Makes a policy.
     *
     * @param frames the number of frames
     * @param window the fraction of the window in the frames; the paper has 0.01
     * @param protectedFraction the fraction that is protected of the frames outside the window; the paper has 0.8
     */
    WTinyLfu(int frames, double window, double protectedFraction) {
        super(3);
        this.window = window;
        this.protectedFraction = protectedFraction;
        onCapacity(frames);
    }

    @Override
    public void onLoad(int frame, long identity, int generation) {
        sketch.use(identity);
        pages[frame] = identity;
        lists.addFirst(WINDOW, frame);
        moveOverflow(WINDOW, mostInWindow);
    }

    @Override
    public void onHit(int frame) {
        int list = lists.listOf(frame);
        if (list == FrameLists.NONE) {
            return;
        }
        sketch.use(pages[frame]);
        if (list == PROBATION) {
            lists.addFirst(PROTECTED, frame);
            moveOverflow(PROTECTED, mostProtected);
        } else {
            lists.moveToFront(frame);
        }
    }

    private void moveOverflow(int list, int most) {
        while (lists.size(list) > most && lists.last(list) != FrameLists.NONE) {
            lists.addFirst(PROBATION, lists.last(list));
        }
    }

    @Override
    public int prefetch(int frame) {
        return lists.prefetch(frame);
    }

    /** If the page of the window stays, it is the load that moves it to probation. */
    @Override
    public int evict(long incomingIdentity, Claims claims) {
        boolean fromWindow = windowLoses();
        int victim = fromWindow ? lists.claimLast(WINDOW, claims) : FrameLists.NONE;
        for (int list = PROBATION; list <= PROTECTED && victim == FrameLists.NONE; list++) {
            victim = lists.claimLast(list, claims);
        }
        if (!fromWindow && victim == FrameLists.NONE) {
            victim = lists.claimLast(WINDOW, claims);
        }
        for (int list = WINDOW; list <= PROTECTED && victim == FrameLists.NONE; list++) {
            victim = lists.claimAside(list, claims);
        }
        if (victim != FrameLists.NONE) {
            cameFrom[victim] = lists.remove(victim);
        }
        return victim;
    }

    private boolean windowLoses() {
        int candidate = lists.last(WINDOW);
        if (candidate == FrameLists.NONE || lists.size(WINDOW) < mostInWindow) {
            return false;
        }
        int last = lists.last(PROBATION);
        int other = last == FrameLists.NONE ? lists.last(PROTECTED) : last;
        return other == FrameLists.NONE || sketch.frequency(pages[candidate]) <= sketch.frequency(pages[other]);
    }

    /** Puts the frame back at the end of its list. */
    @Override
    public void onDeclined(int frame) {
        lists.addLast(cameFrom[frame], frame);
    }

    @Override
    public void onCapacity(int frames) {
        ensureFrames(frames);
        sketch.resize(frames);
        mostInWindow = Math.max(1, PolicyParameter.of(frames, window));
        mostProtected = PolicyParameter.of(frames - mostInWindow, protectedFraction);
        moveOverflow(WINDOW, mostInWindow);
        moveOverflow(PROTECTED, mostProtected);
    }

    @Override
    public int coldest(int max, IntConsumer sink) {
        int named = 0;
        for (int list = WINDOW; list <= PROTECTED; list++) {
            named += lists.nameLast(list, max - named, sink);
        }
        return named;
    }
}
