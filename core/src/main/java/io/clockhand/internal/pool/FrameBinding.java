// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.internal.pool;

/**
 * How a frame is bound to an identity, and the identity mapped to the frame: the steps of {@link FramePool#admit} and
 * {@link FramePool#giveUp} that differ between pages and holders.
 */
public interface FrameBinding {

    /**
     * {@return whether the identity is mapped already, by another thread} Asked of a thread that has waited for a
     * frame, so that it evicts no content in vain; false only means that {@link #map} must find out.
     *
     * @param identity what the frame is for
     */
    default boolean isMapped(long identity) {
        return false;
    }

    /**
     * Binds the frame to the new identity; no other thread can see the frame yet. If this throws, the frame is free
     * again.
     *
     * @param frame a frame claimed by this thread; its state row has the identity already
     */
    void bind(int frame);

    /**
     * Maps the identity to the frame unless it is mapped already. If this returns false or throws, {@link #unmap}
     * follows.
     *
     * @param frame the frame, pinned and empty
     * @return false if another thread has mapped the identity first
     */
    boolean map(int frame);

    /**
     * Unmaps the identity from the frame, if it is mapped to this frame, and clears what was bound to the frame. If
     * this throws, {@link FrameContents#unmap} follows later, and the frame is not free before.
     *
     * @param frame the frame, pinned and empty
     */
    void unmap(int frame);
}
