// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.page;

import io.clockhand.internal.frame.FrameMemory;

/**
 * The before-images of what an update changes in a page that is latched exclusively. For one thread.
 *
 * <p>Each change first saves the bytes that it will overwrite: for a number the eight aligned bytes that it lies in,
 * else the range. If ranges come to more than a quarter of the page, or there are more than 64 of both, the whole page
 * is saved, as it is then, and later changes save nothing. Undo restores that page image, then the ranges in reverse
 * order. So an update that changes little does not pay for the page's size, and one that changes much pays for it once.
 *
 * <p>All memory is allocated with the object, which is before the update begins.
 */
final class PageUndo {
    private static final int MOST_RANGES = 64;
    private static final int PART = 4;
    /** The length of a range whose bytes lie in {@link #words}. */
    private static final int WORD = -1;

    private final int[] offsets = new int[MOST_RANGES];
    private final int[] lengths = new int[MOST_RANGES];
    /** The overwritten bytes of ranges that are eight aligned bytes. */
    private final long[] words = new long[MOST_RANGES];
    /** The overwritten bytes of the others, one behind the other. */
    private final byte[] saved;

    private int ranges;
    private int used;
    /** The whole page. */
    private final byte[] image;

    private boolean hasImage;

    PageUndo(int pageBytes) {
        this.saved = new byte[pageBytes / PART];
        this.image = new byte[pageBytes];
    }

    /**
     * Precedes a change of eight aligned bytes, or some of them. {@return false if {@link #remember} must be called
     * instead}
     *
     * @param offset where they begin in the page
     * @param bits what they are
     */
    boolean tryRemember(int offset, long bits) {
        int index = ranges;
        if (hasImage || index == MOST_RANGES) {
            return hasImage;
        }
        offsets[index] = offset;
        lengths[index] = WORD;
        words[index] = bits;
        ranges = index + 1;
        return true;
    }

    /** Precedes a change of some bytes. */
    void remember(FrameMemory memory, int buffer, int offset, int length) {
        if (hasImage) {
            return;
        }
        if (ranges == MOST_RANGES || length > saved.length - used) {
            copyPage(memory, buffer);
            return;
        }
        memory.getBytes(buffer, offset, saved, used, length);
        offsets[ranges] = offset;
        lengths[ranges] = length;
        used += length;
        ranges++;
    }

    private void copyPage(FrameMemory memory, int buffer) {
        memory.copyTo(buffer, image);
        hasImage = true;
    }

    /** Puts everything back. */
    void undo(FrameMemory memory, int buffer) {
        if (hasImage) {
            memory.copyFrom(buffer, image);
        }
        int at = used;
        for (int index = ranges - 1; index >= 0; index--) {
            int length = lengths[index];
            if (length == WORD) {
                memory.putLong(buffer, offsets[index], words[index]);
            } else {
                at -= length;
                memory.putBytes(buffer, offsets[index], saved, at, length);
            }
        }
    }

    void forget() {
        ranges = 0;
        used = 0;
        hasImage = false;
    }
}
