// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.page;

import io.clockhand.internal.frame.FrameMemory;
import java.util.Arrays;

/**
 * The rows of a page as they were before an update. Each is remembered as bits of the eight bytes that it lies in,
 * aligned, since those are what a CAS can put back without its neighbours. For one thread.
 *
 * <p>The first row lies in fields, since most updates change one.
 */
final class RowUndo {
    private static final int FIRST_ROOM = 4;

    private int count;
    private int firstWord;
    private long firstMask;
    private long firstBits;

    /** The others. */
    private int[] words = new int[FIRST_ROOM];

    private long[] masks = new long[FIRST_ROOM];
    private long[] bits = new long[FIRST_ROOM];

    /** Remembers a row; called before it is changed, since it may allocate. */
    void remember(FrameMemory memory, int buffer, int word, long mask) {
        long before = memory.acquireLong(buffer, word) & mask;
        if (count == 0) {
            firstWord = word;
            firstMask = mask;
            firstBits = before;
        } else {
            rememberAnother(word, mask, before);
        }
        count++;
    }

    private void rememberAnother(int word, long mask, long before) {
        int index = count - 1;
        if (index == words.length) {
            int room = 2 * index;
            int[] moreWords = Arrays.copyOf(words, room);
            long[] moreMasks = Arrays.copyOf(masks, room);
            bits = Arrays.copyOf(bits, room);
            masks = moreMasks;
            words = moreWords; // last: the others have room for as many
        }
        words[index] = word;
        masks[index] = mask;
        bits[index] = before;
    }

    /** Puts all rows back, the last first, and forgets them. */
    void undo(FrameMemory memory, int buffer) {
        for (; count > 1; count--) {
            int index = count - 2;
            memory.setBits(buffer, words[index], masks[index], bits[index]);
        }
        if (count == 1) {
            memory.setBits(buffer, firstWord, firstMask, firstBits);
            count = 0;
        }
    }

    void forget() {
        count = 0;
    }
}
