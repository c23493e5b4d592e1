// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.policy;

/**
 * The frames as a {@link ReplacementPolicy} sees them while it looks for a victim: it can age them and claim them, and
 * nothing else.
 *
 * <p>Both methods touch the words of the frame only; they never do I/O and never wait, so a policy may call them while
 * it holds its own lock. A frame that was claimed is owned by the calling thread: nobody can pin or share it.
 */
public interface Claims {

    /** What became of a frame that a sweep came by. */
    enum Outcome {
        /** The frame is claimed: it is the victim. */
        CLAIMED,
        /** The frame had more than one weight; it has one less now. */
        AGED,
        /** The frame is no victim now: pinned, shared, owned by another thread, empty, or waiting to be cleaned. */
        SKIPPED
    }

    /**
     * Takes one off the weight of the frame and claims it if that leaves none, in one atomic step; for policies of the
     * clock family.
     *
     * @param frame a frame of the pool
     * @return what became of the frame
     */
    Outcome ageOrClaim(int frame);

    /**
     * Claims the frame whatever its weight; for policies that keep their own order.
     *
     * @param frame a frame of the pool
     * @return whether it is claimed; false if it is no victim now
     */
    boolean tryClaim(int frame);
}
