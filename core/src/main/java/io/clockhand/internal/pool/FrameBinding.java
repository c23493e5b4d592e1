// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.internal.pool;

/**
 * One content on its way into a frame: the steps of a miss that differ between pages and holders, in the order in which
 * {@link FramePool#miss} calls them.
 *
 * @param <X> the checked exception of loading
 */
public interface FrameBinding<X extends Exception> {

    /**
     * Binds the frame to the new identity; nobody else can see the frame yet.
     *
     * @param frame a frame claimed by this thread
     */
    void bind(int frame);

    /**
     * Maps the identity to the frame unless it is mapped already.
     *
     * @param frame the frame, pinned and empty
     * @return false if another thread was first
     */
    boolean map(int frame);

    /**
     * Loads the content.
     *
     * @param frame the frame, pinned, empty and mapped
     * @return false if there is no such content
     * @throws X if loading failed
     */
    boolean load(int frame) throws X;

    /**
     * Clears what is left of a load, then unmaps the identity.
     *
     * @param frame the frame, pinned, empty and mapped
     */
    void unmap(int frame);
}
