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

    /** Of a slot's row: the slots behind it and in front of it, and its list; the fourth is not used. */
    private static final int NEXT = 0;

    private static final int PREVIOUS = 1;
    private static final int LIST = 2;
    private static final int ROW_SHIFT = 2;

    private final int heads;
    private final int[] sizes;
    /**
     * By slot a row, so that what a step changes of a frame lies in one cache line. Slots 0 to {@code heads − 1} are the heads of the lists, frame f has slot
     * {@code heads + f}.
     */
    private int[] rows;

    /**
     * Makes empty lists.
     *
     * @param lists how many, named 0 to {@code lists − 1}
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

    /** Makes room for frames 0 to {@code frames − 1}; new ones are in no list. */
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

    /** {@return how many frames are in a list} */
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

    /** Puts a frame in front of a list. It is in none, unless a call has failed that should have taken it out: then it leaves that. */
    void addFirst(int list, int frame) {
        remove(frame);
        link(list, list, heads + frame);
    }

    /** Puts a frame behind a list, as {@link #addFirst} does in front of one. */
    void addLast(int list, int frame) {
        remove(frame);
        link(list, get(list, PREVIOUS), heads + frame);
    }

    /** Moves a frame to the front of the list that it is in. */
    void moveToFront(int frame) {
        int slot = heads + frame;
        int list = get(slot, LIST);
        if (get(list, NEXT) != slot) {
            unlink(slot);
            insert(list, slot);
        }
    }

    /** Takes a frame out of the list that it is in, if any; {@return that list, or NONE} */
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

    /** Puts a frame that is in no list where another one is, which leaves. */
    void replace(int frame, int by) {
        int before = get(heads + frame, PREVIOUS);
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
        return touch(rows, (heads + frame) << ROW_SHIFT);
    }

    /** As {@link #touch}, if the frame is in this list: for a policy whose hits move frames of this list only. */
    int touchIn(int list, int frame) {
        int[] now = rows;
        int row = (heads + frame) << ROW_SHIFT;
        return row < now.length && now[row + LIST] == list ? touch(now, row) : 0;
    }

    private static int touch(int[] now, int row) {
        if (row >= now.length) {
            return 0;
        }
        int before = now[row + PREVIOUS] << ROW_SHIFT;
        int after = now[row + NEXT] << ROW_SHIFT;
        return (before < now.length ? now[before + NEXT] : before)
                + (after < now.length ? now[after + PREVIOUS] : after);
    }

    /** Throws unless each list is a ring of as many frames as it is said to have, and each frame knows its list. */
    void checkIntegrity() {
        int listed = 0;
        for (int list = 0; list < heads; list++) {
            int count = 0;
            for (int slot = get(list, NEXT); slot != list; slot = get(slot, NEXT)) {
                expect(get(slot, LIST) == list, "a slot does not know the list it is in");
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
        expect(listed == 0, "a frame believes to be in a list that it is not in");
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
