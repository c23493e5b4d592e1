// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.internal.pool;

/** Makes the frames that could not be unmapped, a package-private list, accessible to the stress tests. */
public final class FramesToUnmap {
    public static final int NONE = FailedUnmaps.NONE;

    private final FailedUnmaps frames = new FailedUnmaps();

    public void add(int frame) {
        frames.add(frame);
    }

    /** {@return the frame that was added first, or NONE} */
    public int poll() {
        return frames.poll();
    }

    public int count() {
        return frames.count();
    }
}
