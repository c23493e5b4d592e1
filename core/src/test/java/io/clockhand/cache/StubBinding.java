// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.cache;

/** One miss of a {@link StubPool}, whose object is loaded at once; tests override the step that fails. */
public class StubBinding {
    /** Whether another thread has mapped the key. */
    public boolean isMapped(long identity) {
        return false;
    }

    /** Maps the key to the frame; false if another thread was first. */
    public boolean map(int frame) {
        return true;
    }

    /** Unmaps the key of a frame that is given up. */
    public void unmap(int frame) {}

    /** The whole miss; {@return the pinned frame} */
    public final int load(StubPool pool, long identity) {
        int frame = pool.admit(identity, this);
        if (frame >= 0) {
            pool.publish(frame, identity, false);
        }
        return frame;
    }
}
