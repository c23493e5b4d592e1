// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.internal.pool;

/**
 * What the engine room must ask of the rooms built on it about the content of a frame. Pages and holders share frame
 * numbers and nothing else; this is the face they turn to {@link FramePool}.
 *
 * <p>Every method with a frame, but the last two, is called for a frame that the calling thread has claimed, with no lock held.
 *
 * @param <X> the checked exception of loading and cleaning
 */
public interface FrameContents<X extends Exception> {

    /**
     * Keeps those out who use the content without a pin, if nobody does: without this a claim does not hold.
     *
     * @param frame a claimed frame
     * @return false if somebody uses the content; the claim is given up then
     */
    default boolean tryClose(int frame) {
        return true;
    }

    /**
     * Lets those in again who use the content without a pin, since the claim ends.
     *
     * @param frame a claimed frame that was closed, and whose content stays
     */
    default void reopen(int frame) {}

    /**
     * Tells whether the content must be written back before it may leave. May wait for a monitor of the content.
     *
     * @param frame a claimed frame
     * @return whether it is dirty; the answer stays true while the frame is claimed
     */
    boolean isDirty(int frame);

    /**
     * Writes the content back.
     *
     * @param frame a claimed frame, marked as being written back
     * @throws X if the write failed; the content is dirty still
     */
    void clean(int frame) throws X;

    /**
     * Clears the content, then unmaps the identity of the frame, even if clearing throws.
     *
     * @param frame a claimed, clean frame
     */
    void evictContent(int frame);

    /** {@return whether somebody works the cleaning queue off; if not, misses write dirty victims back themselves} */
    boolean hasCleaner();

    /** {@return whether the cleaning queue is so long that more must not be put into it where that can be helped} */
    boolean cleanerLags();

    /** {@return whether the calling thread, in a miss, may write a dirty victim back itself where there is a cleaner} */
    default boolean mayCleanHere() {
        return true;
    }

    /** {@return a frame from the head of the cleaning queue, or −1 if it is empty; the frame may have changed since} */
    int pollQueued();

    /**
     * Puts the frame into the cleaning queue; it is no longer claimed, but marked as queued.
     *
     * @param frame a frame that was found dirty
     */
    void cleanLater(int frame);

    /**
     * Frames 0 to {@code frames − 1} will be used from now on.
     *
     * @param frames how many frames there are
     */
    void onFrames(int frames);

    /**
     * Names the content of a frame for a message.
     *
     * @param frame any frame
     * @return a few words
     */
    String describe(int frame);
}
