// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.policy;

import java.util.Arrays;
import java.util.function.IntConsumer;

/**
 * Doubly linked lists of frames, held in an int array: every operation takes constant time and allocates nothing. A
 * frame is in one list at most.
 *
 * <p>The front of a list is its most recently used end. Not thread-safe.
 */
final class FrameLists {
    /** No frame, or no list. */
    static final int NONE = -1;

    /** Columns of a slot's row: the slot behind it, the slot in front of it, and its list; the fourth is unused. */
    private static final int NEXT = 0;

    private static final int PREVIOUS = 1;
    private static final int LIST = 2;
    private static final int ROW_SHIFT = 2;

    private final int heads;
    private final int[] sizes;
    /**
     * One row for each slot, so that an operation changes one cache line for each frame involved. Slots 0 to
     * {@code heads − 1} are the heads of the lists; frame f has slot {@code heads + f}.
     */
    private int[] rows;

    /**
     * Makes empty lists.
     *
     * @param lists the number of lists, which are named 0 to {@code lists − 1}
     */
    FrameLists(int lists) {
        this.heads = lists;
        this.sizes = new int[lists];
        this.rows = new int[lists << ROW_SHIFT];
        for (int list = 0; list < lists; list++) {
            set(list, NEXT, list);
            set(list, PREVIOUS, list);
            set(list, LIST, list);
        }
    }

    private int get(int slot, int column) {
        return rows[(slot << ROW_SHIFT) + column];
    }

    private void set(int slot, int column, int value) {
        rows[(slot << ROW_SHIFT) + column] = value;
    }

    private int slots() {
        return rows.length >> ROW_SHIFT;
    }

    /** Adds rows for frames 0 to {@code frames − 1}; a new frame is in no list. */
    void ensureFrames(int frames) {
        int had = slots();
        if (heads + frames > had) {
            rows = Arrays.copyOf(rows, (heads + frames) << ROW_SHIFT);
            for (int slot = had; slot < heads + frames; slot++) {
                set(slot, LIST, NONE);
            }
        }
    }

    /** {@return the list that the frame is in, or NONE} */
    int listOf(int frame) {
        return get(heads + frame, LIST);
    }

    /** {@return the number of frames in a list} */
    int size(int list) {
        return sizes[list];
    }

    /** {@return the last frame of a list, or NONE if it is empty} */
    int last(int list) {
        return frameAt(get(list, PREVIOUS));
    }

    /** {@return the first frame of a list, or NONE if it is empty} */
    int first(int list) {
        return frameAt(get(list, NEXT));
    }

    /** {@return the frame in front of this one, or NONE if it is the first} */
    int before(int frame) {
        return frameAt(get(heads + frame, PREVIOUS));
    }

    /** Inserts a frame at the front of a list. Removes it first if a call that threw has left it in a list. */
    void addFirst(int list, int frame) {
        remove(frame);
        link(list, list, heads + frame);
    }

    /** Inserts a frame at the end of a list, otherwise as {@link #addFirst}. */
    void addLast(int list, int frame) {
        remove(frame);
        link(list, get(list, PREVIOUS), heads + frame);
    }

    /** Moves a frame to the front of its list. */
    void moveToFront(int frame) {
        int slot = heads + frame;
        int list = get(slot, LIST);
        if (get(list, NEXT) != slot) {
            unlink(slot);
            insert(list, slot);
        }
    }

    /** Removes a frame from its list, if any; {@return that list, or NONE} */
    int remove(int frame) {
        int slot = heads + frame;
        int list = get(slot, LIST);
        if (list != NONE) {
            unlink(slot);
            set(slot, LIST, NONE);
            sizes[list]--;
        }
        return list;
    }

    /** Replaces a frame in its list by one that is in no list. */
    void replace(int frame, int by) {
        int before = get(heads + frame, PREVIOUS);
        int list = remove(frame);
        link(list, before, heads + by);
    }

    /** Claims the last frame of a list that can be claimed; {@return that frame, still in its place, or NONE} */
    int claimLast(int list, Claims claims) {
        int frame = last(list);
        while (frame != NONE && !claims.tryClaim(frame)) {
            frame = before(frame);
        }
        return frame;
    }

    /** Names the last frames of a list; {@return the number of frames named} */
    int nameLast(int list, int max, IntConsumer sink) {
        int named = 0;
        for (int frame = last(list); frame != NONE && named < max; frame = before(frame)) {
            sink.accept(frame);
            named++;
        }
        return named;
    }

    /**
     * Reads the links that {@link #moveToFront} would change. Any thread may call it while another one changes the
     * lists: the race is benign, since the links may be stale but each is checked against the length of the array
     * that was read.
     *
     * @return a meaningless number computed from the links
     */
    int prefetch(int frame) {
        return prefetch(rows, (heads + frame) << ROW_SHIFT);
    }

    /** As {@link #prefetch}, if the frame is in this list: for a policy whose hits move frames of one list only. */
    int prefetchIn(int list, int frame) {
        int[] now = rows;
        int row = (heads + frame) << ROW_SHIFT;
        return row < now.length && now[row + LIST] == list ? prefetch(now, row) : 0;
    }

    private static int prefetch(int[] now, int row) {
        if (row >= now.length) {
            return 0;
        }
        int before = now[row + PREVIOUS] << ROW_SHIFT;
        int after = now[row + NEXT] << ROW_SHIFT;
        return (before < now.length ? now[before + NEXT] : before)
                + (after < now.length ? now[after + PREVIOUS] : after);
    }

    /** Throws unless each list is a ring of its size, and each frame names the list that it is in. */
    void checkIntegrity() {
        int listed = 0;
        for (int list = 0; list < heads; list++) {
            int count = 0;
            for (int slot = get(list, NEXT); slot != list; slot = get(slot, NEXT)) {
                expect(get(slot, LIST) == list, "a slot does not name the list that it is in");
                expect(get(get(slot, NEXT), PREVIOUS) == slot, "links disagree");
                expect(get(get(slot, PREVIOUS), NEXT) == slot, "links disagree");
                expect(++count <= sizes[list], "a list is longer than its size");
            }
            expect(count == sizes[list], "a list is shorter than its size");
            listed += count;
        }
        for (int slot = heads; slot < slots(); slot++) {
            listed -= get(slot, LIST) == NONE ? 0 : 1;
        }
        expect(listed == 0, "a frame names a list that it is not in");
    }

    private static void expect(boolean condition, String otherwise) {
        if (!condition) {
            throw new IllegalStateException(otherwise);
        }
    }

    private void link(int list, int at, int slot) {
        insert(at, slot);
        set(slot, LIST, list);
        sizes[list]++;
    }

    private void insert(int at, int slot) {
        int after = get(at, NEXT);
        set(at, NEXT, slot);
        set(slot, PREVIOUS, at);
        set(slot, NEXT, after);
        set(after, PREVIOUS, slot);
    }

    private void unlink(int slot) {
        int before = get(slot, PREVIOUS);
        int after = get(slot, NEXT);
        set(before, NEXT, after);
        set(after, PREVIOUS, before);
    }

    private int frameAt(int slot) {
        return slot < heads ? NONE : slot - heads;
    }
}
