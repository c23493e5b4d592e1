// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.lruc.pool;

import java.util.Arrays;

/**
 * From a page to the number of its frame, or of its slot in the temporary write buffer: chains by numbers. Each chain
 * belongs to one of some locks; a page is found, mapped, pinned and unmapped under {@link #lockOf its lock}. These
 * locks are held for work in memory only, and no mutex is taken meanwhile except those of the free list and of the
 * write buffer.
 */
final class PageTable {
    static final int NONE = -1;
    private static final long GOLDEN = 0x9E37_79B9_7F4A_7C15L;
    private static final int LOCKS = 256;

    private final int shift;
    private final int[] heads;
    private final int[] next;
    private final long[] pages;
    private final Object[] locks = new Object[LOCKS];

    /**
     * Makes an empty table.
     *
     * @param numbers of frames and slots together
     */
    PageTable(int numbers) {
        int bits = Math.max(Integer.numberOfTrailingZeros(LOCKS), Integer.SIZE - Integer.numberOfLeadingZeros(numbers));
        shift = Long.SIZE - bits;
        heads = new int[1 << bits];
        Arrays.fill(heads, NONE);
        next = new int[numbers];
        pages = new long[numbers];
        Arrays.setAll(locks, i -> new Object());
    }

    private int chainOf(long page) {
        return (int) ((page * GOLDEN) >>> shift);
    }

    Object lockOf(long page) {
        return locks[chainOf(page) % LOCKS];
    }

    /** {@return the number, or {@link #NONE}} Under the lock of the page. */
    int find(long page) {
        int number = heads[chainOf(page)];
        while (number != NONE && pages[number] != page) {
            number = next[number];
        }
        return number;
    }

    /** Maps a page that is not mapped. Under its lock. */
    void add(long page, int number) {
        int chain = chainOf(page);
        pages[number] = page;
        next[number] = heads[chain];
        heads[chain] = number;
    }

    /** Unmaps the page of a number. Under the lock of the page. */
    void remove(int number) {
        int chain = chainOf(pages[number]);
        if (heads[chain] == number) {
            heads[chain] = next[number];
            return;
        }
        int at = heads[chain];
        while (next[at] != number) {
            at = next[at];
        }
        next[at] = next[number];
    }

    /** The page of a number. The caller has excluded that it changes: by a pin, a list's mutex, or a write. */
    long pageOf(int number) {
        return pages[number];
    }
}
