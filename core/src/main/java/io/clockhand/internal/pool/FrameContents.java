// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.internal.pool;

/**
 * The questions and calls of {@link FramePool} about the content of a frame. Pages and holders have only frame numbers
 * in common; each of them implements this interface.
 *
 * <p>The first three methods are called for a frame that the calling thread has claimed, with no lock held.
 *
 * @param <X> the checked exception of writing back
 */
public interface FrameContents<X extends Exception> {

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
     * @throws X if the write failed; the content is still dirty
     */
    void clean(int frame) throws X;

    /**
     * Clears the content; {@link #unmap} follows, even if this throws.
     *
     * @param frame a claimed, clean frame
     */
    void clear(int frame);

    /**
     * Unmaps the identity of a frame, if it is mapped to this frame. If this throws, it is called again later, until it
     * succeeds; the frame is not free before.
     *
     * @param frame a claimed frame whose content was cleared, or a pinned, empty one that was given up
     */
    void unmap(int frame);

    /**
     * {@return whether the calling thread, in a miss, may write a dirty victim back itself while there is a cleaner}
     */
    default boolean mayCleanHere() {
        return true;
    }

    /**
     * Writes some contents that are queued for write-back, for a miss that has met nothing but dirty and used frames.
     * Called with no lock held and no frame claimed. Only for contents whose frames are marked as dirty.
     *
     * @return whether a content was written
     * @throws X if a write failed; the content is still dirty
     */
    default boolean writeQueued() throws X {
        return false;
    }

    /**
     * Counts a miss that has found no frame, and has waited for one, or written contents to get one. Neither allocates
     * nor throws.
     *
     * @param nanos for how long
     */
    default void onStall(long nanos) {}

    /**
     * Changes the number of frames. Called before a new frame is used.
     *
     * @param frames frames 0 to {@code frames − 1} exist
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
