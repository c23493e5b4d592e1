// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.policy;

import java.util.Arrays;
import java.util.function.IntConsumer;

/**
 * Doubly linked lists of frames, held in an int array: every operation takes constant time and allocates nothing. A
 * frame is in one list at most.
 *
 * <p>The front of a list is its most recently used end, the other one its cold end. Not thread-safe.
 *
 * <p><b>Dirty frames.</b> A search for a victim walks from the cold end. It <i>sets aside</i> each dirty frame that it
 * meets. The frame still belongs to its list for {@link #listOf}, {@link #size}, {@link #moveToFront} and {@link
 * #remove}, but it is linked in a ring of its own, so the next search does not walk over it. When the frame is clean,
 * it is {@linkplain #restore restored} to the cold end. So searches scan a frame once for each time that it became
 * dirty or was moved while it was dirty. Only a frame that is in use is scanned by every search that walks past it.
 *
 * <p>Of the restored frames, the first one is the first victim. If the flusher writes frames in the order in which they
 * were set aside, they are evicted in the order of the list. To this end a list gets a mark with its first restored
 * frame. The frames behind the mark have been restored or declined, and a frame is restored to the place next to it.
 */
final class FrameLists {
    /** No frame, or no list. */
    static final int NONE = -1;

    /** Columns of a slot's row: the slot behind it, the slot in front of it, and its list; the fourth is unused. */
    private static final int NEXT = 0;

    private static final int PREVIOUS = 1;
    private static final int LIST = 2;
    private static final int ROW_SHIFT = 2;
    /** The number of frames set aside that a search tries again when a list has no other victim. */
    private static final int ASIDE_TRIES = 8;

    /** The number of lists n, and the first slots of marks, heads of frames set aside, and frames. */
    private final int lists;

    private final int marks;
    private final int asides;
    private final int firstFrame;
    private final int[] sizes;
    /**
     * One row for each slot, so that an operation changes one cache line for each frame involved. List i has slot
     * {@code i} as its head, slot {@code n + i} as its mark, and slot {@code 2n + i} as the head of the ring of the
     * frames that were set aside from it. Frame f has slot {@code 3n + f}. The column LIST of a frame that is set aside
     * holds the head of that ring. The column LIST of a mark is NONE until it is in its list.
     */
    private int[] rows;

    /**
     * Makes empty lists.
     *
     * @param lists the number of lists, which are named 0 to {@code lists − 1}
     */
    FrameLists(int lists) {
        this.lists = lists;
        this.marks = lists;
        this.asides = 2 * lists;
        this.firstFrame = 3 * lists;
        this.sizes = new int[lists];
        this.rows = new int[firstFrame << ROW_SHIFT];
        for (int list = 0; list < lists; list++) {
            empty(list);
            empty(asides + list);
            set(marks + list, LIST, NONE);
        }
    }

    private void empty(int head) {
        set(head, NEXT, head);
        set(head, PREVIOUS, head);
        set(head, LIST, head);
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
        if (firstFrame + frames > had) {
            rows = Arrays.copyOf(rows, (firstFrame + frames) << ROW_SHIFT);
            for (int slot = had; slot < firstFrame + frames; slot++) {
                set(slot, LIST, NONE);
            }
        }
    }

    /** {@return the list that the frame is in, or NONE} */
    int listOf(int frame) {
        return listOfRing(get(firstFrame + frame, LIST));
    }

    private int listOfRing(int head) {
        return head < asides ? head : head - asides;
    }

    /** {@return the number of frames in a list, with those set aside} */
    int size(int list) {
        return sizes[list];
    }

    /** {@return the last frame of a list that is not set aside, or NONE} */
    int last(int list) {
        return frameInFrontOf(list);
    }

    /** {@return the first frame of a list that is not set aside, or NONE} */
    int first(int list) {
        return frameBehind(list);
    }

    /** {@return the frame in front of this one, or NONE if it is the first} */
    int before(int frame) {
        return frameInFrontOf(firstFrame + frame);
    }

    /** {@return the frame behind this one, or NONE if it is the last} */
    int after(int frame) {
        return frameBehind(firstFrame + frame);
    }

    private int frameInFrontOf(int slot) {
        int before = get(slot, PREVIOUS);
        return frameAt(isMark(before) ? get(before, PREVIOUS) : before);
    }

    private int frameBehind(int slot) {
        int after = get(slot, NEXT);
        return frameAt(isMark(after) ? get(after, NEXT) : after);
    }

    private boolean isMark(int slot) {
        return slot >= marks && slot < asides;
    }

    /** Inserts a frame at the front of a list. Removes it first if a call that threw has left it in a list. */
    void addFirst(int list, int frame) {
        remove(frame);
        link(list, list, firstFrame + frame);
    }

    /** Inserts a frame at the cold end of a list, otherwise as {@link #addFirst}. */
    void addLast(int list, int frame) {
        remove(frame);
        link(list, get(list, PREVIOUS), firstFrame + frame);
    }

    /** Moves a frame to the front of its list, also one that is set aside. */
    void moveToFront(int frame) {
        int slot = firstFrame + frame;
        int ring = get(slot, LIST);
        int list = listOfRing(ring);
        if (get(list, NEXT) != slot) {
            unlink(slot);
            insert(list, slot);
            if (ring != list) {
                set(slot, LIST, list);
            }
        }
    }

    /** Sets a frame aside from its list; one that is set aside becomes the last to be tried again. */
    void setAside(int frame) {
        int slot = firstFrame + frame;
        int aside = asides + listOfRing(get(slot, LIST));
        unlink(slot);
        insert(aside, slot);
        set(slot, LIST, aside);
    }

    /** Restores a frame that is set aside to the cold end of its list; does nothing with any other frame. */
    void restore(int frame) {
        int slot = firstFrame + frame;
        int ring = get(slot, LIST);
        if (ring >= asides) {
            int list = listOfRing(ring);
            int mark = marks + list;
            if (get(mark, LIST) == NONE) {
                insert(get(list, PREVIOUS), mark);
                set(mark, LIST, list);
            }
            unlink(slot);
            insert(mark, slot);
            set(slot, LIST, list);
        }
    }

    /** Removes a frame from its list, if any; {@return that list, or NONE} */
    int remove(int frame) {
        int slot = firstFrame + frame;
        int list = listOfRing(get(slot, LIST));
        if (list != NONE) {
            unlink(slot);
            set(slot, LIST, NONE);
            sizes[list]--;
        }
        return list;
    }

    /** Replaces a frame in its list by one that is in no list. */
    void replace(int frame, int by) {
        int slot = firstFrame + frame;
        int before = get(slot, PREVIOUS);
        int ring = get(slot, LIST);
        remove(frame);
        link(ring, before, firstFrame + by);
    }

    /**
     * Claims the last frame of a list that can be claimed, and sets aside the dirty frames that it passes.
     *
     * @return the frame, still in its place, or NONE
     */
    int claimLast(int list, Claims claims) {
        int frame = last(list);
        while (frame != NONE) {
            int before = before(frame);
            Claims.Outcome outcome = claims.claim(frame);
            if (outcome == Claims.Outcome.CLAIMED) {
                return frame;
            }
            if (outcome == Claims.Outcome.DIRTY) {
                setAside(frame);
            }
            frame = before;
        }
        return NONE;
    }

    /**
     * Tries a few frames that were set aside, those first that were not tried for longest, and claims one. For a list
     * without another victim: such a frame may be clean although {@link ReplacementPolicy#onClean} has not been called,
     * or has failed.
     *
     * @return the frame, still in its place, or NONE
     */
    int claimAside(int list, Claims claims) {
        int firstTried = NONE;
        for (int tries = 0; tries < ASIDE_TRIES; tries++) {
            int frame = frameAt(get(asides + list, PREVIOUS));
            if (frame == NONE || frame == firstTried) {
                return NONE;
            }
            switch (claims.claim(frame)) {
                case CLAIMED -> {
                    return frame;
                }
                case DIRTY -> {
                    setAside(frame);
                    firstTried = firstTried == NONE ? frame : firstTried;
                }
                default -> restore(frame); // in use, and maybe clean
            }
        }
        return NONE;
    }

    /** Names the coldest frames of a list, those set aside before others; {@return the number of frames named} */
    int nameLast(int list, int max, IntConsumer sink) {
        int named = 0;
        for (int frame = last(asides + list); frame != NONE && named < max; frame = before(frame)) {
            sink.accept(frame);
            named++;
        }
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
        return prefetch(rows, (firstFrame + frame) << ROW_SHIFT);
    }

    /** As {@link #prefetch}, if the frame is in this list: for a policy whose hits move frames of one list only. */
    int prefetchIn(int list, int frame) {
        int[] now = rows;
        int row = (firstFrame + frame) << ROW_SHIFT;
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
        for (int list = 0; list < lists; list++) {
            int marked = get(marks + list, LIST) == NONE ? 0 : 1;
            int count = checkRing(list, sizes[list] + marked) - marked;
            count += checkRing(asides + list, sizes[list] - count);
            expect(count == sizes[list], "a list is shorter than its size");
            listed += count;
        }
        for (int slot = firstFrame; slot < slots(); slot++) {
            listed -= get(slot, LIST) == NONE ? 0 : 1;
        }
        expect(listed == 0, "a frame names a list that it is not in");
    }

    /** Checks one ring; {@return the number of its slots, without its head} */
    private int checkRing(int head, int most) {
        int count = 0;
        for (int slot = get(head, NEXT); slot != head; slot = get(slot, NEXT)) {
            expect(get(slot, LIST) == head, "a slot does not name the list that it is in");
            expect(get(get(slot, NEXT), PREVIOUS) == slot, "links disagree");
            expect(get(get(slot, PREVIOUS), NEXT) == slot, "links disagree");
            expect(++count <= most, "a list is longer than its size");
        }
        return count;
    }

    private static void expect(boolean condition, String otherwise) {
        if (!condition) {
            throw new IllegalStateException(otherwise);
        }
    }

    private void link(int ring, int at, int slot) {
        insert(at, slot);
        set(slot, LIST, ring);
        sizes[listOfRing(ring)]++;
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
        return slot < firstFrame ? NONE : slot - firstFrame;
    }
}
