// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.internal.table;

import static io.clockhand.internal.table.PageRange.EMPTY;
import static io.clockhand.internal.table.PageRange.LINKED;

import java.lang.invoke.VarHandle;

/**
 * The chunks and directories of an {@link ArrayPageTable}: creates them, bounds their memory, and gives back those
 * that have had no page for a while. Changes of the structure take a lock, the monitor of this object, for a few steps,
 * and one at a time; lookups and changes of words do not.
 *
 * <p><b>When a range is given back.</b> A hand goes round all nodes. It visits one with about every {@value
 * #INSERTIONS}th page that is mapped. A chunk that is empty, and in which no page was mapped since the last visit, is
 * unlinked; so it outlives its last page by one or two rounds. A directory is unlinked when it is found empty, but not
 * at the first visit.
 *
 * <p><b>The bound.</b> No node is created that would exceed it. In the last quarter of the memory a node costs a
 * visit of the hand for every {@value #INSERTIONS} bytes, so about a byte for each page that is mapped: else, where ids
 * are scattered, misses would create and give back nodes all the time. The other three quarters are free, because a
 * range that has once overflowed stays in the overflow for as long as one of its pages is there: with the default bound
 * and pages of 4 KiB they suffice for a dense file of twelve times the pool's size.
 *
 * <p>Thread-safe.
 */
final class RangeTree {
    /** About as many insertions as this make the hand visit a node. */
    static final int INSERTIONS = 128;
    /** The visits that are saved up, so that the nodes on the way to a page can be created at once. */
    static final int MOST_VISITS = 512;

    private final Directory root;
    private final long maxBytes;
    /** Changed under the lock. */
    private volatile long bytes;

    /** Visits of the hand that have not paid for a node yet. Changed under the lock. */
    private volatile int visits = MOST_VISITS;

    /** The node that the hand visits next; the root if there is no other. Guarded by the lock. */
    private PageRange hand;

    RangeTree(int chunkBits, long maxBytes) {
        this.root = Directory.root(chunkBits);
        this.maxBytes = maxBytes;
        this.bytes = root.bytes();
        this.hand = root;
    }

    Directory root() {
        return root;
    }

    long bytes() {
        return bytes;
    }

    /** {@return whether a node of this size may be created now} */
    boolean hasSpace(long added) {
        long after = bytes + added;
        return after <= maxBytes && (after <= maxBytes - maxBytes / 4 || visits >= price(added));
    }

    private static int price(long added) {
        return (int) (added / INSERTIONS);
    }

    /**
     * Creates the node of a smaller range, unless it has one, or pages of it are in the overflow, or there is no space.
     */
    void tryLink(Directory parent, long id) {
        PageRange child = parent.createChild(id); // before the lock: it may fail
        synchronized (this) {
            long after = bytes + child.bytes();
            int left = after > maxBytes - maxBytes / 4 ? visits - price(child.bytes()) : visits;
            if (!hasSpace(child.bytes()) || !parent.cas(child.at, EMPTY, LINKED)) {
                return;
            }
            // from here on no call, since it could overflow the stack
            parent.children[child.at] = child;
            bytes = after;
            visits = left;
            child.previous = hand.previous;
            child.next = hand;
            hand.previous.next = child;
            hand.previous = child;
        }
    }

    /** Waits until a change of the structure has ended that was going on. */
    @SuppressWarnings("EmptyBlock")
    void awaitChange() {
        synchronized (this) {
            // the thread that makes the change has the lock
        }
    }

    /** Moves the hand on by one node. Allocates nothing. */
    synchronized void sweep() {
        int saved = visits + 1;
        visits = Math.min(MOST_VISITS, saved);
        PageRange range = hand;
        hand = range.next;
        long left = bytes - range.bytes();
        Directory parent = range.parent;
        if (parent == null || range.endUse() || !range.isEmpty() || !range.tryFreeze()) {
            return;
        }
        // from here on no call whose failure would leave the range half linked: it could overflow the stack
        parent.children[range.at] = null;
        try {
            VarHandle.releaseFence(); // a thread that sees the word below does not see the child any more
        } finally {
            parent.words[range.at] = EMPTY;
            bytes = left;
            range.previous.next = range.next;
            range.next.previous = range.previous;
            range.previous = range; // whoever keeps a node that is unlinked keeps no other
            range.next = range;
        }
    }
}
