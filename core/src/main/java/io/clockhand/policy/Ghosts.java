// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.policy;

import java.util.Arrays;

/**
 * Pages that have left, the last so many of them, in the order in which they left: a queue that can be asked for a page. Adding and
 * taking cost constant time and allocate nothing.
 *
 * <p>Not thread-safe.
 */
final class Ghosts {
    /** No slot. */
    static final int NONE = -1;
    /** 2⁶⁴ divided by the golden ratio: spreads pages that follow each other. */
    private static final long SPREAD = 0x9E37_79B9_7F4A_7C15L;

    private static final int LEAST_BITS = 4;

    private int limit;
    private int size;
    /** By slot. A free slot has the next free one as its newer one. */
    private long[] pages = {};

    private int[] newer = {};
    private int[] older = {};
    /** The next slot of the same bucket. */
    private int[] chain = {};

    private int[] buckets = {};
    private int shift;
    private int free = NONE;
    private int newest = NONE;
    private int oldest = NONE;

    /**
     * Makes an empty queue.
     *
     * @param limit how many pages it holds at most
     */
    Ghosts(int limit) {
        limit(limit);
    }

    /** Changes how many pages are held at most; the oldest ones over it go. */
    void limit(int most) {
        trim(most);
        if (most > pages.length || buckets.length == 0) {
            grow(Math.max(1, most));
        }
        limit = most; // the last: memory may run out before
    }

    /** Lets the oldest pages go until there are no more than so many. */
    void trim(int most) {
        while (size > most) {
            remove(oldest);
        }
    }

    private void grow(int slots) {
        int had = pages.length;
        int bits = Math.max(LEAST_BITS, Integer.SIZE - Integer.numberOfLeadingZeros(slots - 1));
        int[] moreBuckets = new int[1 << bits];
        newer = Arrays.copyOf(newer, slots);
        older = Arrays.copyOf(older, slots);
        chain = Arrays.copyOf(chain, slots);
        pages = Arrays.copyOf(pages, slots); // the last of what is allocated, since it is what is looked at
        for (int slot = slots - 1; slot >= had; slot--) {
            newer[slot] = free;
            free = slot;
        }
        buckets = moreBuckets;
        shift = Long.SIZE - bits;
        Arrays.fill(buckets, NONE);
        for (int slot = oldest; slot != NONE; slot = newer[slot]) {
            hash(slot);
        }
    }

    /** {@return how many pages are held} */
    int size() {
        return size;
    }

    /** {@return one more than the greatest slot that there can be as yet} */
    int slots() {
        return pages.length;
    }

    /** {@return the slot of the page that left first, or NONE} */
    int oldest() {
        return oldest;
    }

    /** {@return the slot of a page, or NONE if it is not held} */
    int find(long page) {
        int slot = buckets[bucketOf(page)];
        while (slot != NONE && pages[slot] != page) {
            slot = chain[slot];
        }
        return slot;
    }

    /** Adds a page that has left now; the oldest one goes if there are too many. {@return its slot, or NONE if none may be held} */
    int add(long page) {
        if (limit == 0) {
            return NONE;
        }
        if (size == limit) {
            remove(oldest);
        }
        int slot = free;
        free = newer[slot];
        pages[slot] = page;
        older[slot] = newest;
        newer[slot] = NONE;
        if (newest == NONE) {
            oldest = slot;
        } else {
            newer[newest] = slot;
        }
        newest = slot;
        hash(slot);
        size++;
        return slot;
    }

    /** Takes a page out; {@return whether it was held} */
    boolean take(long page) {
        int slot = find(page);
        if (slot != NONE) {
            remove(slot);
        }
        return slot != NONE;
    }

    /** Takes the page of a slot out. */
    void remove(int slot) {
        unhash(slot);
        int before = older[slot];
        int after = newer[slot];
        if (before == NONE) {
            oldest = after;
        } else {
            newer[before] = after;
        }
        if (after == NONE) {
            newest = before;
        } else {
            older[after] = before;
        }
        newer[slot] = free;
        free = slot;
        size--;
    }

    private void hash(int slot) {
        int bucket = bucketOf(pages[slot]);
        chain[slot] = buckets[bucket];
        buckets[bucket] = slot;
    }

    private void unhash(int slot) {
        int bucket = bucketOf(pages[slot]);
        if (buckets[bucket] == slot) {
            buckets[bucket] = chain[slot];
            return;
        }
        int before = buckets[bucket];
        while (chain[before] != slot) {
            before = chain[before];
        }
        chain[before] = chain[slot];
    }

    /** Throws unless every page that is held can be found, once, and every other slot is free. */
    void checkIntegrity() {
        int held = 0;
        int before = NONE;
        for (int slot = oldest; slot != NONE; slot = newer[slot]) {
            boolean hashed = false;
            for (int other = buckets[bucketOf(pages[slot])]; other != NONE; other = chain[other]) {
                hashed |= other == slot;
            }
            if (!hashed || older[slot] != before || ++held > size) {
                throw new IllegalStateException("slot " + slot + " of the ghosts is lost");
            }
            before = slot;
        }
        int unused = 0;
        for (int slot = free; slot != NONE && unused <= pages.length; slot = newer[slot]) {
            unused++;
        }
        if (held != size || before != newest || size > limit || held + unused != pages.length) {
            throw new IllegalStateException(held + " ghosts of " + size + ", " + unused + " free slots");
        }
    }

    private int bucketOf(long page) {
        return (int) ((page * SPREAD) >>> shift);
    }
}
