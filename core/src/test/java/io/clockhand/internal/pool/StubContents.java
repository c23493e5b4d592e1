// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.internal.pool;

import java.util.HashSet;
import java.util.Set;

/** Contents that are clean unless the test says otherwise, and that remember what was done to them. */
class StubContents implements FrameContents<RuntimeException> {
    final Set<Integer> dirty = new HashSet<>();
    int evicted;

    @Override
    public boolean isDirty(int frame) {
        return dirty.contains(frame);
    }

    @Override
    public void clean(int frame) {
        dirty.remove(frame);
    }

    @Override
    public void clear(int frame) {
        evicted++;
    }

    @Override
    public void unmap(int frame) {}

    @Override
    public void onFrames(int frames) {}

    @Override
    public String describe(int frame) {
        return "content " + frame;
    }
}
