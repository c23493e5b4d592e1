// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.lruc.pool;

import java.util.Arrays;

/** Frames in the order of their last use, doubly linked by numbers. Guarded by a mutex of its user. */
final class LruList {
    static final int NONE = -1;

    /** The entry before the head and behind the tail. */
    private final int end;

    /** The neighbours towards the head and towards the tail; {@link #NONE} of a frame that is not in the list. */
    private final int[] before;

    private final int[] after;
    private int size;

    LruList(int frames) {
        end = frames;
        before = new int[frames + 1];
        after = new int[frames + 1];
        Arrays.fill(before, NONE);
        Arrays.fill(after, NONE);
        before[end] = end;
        after[end] = end;
    }

    void addHead(int frame) {
        insert(frame, end, after[end]);
    }

    void addTail(int frame) {
        insert(frame, before[end], end);
    }

    private void insert(int frame, int previous, int next) {
        before[frame] = previous;
        after[frame] = next;
        after[previous] = frame;
        before[next] = frame;
        size++;
    }

    void remove(int frame) {
        after[before[frame]] = after[frame];
        before[after[frame]] = before[frame];
        before[frame] = NONE;
        after[frame] = NONE;
        size--;
    }

    void moveToHead(int frame) {
        if (after[end] != frame) {
            remove(frame);
            addHead(frame);
        }
    }

    /** {@return the frame that was not used for longest, or {@link #NONE}} */
    int tail() {
        return towardsHead(end);
    }

    /** {@return the next frame in the direction of the head, or {@link #NONE}} */
    int towardsHead(int frame) {
        int previous = before[frame];
        return previous == end ? NONE : previous;
    }

    int size() {
        return size;
    }
}
