// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.policy;

/**
 * Lets a {@link ReplacementPolicy} age and claim frames while it looks for a victim. Implemented by the pool; valid
 * only during the call of {@link ReplacementPolicy#evict} that it was passed to.
 *
 * <p>The methods access the words of the frame only. They never do I/O and never wait, so a policy may call them
 * while it holds its own lock. A claimed frame is owned by the calling thread: no other thread can pin, share or
 * claim it. A dirty frame is never claimed: it is queued for write-back, once.
 */
public interface Claims {

    /** Returned by {@link #takeRemainder} if there is none. */
    long NO_REMAINDER = Long.MIN_VALUE;
    /** Returned by {@link #takeRemainder} if these claims keep none. */
    long KEEPS_NO_REMAINDER = Long.MIN_VALUE + 1;

    /** The outcome for a frame that was scanned. A policy treats a value that it does not know as {@link #SKIPPED}. */
    enum Outcome {
        /** The frame is claimed: it is the victim. */
        CLAIMED,
        /** The frame had a weight above one, which is one less now. */
        AGED,
        /**
         * The frame is no victim now: pinned, shared, claimed by another thread, or free. The policy is not notified
         * when that ends.
         */
        SKIPPED,
        /**
         * The frame is dirty, and is queued for write-back. The pool calls {@link ReplacementPolicy#onClean} once it
         * can be claimed again, so until then a policy need not try it again.
         */
        DIRTY,
        /** The frame is not in use, has no weight above one, and was not claimed: answered by {@link #age} only. */
        SPENT
    }

    /**
     * Takes one off the weight of the frame, and claims it if no weight is left, in one atomic step. For policies of
     * the clock family.
     *
     * @param frame a frame of the pool
     * @return what happened to the frame
     */
    Outcome ageOrClaim(int frame);

    /**
     * Takes one off the weight of the frame if it is above one and the frame not in use. Never claims the frame, nor
     * queues it for write-back. For policies of the clock family that move a frame without weight to another list.
     *
     * @param frame a frame of the pool
     * @return AGED, SPENT or SKIPPED; by default SPENT, for callers that keep no weights
     */
    default Outcome age(int frame) {
        return Outcome.SPENT;
    }

    /**
     * Claims the frame, whatever its weight. For policies that keep an order of their own.
     *
     * @param frame a frame of the pool
     * @return whether the frame is claimed; false if it is no victim now
     */
    boolean tryClaim(int frame);

    /**
     * Claims the frame as {@link #tryClaim} does, but distinguishes a dirty frame from one that is in use. For policies
     * that set dirty frames aside.
     *
     * @param frame a frame of the pool
     * @return CLAIMED, SKIPPED or DIRTY; by default never DIRTY, for callers whose frames are never dirty
     */
    default Outcome claim(int frame) {
        return tryClaim(frame) ? Outcome.CLAIMED : Outcome.SKIPPED;
    }

    /**
     * Takes the position where an earlier search has left off. The pool passes the same claims from search to search,
     * to one at a time, and mostly to those of one thread, so a hand of a clock can leave the rest of a range of
     * frames in them, at no cost.
     *
     * @param hand a number that no other hand has
     * @return what {@link #leaveRemainder} was last called with; {@link #NO_REMAINDER} if it was not called since this
     *     was, or by another hand; by default {@link #KEEPS_NO_REMAINDER}
     */
    default long takeRemainder(long hand) {
        return KEEPS_NO_REMAINDER;
    }

    /**
     * Leaves a position to a later search.
     *
     * @param hand a number that no other hand has
     * @param position where that search may go on
     * @return whether these claims keep it; by default false
     */
    default boolean leaveRemainder(long hand, long position) {
        return false;
    }
}
