// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.internal.advice;

import java.util.Arrays;

/**
 * From the id of a page to its frame in a {@link Miniature}: open addressing with linear probing, at most half full. A
 * removal moves later entries back, so there are no marks of removed entries. Allocates nothing after its creation. Not
 * thread-safe.
 */
final class FrameIndex {
    static final int NONE = -1;

    private final long[] ids;
    /** {@link #NONE} if the slot is free. */
    private final int[] frames;

    private final int mask;

    /**
     * Creates an empty index.
     *
     * @param most the greatest number of pages
     */
    FrameIndex(int most) {
        int slots = Integer.highestOneBit(Math.max(2, most * 2 - 1)) << 1;
        ids = new long[slots];
        frames = new int[slots];
        mask = slots - 1;
        Arrays.fill(frames, NONE);
    }

    /** {@return the frame of a page, or {@link #NONE}} */
    int find(long id) {
        return frames[slot(id)];
    }

    /** Adds a page that is not in the index. */
    void add(long id, int frame) {
        int slot = slot(id);
        ids[slot] = id;
        frames[slot] = frame;
    }

    /** Removes a page that is in the index. */
    void remove(long id) {
        int hole = slot(id);
        for (int next = (hole + 1) & mask; frames[next] != NONE; next = (next + 1) & mask) {
            int home = home(ids[next]);
            if (((next - home) & mask) >= ((next - hole) & mask)) { // its home is not behind the hole
                ids[hole] = ids[next];
                frames[hole] = frames[next];
                hole = next;
            }
        }
        frames[hole] = NONE;
    }

    /** {@return the slot of a page, or the free one where it belongs} */
    private int slot(long id) {
        int slot = home(id);
        while (frames[slot] != NONE && ids[slot] != id) {
            slot = (slot + 1) & mask;
        }
        return slot;
    }

    private int home(long id) {
        return (int) SampledPages.mix(id) & mask;
    }
}
