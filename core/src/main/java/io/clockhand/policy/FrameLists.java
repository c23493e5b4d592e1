// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.policy;

import java.util.Arrays;
import java.util.function.IntConsumer;

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

    /** {@return the first frame of a list, or NONE if it is empty} */
    int first(int list) {
        return frameAt(next[list]);
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

    /** Puts a frame that is in no list where another one is, which leaves. */
    void replace(int frame, int by) {
        int before = previous[heads + frame];
        int list = remove(frame);
        link(list, before, heads + by);
    }

    /** Claims the last frame of a list that can be claimed; {@return it, still in its place, or NONE} */
    int claimLast(int list, Claims claims) {
        int frame = last(list);
        while (frame != NONE && !claims.tryClaim(frame)) {
            frame = before(frame);
        }
        return frame;
    }

    /** Names the last frames of a list; {@return how many} */
    int nameLast(int list, int max, IntConsumer sink) {
        int named = 0;
        for (int frame = last(list); frame != NONE && named < max; frame = before(frame)) {
            sink.accept(frame);
            named++;
        }
        return named;
    }

    /**
     * Reads the links that {@link #moveToFront} would change. Any thread may call it while another one changes the lists: what it reads
     * may be old, or belong to an array that has grown meanwhile.
     *
     * @return a number made of them, which means nothing
     */
    int touch(int frame) {
        int[] after = next;
        int[] before = previous;
        int slot = heads + frame;
        if (slot >= after.length || slot >= before.length) {
            return 0;
        }
        int left = before[slot];
        int right = after[slot];
        return (left < after.length ? after[left] : left) + (right < before.length ? before[right] : right);
    }

    /** Throws unless each list is a ring of as many frames as it is said to have, and each frame knows its list. */
    void checkIntegrity() {
        int listed = 0;
        for (int list = 0; list < heads; list++) {
            int count = 0;
            for (int slot = next[list]; slot != list; slot = next[slot]) {
                expect(listOf[slot] == list, "a slot does not know the list it is in");
                expect(previous[next[slot]] == slot && next[previous[slot]] == slot, "links disagree");
                expect(++count <= sizes[list], "a list is longer than its size");
            }
            expect(count == sizes[list], "a list is shorter than its size");
            listed += count;
        }
        for (int slot = heads; slot < listOf.length; slot++) {
            listed -= listOf[slot] == NONE ? 0 : 1;
        }
        expect(listed == 0, "a frame believes to be in a list that it is not in");
    }

    private static void expect(boolean condition, String otherwise) {
        if (!condition) {
            throw new IllegalStateException(otherwise);
        }
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
