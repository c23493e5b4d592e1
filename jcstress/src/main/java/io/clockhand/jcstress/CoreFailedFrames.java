// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.jcstress;

import io.clockhand.internal.pool.FramesToUnmap;

/** Of the list of core. */
final class CoreFailedFrames extends FailedFrames {
    private final FramesToUnmap frames = new FramesToUnmap();

    @Override
    void add(int frame) {
        frames.add(frame);
    }

    @Override
    int poll() {
        return frames.poll();
    }

    @Override
    int count() {
        return frames.count();
    }
}
