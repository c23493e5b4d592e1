// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.policy;

import java.util.Arrays;
import java.util.function.IntConsumer;

/**
 * LIRS. Pages of low inter-reference recency (<i>LIR</i>) fill 99 % of the frames. The other pages (<i>HIR</i>) are
 * in the queue <i>Q</i>, whose oldest page is the victim. The stack <i>S</i> holds the most recently used pages, from
 * its top: LIR pages, resident HIR pages, and non-resident HIR pages (ghosts). It is <i>pruned</i>, so its bottom is
 * always a LIR page. A HIR page that is hit while it is in S was used more recently than that page, and takes its
 * place; unless it is on the top of S, since two consecutive references say nothing. (The paper's cases do not
 * distinguish this one.)
 *
 * <p>In S a ghost has a node of its own in the place of its frame's. There are at most twice as many ghosts as
 * frames; the oldest is dropped first. If all HIR frames are pinned or dirty, the victim is the claimable LIR frame
 * nearest to the bottom; the next page that is loaded then becomes LIR.
 *
 * <p>A dirty HIR page is set aside from Q, and is its next victim when it is clean. Its place in S stays, so a hit does
 * with it what it does with the other pages of Q. For LIR pages S is both the order of eviction and the measure of
 * recency, so nothing may be taken off it only because it is dirty: pages and ghosts below would be pruned. Instead, a
 * search for a LIR victim begins where the last one ended: S is <i>passed</i> up to there, from the bottom, and the LIR
 * pages that were refused below are in a list of their own, in the same order, from which the dirty ones are set aside.
 * A hit takes a page off that list, since it leaves the passed part of S.
 *
 * <p>Single-threaded, as all list policies.
 *
 * <p>Source: S. Jiang, X. Zhang, LIRS: An Efficient Low Inter-reference Recency Set Replacement Policy to Improve
 * Buffer Cache Performance, SIGMETRICS 2002, section 3.
 */
final class Lirs implements PrefetchablePolicy, SelfChecking {
    private static final int S = 0;
    private static final int Q = 0;
    /** The LIR pages in the passed part of the stack, the lowest last; a declined one may be above. */
    private static final int PASSED = 1;

    /** Its elements are nodes: see {@link #node}. */
    private final FrameLists stack = new FrameLists(1);

    private final FrameLists queue = new FrameLists(2);
    private final Ghosts ghosts = new Ghosts(0);
    private final double cold;
    private final double ghostsPerFrame;
    private int mostGhosts;
    private int mostLir;
    private int lirCount;
    /** The topmost node of the passed part of the stack, or NONE. */
    private int passed = FrameLists.NONE;
    /** By frame: the page, whether it is LIR, and whether it was LIR before it was evicted. */
    private long[] pages = {};

    private boolean[] lir = {};
    private boolean[] wasLir = {};

    /** By default, 1 % of the frames are for HIR pages, and there are at most two ghosts for each frame. */
    Lirs(int frames) {
        this(frames, 0.01, 2);
    }

    /**
     * Makes a policy.
     *
     * @param frames the number of frames
     * @param cold the fraction of the frames that is for HIR pages, the paper's Lhirs; the paper has 0.01
     * @param ghostsPerFrame the most non-resident pages in S, for each frame; the paper does not bound them
     */
    Lirs(int frames, double cold, double ghostsPerFrame) {
        this.cold = cold;
        this.ghostsPerFrame = ghostsPerFrame;
        onCapacity(frames);
    }

    /**
     * Of three successive nodes the first is a frame's and two are ghosts', so numbers stay valid when frames are
     * added.
     */
    private static int node(int frame) {
        return 3 * frame;
    }

    private static int ghostNode(int ghost) {
        return ghost + ghost / 2 + 1;
    }

    private static boolean isGhost(int node) {
        return node % 3 != 0;
    }

    private static int frameOf(int node) {
        return node / 3;
    }

    private static int ghostOf(int node) {
        return node - node / 3 - 1;
    }

    /** {@return false: of pages that have come once only a few stay} */
    @Override
    public boolean allowsReadAhead() {
        return false;
    }

    /** A page that is a ghost in S becomes LIR; any other does while there are too few LIR pages. */
    @Override
    public void onLoad(int frame, long identity, int generation) {
        if (isListed(frame)) { // a call that threw has left it there
            onRemove(frame);
        }
        pages[frame] = identity;
        int ghost = ghosts.find(identity);
        if (ghost != Ghosts.NONE) {
            forget(ghost);
        }
        dropGhosts();
        stack.addFirst(S, node(frame));
        if (ghost != Ghosts.NONE || lirCount < mostLir) {
            becomeLir(frame);
        } else {
            queue.addFirst(Q, frame);
        }
    }

    private boolean isListed(int frame) {
        return stack.listOf(node(frame)) != FrameLists.NONE || queue.listOf(frame) != FrameLists.NONE;
    }

    @Override
    public void onHit(int frame) {
        if (lir[frame]) {
            hitLir(frame);
        } else if (queue.listOf(frame) != FrameLists.NONE) {
            if (stack.listOf(node(frame)) != FrameLists.NONE && stack.first(S) != node(frame)) {
                hitHirInStack(frame);
            } else {
                hitHirOutOfStack(frame);
            }
        }
    }

    private void hitLir(int frame) {
        if (passed != FrameLists.NONE || queue.size(PASSED) > 0) {
            leavePassed(node(frame));
            queue.remove(frame);
        }
        stack.moveToFront(node(frame));
        prune();
    }

    private void hitHirInStack(int frame) {
        queue.remove(frame);
        moveToTop(frame);
        becomeLir(frame);
    }

    /** Also for a page on the top of the stack. */
    private void hitHirOutOfStack(int frame) {
        if (stack.listOf(node(frame)) == FrameLists.NONE) {
            stack.addFirst(S, node(frame));
            prune(); // no LIR page may be left
        }
        queue.moveToFront(frame);
    }

    private void becomeLir(int frame) {
        lir[frame] = true;
        lirCount++;
        demoteOverflow();
    }

    private void demoteOverflow() {
        while (lirCount > mostLir) {
            int bottom = frameOf(stack.last(S));
            removeNode(node(bottom));
            lir[bottom] = false;
            lirCount--;
            queue.addFirst(Q, bottom);
            prune();
        }
    }

    private void prune() {
        for (int node = stack.last(S); node != FrameLists.NONE; node = stack.last(S)) {
            if (!isGhost(node) && lir[frameOf(node)]) {
                return;
            }
            removeNode(node);
            if (isGhost(node)) {
                ghosts.remove(ghostOf(node));
            }
        }
    }

    private void forget(int ghost) {
        removeNode(ghostNode(ghost));
        ghosts.remove(ghost);
    }

    private void moveToTop(int frame) {
        leavePassed(node(frame));
        stack.moveToFront(node(frame));
    }

    private void removeNode(int node) {
        leavePassed(node);
        stack.remove(node);
    }

    private void leavePassed(int node) {
        if (node == passed) {
            passed = stack.after(node);
        }
    }

    private void replaceNode(int node, int by) {
        stack.replace(node, by);
        if (node == passed) {
            passed = by;
        }
    }

    @Override
    public int prefetch(int frame) {
        return stack.prefetch(node(frame)) + queue.prefetch(frame);
    }

    @Override
    public void onRemove(int frame) {
        removeNode(node(frame));
        queue.remove(frame);
        wasLir[frame] = lir[frame];
        if (lir[frame]) {
            lir[frame] = false;
            lirCount--;
        }
        prune();
    }

    @Override
    public int evict(long incomingIdentity, Claims claims) {
        int victim = queue.claimLast(Q, claims);
        if (victim == FrameLists.NONE) {
            victim = claimLir(claims);
        }
        if (victim == FrameLists.NONE) {
            victim = queue.claimAside(Q, claims);
        }
        if (victim == FrameLists.NONE) {
            victim = queue.claimAside(PASSED, claims);
        }
        if (victim != FrameLists.NONE) {
            evicted(victim);
        }
        return victim;
    }

    private int claimLir(Claims claims) {
        int victim = queue.claimLast(PASSED, claims);
        while (victim == FrameLists.NONE) {
            int node = passed == FrameLists.NONE ? stack.last(S) : stack.before(passed);
            if (node == FrameLists.NONE) {
                return FrameLists.NONE;
            }
            int frame = frameOf(node);
            if (!isGhost(node) && lir[frame] && queue.listOf(frame) == FrameLists.NONE) {
                victim = claimOrPass(frame, claims);
            }
            passed = node;
        }
        return victim;
    }

    private int claimOrPass(int frame, Claims claims) {
        Claims.Outcome outcome = claims.claim(frame);
        if (outcome == Claims.Outcome.CLAIMED) {
            return frame;
        }
        queue.addFirst(PASSED, frame);
        if (outcome == Claims.Outcome.DIRTY) {
            queue.setAside(frame);
        }
        return FrameLists.NONE;
    }

    private void evicted(int frame) {
        queue.remove(frame);
        wasLir[frame] = lir[frame];
        if (lir[frame]) {
            lir[frame] = false;
            lirCount--;
        }
        if (stack.listOf(node(frame)) != FrameLists.NONE) {
            dropGhosts(); // there is a node for one ghost above the limit, until the incoming page has been looked up
            replaceNode(node(frame), ghostNode(ghosts.add(pages[frame])));
        }
        prune();
    }

    private void dropGhosts() {
        while (ghosts.size() > mostGhosts) {
            forget(ghosts.oldest());
        }
    }

    /** Puts the frame back where it was, as far as that place still exists. */
    @Override
    public void onDeclined(int frame) {
        int ghost = ghosts.find(pages[frame]);
        if (ghost != Ghosts.NONE) {
            replaceNode(ghostNode(ghost), node(frame));
            ghosts.remove(ghost);
        }
        if (wasLir[frame] && lirCount < mostLir) {
            if (ghost == Ghosts.NONE) {
                stack.addLast(S, node(frame));
            }
            lir[frame] = true;
            lirCount++;
            queue.addLast(PASSED, frame); // its node may be in the passed part
        } else {
            queue.addLast(Q, frame);
            prune();
        }
    }

    @Override
    public void onClean(int frame) {
        queue.restore(frame);
    }

    @Override
    public void onCapacity(int frames) {
        int most = Math.max(1, PolicyParameter.of(frames, ghostsPerFrame));
        int ghostLimit = Math.max(ghosts.size(), most + 1);
        stack.ensureFrames(Math.max(node(frames), ghostNode(Math.max(ghosts.slots(), ghostLimit))));
        queue.ensureFrames(frames);
        if (frames > pages.length) {
            lir = Arrays.copyOf(lir, frames);
            wasLir = Arrays.copyOf(wasLir, frames);
            pages = Arrays.copyOf(pages, frames); // last: its length is tested, memory may run out before
        }
        ghosts.limit(ghostLimit);
        mostLir = Math.max(1, Math.min(frames - 1, PolicyParameter.of(frames, 1 - cold)));
        mostGhosts = most;
        demoteOverflow();
        dropGhosts();
    }

    @Override
    public int coldest(int max, IntConsumer sink) {
        int named = queue.nameLast(Q, max, sink);
        for (int node = stack.last(S); node != FrameLists.NONE && named < max; node = stack.before(node)) {
            if (!isGhost(node) && lir[frameOf(node)]) {
                sink.accept(frameOf(node));
                named++;
            }
        }
        return named;
    }

    @Override
    public void checkIntegrity() {
        stack.checkIntegrity();
        queue.checkIntegrity();
        ghosts.checkIntegrity();
        int counted = 0;
        int stacked = 0;
        for (int node = stack.last(S); node != FrameLists.NONE; node = stack.before(node)) {
            stacked += isGhost(node) ? 1 : 0;
            counted += !isGhost(node) && lir[frameOf(node)] ? 1 : 0;
            expect(isGhost(node) || lir[frameOf(node)] || queue.listOf(frameOf(node)) == Q, "lost frame");
        }
        for (int node = passed; node != FrameLists.NONE; node = stack.after(node)) {
            expect(stack.listOf(node) == S, "the passed part of S ends at a node that is not in S");
            expect(
                    isGhost(node) || !lir[frameOf(node)] || queue.listOf(frameOf(node)) == PASSED,
                    "a LIR page was passed and forgotten");
        }
        int bottom = stack.last(S);
        expect(
                bottom == FrameLists.NONE || (!isGhost(bottom) && lir[frameOf(bottom)]),
                "the bottom of S is no LIR page");
        expect(counted == lirCount && lirCount <= mostLir, "LIR pages out of S, or too many of them");
        expect(stacked == ghosts.size() && stacked <= mostGhosts + 1, "ghosts out of S, or too many of them");
        for (int frame = 0; frame < pages.length; frame++) {
            expect(!lir[frame] || queue.listOf(frame) != Q, "a LIR page is in Q");
            expect(lir[frame] || queue.listOf(frame) != PASSED, "a HIR page is among the passed LIR pages");
        }
    }

    @Override
    public void checkGhosts() {
        ghosts.checkNoneIsResident(queue, pages);
        for (int frame = 0; frame < pages.length; frame++) {
            expect(
                    !lir[frame] || ghosts.find(pages[frame]) == Ghosts.NONE,
                    "page " + pages[frame] + " is in frame " + frame + ", and is a ghost");
        }
    }

    private static void expect(boolean condition, String otherwise) {
        if (!condition) {
            throw new IllegalStateException(otherwise);
        }
    }
}
