// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.page;

import io.clockhand.internal.frame.FrameMemory;
import java.util.Arrays;

/**
 * The rows of a page as they were before an update. Each is remembered as bits of the eight bytes that it lies in,
 * aligned, since those are what a CAS can put back without its neighbours. For one thread.
 */
final class RowUndo {
    private static final int FIRST_ROOM = 4;

    private int[] words = new int[FIRST_ROOM];
    private long[] masks = new long[FIRST_ROOM];
    private long[] bits = new long[FIRST_ROOM];
    private int count;

    /** Remembers a row; called before it is changed, since it may allocate. */
    void remember(FrameMemory memory, int buffer, int word, long mask) {
        if (count == words.length) {
            int room = 2 * count;
            int[] moreWords = Arrays.copyOf(words, room);
            long[] moreMasks = Arrays.copyOf(masks, room);
            bits = Arrays.copyOf(bits, room);
            masks = moreMasks;
            words = moreWords; // last: the others have room for as many
        }
        words[count] = word;
        masks[count] = mask;
        bits[count] = memory.acquireLong(buffer, word) & mask;
        count++;
    }

    /** Puts all rows back, and forgets them. */
    void undo(FrameMemory memory, int buffer) {
        while (count > 0) {
            count--;
            memory.setBits(buffer, words[count], masks[count], bits[count]);
        }
    }

    void forget() {
        count = 0;
    }
}
