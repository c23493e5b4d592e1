// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.internal.page;

import io.clockhand.internal.advice.Advice;
import io.clockhand.internal.frame.FrameMemory;
import io.clockhand.internal.frame.FrameRef;
import io.clockhand.internal.table.PageTable;

/**
 * Begins optimistic reads of several pages in passes: each pass makes one step for all pages, so that their loads wait
 * for memory at the same time. Belongs to one thread, which uses it again and again; allocates nothing.
 *
 * <p>The passes load the words of the table that lead to the frames, then the headers of the frames, then the first
 * bytes of the pages. A page whose first candidate was wrong is looked up again between the last two. Each page is read
 * by the protocol of {@link FrameRef}, and by nothing else, so the order in which the steps of different pages happen
 * is of no importance.
 *
 * <p>Group prefetching as in S. Chen, A. Ailamaki, P. Gibbons, T. Mowry: Improving Hash Join Performance through
 * Prefetching, ICDE 2004, with loads in place of the instructions that Java does not have. A load takes effect only if
 * its value is used: the words are stored in the references, and the bytes of a page are added to {@code touched}.
 */
public final class GroupRead {

    private final PagePool pool;
    private final PageTable table;
    private final FrameMemory memory;
    private final PageCounters counters;
    /** Null if nothing is estimated. */
    private final Advice advice;

    private int count;
    private final long[] ids;
    private final int[] candidates;
    private final FrameRef[] refs;
    /** The pages that were not begun. */
    private final int[] left;
    /** Never read: it makes the loads of {@link #touchBytes} count. */
    private long touched;

    GroupRead(PagePool pool, PageTable table, PageCounters counters, Advice advice, int capacity) {
        this.pool = pool;
        this.table = table;
        this.memory = pool.memory();
        this.counters = counters;
        this.advice = advice;
        this.ids = new long[capacity];
        this.candidates = new int[capacity];
        this.left = new int[capacity + 1];
        this.refs = new FrameRef[capacity];
        for (int i = 0; i < capacity; i++) {
            refs[i] = pool.newRef();
        }
    }

    /**
     * {@return a page}
     *
     * @param index its place in the group
     */
    public long id(int index) {
        return ids[index];
    }

    /**
     * {@return the read of a page}
     *
     * @param index its place in the group
     */
    public FrameRef ref(int index) {
        return refs[index];
    }

    /**
     * Sets the pages.
     *
     * @param pages their ids
     * @param from where they begin
     * @param number the number of pages
     * @return whether they are the same as before
     */
    public boolean set(long[] pages, int from, int number) {
        long difference = number ^ count;
        for (int i = 0; i < number; i++) {
            long id = pages[from + i];
            difference |= ids[i] ^ id;
            ids[i] = id;
        }
        count = number;
        return difference == 0;
    }

    /**
     * Begins to read the pages without pins, and adds to their weights; nothing is stored where the weight is at its
     * cap.
     *
     * @return the number of pages that were not begun, since they are not resident, or are being written, or the policy
     *     tracks accesses; {@link #left} has them
     */
    public int begin() {
        if (pool.tracksAccesses()) {
            for (int i = 0; i < count; i++) {
                left[i] = i;
            }
            return count;
        }
        for (int i = 0; i < count; i++) {
            candidates[i] = table.peek(ids[i]);
        }
        int rest = 0;
        for (int i = 0; i < count; i++) {
            left[rest] = i; // overwritten by the next one if this page was begun
            rest += tryBegin(i) ? 0 : 1;
        }
        rest = rest == 0 ? 0 : find(rest);
        if (!pool.isPlain()) {
            recordBegun(rest);
        }
        return rest;
    }

    private void recordBegun(int rest) {
        boolean records = pool.recordsReferences();
        for (int i = 0, k = 0; i < count; i++) {
            if (k < rest && left[k] == i) {
                k++;
            } else {
                counters.hit(ids[i]);
                if (records) {
                    advice.record(ids[i]);
                }
            }
        }
    }

    private int find(int number) {
        int rest = 0;
        for (int k = 0; k < number; k++) {
            int i = left[k];
            candidates[i] = table.find(ids[i]);
            left[rest] = i;
            rest += tryBegin(i) ? 0 : 1;
        }
        return rest;
    }

    private boolean tryBegin(int i) {
        int frame = candidates[i];
        return frame >= 0 && refs[i].begin(frame, ids[i], pool.weightCap());
    }

    /**
     * {@return the place of a page that was not begun}
     *
     * @param k 0 to the result of {@link #begin} − 1
     */
    public int left(int k) {
        return left[k];
    }

    /** Loads the first bytes of each page, when all were begun. */
    public void touchBytes() {
        long sum = touched;
        for (int i = 0; i < count; i++) {
            sum += memory.getLong(refs[i].buffer(), 0);
        }
        touched = sum;
    }

    /** {@return whether no page has changed since its read was begun} */
    public boolean areUnchanged() {
        boolean unchanged = true;
        for (int i = 0; i < count; i++) {
            unchanged &= refs[i].isUnchanged();
        }
        return unchanged;
    }
}
