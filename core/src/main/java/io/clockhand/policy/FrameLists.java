// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.policy;

import java.util.Arrays;

/**
 * Lists of frames, of which a frame is in one at most: doubly linked through int arrays, so that every step takes constant time and
 * allocates nothing.
 *
 * <p>The front of a list is where frames come in that were used last. Not thread-safe.
 */
final class FrameLists {
    /** No frame, or no list. */
    static final int NONE = -1;

    private final int heads;
    private final int[] sizes;
    /** By slot: slots 0 to {@code heads − 1} are the heads of the lists, frame f has slot {@code heads + f}. */
    private int[] next;

    private int[] previous;
    private int[] listOf;

    /**
     * Makes empty lists.
     *
     * @param lists how many, named 0 to {@code lists − 1}
     */
    FrameLists(int lists) {
        this.heads = lists;
        this.sizes = new int[lists];
        this.next = new int[lists];
        this.previous = new int[lists];
        this.listOf = new int[lists];
        for (int list = 0; list < lists; list++) {
            next[list] = list;
            previous[list] = list;
            listOf[list] = list;
        }
    }

    /** Makes room for frames 0 to {@code frames − 1}; new ones are in no list. */
    void ensureFrames(int frames) {
        int had = listOf.length;
        if (heads + frames > had) {
            next = Arrays.copyOf(next, heads + frames);
            previous = Arrays.copyOf(previous, heads + frames);
            listOf = Arrays.copyOf(listOf, heads + frames);
            Arrays.fill(listOf, had, listOf.length, NONE);
        }
    }

    /** {@return the list that the frame is in, or NONE} */
    int listOf(int frame) {
        return listOf[heads + frame];
    }

    /** {@return how many frames are in a list} */
    int size(int list) {
        return sizes[list];
    }

    /** {@return the last frame of a list, or NONE if it is empty} */
    int last(int list) {
        return frameAt(previous[list]);
    }

    /** {@return the frame in front of this one, or NONE if it is the first} */
    int before(int frame) {
        return frameAt(previous[heads + frame]);
    }

    /** Puts a frame that is in no list in front of a list. */
    void addFirst(int list, int frame) {
        link(list, list, heads + frame);
    }

    /** Puts a frame that is in no list behind a list. */
    void addLast(int list, int frame) {
        link(list, previous[list], heads + frame);
    }

    /** Moves a frame to the front of the list that it is in. */
    void moveToFront(int frame) {
        int list = listOf(frame);
        if (next[list] != heads + frame) {
            remove(frame);
            addFirst(list, frame);
        }
    }

    /** Takes a frame out of the list that it is in, if any; {@return that list, or NONE} */
    int remove(int frame) {
        int slot = heads + frame;
        int list = listOf[slot];
        if (list != NONE) {
            next[previous[slot]] = next[slot];
            previous[next[slot]] = previous[slot];
            listOf[slot] = NONE;
            sizes[list]--;
        }
        return list;
    }

    private void link(int list, int at, int slot) {
        int after = next[at];
        next[at] = slot;
        previous[slot] = at;
        next[slot] = after;
        previous[after] = slot;
        listOf[slot] = list;
        sizes[list]++;
    }

    private int frameAt(int slot) {
        return slot < heads ? NONE : slot - heads;
    }
}
