// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.internal.pool;

/** A content that is loaded at once; tests override the step that fails. */
class StubBinding implements FrameBinding {
    @Override
    public void bind(int frame) {}

    @Override
    public boolean map(int frame) {
        return true;
    }

    @Override
    public void unmap(int frame) {}

    /** The whole miss; {@return the pinned frame} */
    final int load(FramePool<RuntimeException> pool, long identity) {
        int frame = pool.admit(identity, this, true);
        if (frame >= 0) {
            pool.publish(frame, identity, false);
        }
        return frame;
    }
}
