// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.cache;

import java.util.HashSet;
import java.util.Set;

/** The objects in the frames of a {@link StubPool}: clean unless the test says otherwise. */
public class StubContents {
    /** The frames whose objects are dirty. */
    public final Set<Integer> dirty = new HashSet<>();

    /** Whether the object in a frame is dirty. */
    public boolean isDirty(int frame) {
        return dirty.contains(frame);
    }

    /** Writes the object in a frame back. */
    public void clean(int frame) {
        dirty.remove(frame);
    }

    /** Clears the object in a frame. */
    public void clear(int frame) {}

    /** The key of an evicted object is unmapped. */
    public void unmap(int frame) {}

    /** Whether a miss may write a dirty victim back while there is a cleaner. */
    public boolean mayCleanHere() {
        return true;
    }
}
