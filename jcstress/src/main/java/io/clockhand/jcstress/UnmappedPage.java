// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.jcstress;

/**
 * One frame with page A in it. A thread uses the page all the time, so no thread can claim the frame, and its row leads
 * to A. Another thread invalidates the page, and a finder has a hint that leads to the frame.
 */
abstract class UnmappedPage {
    static final int A = 1;

    /** Looks A up, then follows the hint, which may be stale by then. */
    final String find() {
        boolean found = isMapped();
        boolean used = tryUse();
        return (found ? "mapped" : "unmapped") + (used ? ", used" : ", refused");
    }

    /** Invalidates A up to the point where its users are waited for. */
    final void invalidate() {
        pin();
        unmap();
        unpin();
    }

    /** {@return whether the table has A} */
    abstract boolean isMapped();

    /** Uses the frame to which the hint leads, and leaves it; false if A is not found there. */
    abstract boolean tryUse();

    abstract void pin();

    /** Marks the frame, then unmaps A. */
    abstract void unmap();

    abstract void unpin();

    /** {@return the pins that are left: the user has one} */
    abstract int pins();
}
