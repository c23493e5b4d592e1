// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.policy;

import java.util.Arrays;
import java.util.function.IntConsumer;

/**
 * LIRS: pages of low inter-reference recency (<i>LIR</i>) fill 99 % of the frames; the others (<i>HIR</i>) pass through the queue <i>Q</i>,
 * whose oldest is the victim. The stack <i>S</i> holds what was used last, from its top: LIR pages, HIR pages, and HIR pages that have left.
 * Its bottom is a LIR page always (it is <i>pruned</i>), so a HIR page that is used again while it lies in S was used more recently than
 * that one, and takes its place; unless it lies on the top of S, since to be used twice in a row says nothing. (The paper's cases do not set this
 * one apart.)
 *
 * <p>In S a page that has left has a node of its own where its frame's was. Twice as many of them as there are frames are remembered; those go
 * first that left first. Where no HIR frame can be claimed, because all are pinned, the LIR frame next to the bottom goes that can; the next
 * page that comes is LIR then.
 *
 * <p>Single-threaded, as all list policies.
 *
 * <p>Source: S. Jiang, X. Zhang, LIRS: An Efficient Low Inter-reference Recency Set Replacement Policy to Improve Buffer Cache Performance,
 * SIGMETRICS 2002, section 3.
 */
final class Lirs implements ReplacementPolicy, SelfChecking {
    private static final int S = 0;
    private static final int Q = 0;

    /** Its "frames" are nodes: see {@link #node}. */
    private final FrameLists stack = new FrameLists(1);

    private final FrameLists queue = new FrameLists(1);
    private final Ghosts ghosts = new Ghosts(0);
    private int mostGhosts;
    private int mostLir;
    private int lirCount;
    /** By frame: the page, whether it is LIR, and whether it was before it left. */
    private long[] pages = {};

    private boolean[] lir = {};
    private boolean[] wasLir = {};

    Lirs(int frames) {
        onCapacity(frames);
    }

    /** Of three nodes in a row the first is that of a frame, the others of ghosts, so that more frames change no numbers. */
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

    @Override
    public int weightCap() {
        return 0;
    }

    @Override
    public boolean observesHits() {
        return true;
    }

    /** A page that still was in S becomes LIR; else it is HIR once there are enough of the others. */
    @Override
    public void onLoad(int frame, long identity, int generation) {
        if (isListed(frame)) { // a call has failed that should have taken it out
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
        stack.moveToFront(node(frame));
        prune();
    }

    private void hitHirInStack(int frame) {
        queue.remove(frame);
        stack.moveToFront(node(frame));
        becomeLir(frame);
    }

    /** Or on its top. */
    private void hitHirOutOfStack(int frame) {
        if (stack.listOf(node(frame)) == FrameLists.NONE) {
            stack.addFirst(S, node(frame));
            prune(); // there may be no LIR page left
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
            stack.remove(node(bottom));
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
            stack.remove(node);
            if (isGhost(node)) {
                ghosts.remove(ghostOf(node));
            }
        }
    }

    private void forget(int ghost) {
        stack.remove(ghostNode(ghost));
        ghosts.remove(ghost);
    }

    @Override
    public int touch(int frame) {
        return stack.touch(node(frame)) + queue.touch(frame);
    }

    @Override
    public void onRemove(int frame) {
        stack.remove(node(frame));
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
        if (victim != FrameLists.NONE) {
            leave(victim);
        }
        return victim;
    }

    private int claimLir(Claims claims) {
        for (int node = stack.last(S); node != FrameLists.NONE; node = stack.before(node)) {
            int frame = frameOf(node);
            if (!isGhost(node) && lir[frame] && claims.tryClaim(frame)) {
                return frame;
            }
        }
        return FrameLists.NONE;
    }

    private void leave(int frame) {
        queue.remove(frame);
        wasLir[frame] = lir[frame];
        if (lir[frame]) {
            lir[frame] = false;
            lirCount--;
        }
        if (stack.listOf(node(frame)) != FrameLists.NONE) {
            dropGhosts(); // there is a node for one too many, which goes when the page that comes has been looked up
            stack.replace(node(frame), ghostNode(ghosts.add(pages[frame])));
        }
        prune();
    }

    private void dropGhosts() {
        while (ghosts.size() > mostGhosts) {
            forget(ghosts.oldest());
        }
    }

    /** Puts the frame back where it was taken, as far as that place is still there. */
    @Override
    public void onDeclined(int frame) {
        int ghost = ghosts.find(pages[frame]);
        if (ghost != Ghosts.NONE) {
            stack.replace(ghostNode(ghost), node(frame));
            ghosts.remove(ghost);
        }
        if (wasLir[frame] && lirCount < mostLir) {
            if (ghost == Ghosts.NONE) {
                stack.addLast(S, node(frame));
            }
            lir[frame] = true;
            lirCount++;
        } else {
            queue.addLast(Q, frame);
            prune();
        }
    }

    @Override
    public void onCapacity(int frames) {
        int ghostLimit = Math.max(ghosts.size(), 2 * frames + 1);
        stack.ensureFrames(Math.max(node(frames), ghostNode(Math.max(ghosts.slots(), ghostLimit))));
        queue.ensureFrames(frames);
        if (frames > pages.length) {
            lir = Arrays.copyOf(lir, frames);
            wasLir = Arrays.copyOf(wasLir, frames);
            pages = Arrays.copyOf(pages, frames); // the last, since it is what is looked at: memory may run out before
        }
        ghosts.limit(ghostLimit);
        mostLir = Math.max(1, Math.min(frames - 1, (int) (99L * frames / 100)));
        mostGhosts = 2 * frames;
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
        int remembered = 0;
        for (int node = stack.last(S); node != FrameLists.NONE; node = stack.before(node)) {
            remembered += isGhost(node) ? 1 : 0;
            counted += !isGhost(node) && lir[frameOf(node)] ? 1 : 0;
            expect(isGhost(node) || lir[frameOf(node)] || queue.listOf(frameOf(node)) != FrameLists.NONE, "lost frame");
        }
        int bottom = stack.last(S);
        expect(
                bottom == FrameLists.NONE || (!isGhost(bottom) && lir[frameOf(bottom)]),
                "the bottom of S is no LIR page");
        expect(counted == lirCount && lirCount <= mostLir, "LIR pages out of S, or too many of them");
        expect(remembered == ghosts.size() && remembered <= mostGhosts + 1, "ghosts out of S, or too many of them");
        for (int frame = 0; frame < pages.length; frame++) {
            expect(!lir[frame] || queue.listOf(frame) == FrameLists.NONE, "a LIR page in Q");
        }
    }

    private static void expect(boolean condition, String otherwise) {
        if (!condition) {
            throw new IllegalStateException(otherwise);
        }
    }
}
