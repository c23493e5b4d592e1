// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.policy;

import java.util.Arrays;

/**
 * A ghost directory: the identities of the most recently evicted pages, in order of eviction. Bounded; drops the
 * oldest. Every operation but a raise of the limit takes constant time and allocates nothing.
 *
 * <p>Not thread-safe.
 */
final class Ghosts {
    /*
     * Each page has a slot, whose number policies use for data of their own. Slots are linked in order of eviction and,
     * by the hash of the page, in chains of about one slot each. Written by hand, since a library's map from page to
     * slot, with the order kept in arrays next to it, was measured slower and larger: see architecture.md.
     */

    /** No slot. */
    static final int NONE = -1;
    /** 2⁶⁴ divided by the golden ratio: spreads pages that follow each other. */
    private static final long SPREAD = 0x9E37_79B9_7F4A_7C15L;

    private static final int LEAST_BITS = 4;

    private int limit;
    private int size;
    /** By slot. For a free slot, {@code newer} links the next free one. */
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
     * @param limit the greatest number of pages
     */
    Ghosts(int limit) {
        limit(limit);
    }

    /**
     * Changes the greatest number of pages; drops the oldest ones above it. If memory runs out, the old limit stays.
     */
    void limit(int most) {
        trim(most);
        if (most > pages.length || buckets.length == 0) {
            grow(Math.max(1, most));
        }
        limit = most; // last, since grow may run out of memory
    }

    /** Drops the oldest pages until at most {@code most} are left. */
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
        pages = Arrays.copyOf(pages, slots); // the last allocation, since its length is what others test
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

    /** {@return the number of pages} */
    int size() {
        return size;
    }

    /** {@return one more than the greatest slot} */
    int slots() {
        return pages.length;
    }

    /** {@return the slot of the page that was evicted first, or NONE} */
    int oldest() {
        return oldest;
    }

    /** {@return the slot of a page, or NONE if it is no ghost} */
    int find(long page) {
        int slot = buckets[bucketOf(page)];
        while (slot != NONE && pages[slot] != page) {
            slot = chain[slot];
        }
        return slot;
    }

    /**
     * Adds an evicted page, which is no ghost yet; drops the oldest at the limit. {@return its slot, or NONE if the
     * limit is 0}
     */
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

    /** Removes a page; {@return whether it was a ghost} */
    boolean take(long page) {
        int slot = find(page);
        if (slot != NONE) {
            remove(slot);
        }
        return slot != NONE;
    }

    /** Removes the page of a slot. */
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

    /** Throws unless every page is found once, and every other slot is free. */
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

    /**
     * Throws if the page of a frame that is in a list is a ghost, see {@link SelfChecking#checkGhosts}.
     *
     * @param pages the page of each frame
     */
    void checkNoneIsResident(FrameLists lists, long[] pages) {
        for (int frame = 0; frame < pages.length; frame++) {
            if (lists.listOf(frame) != FrameLists.NONE && find(pages[frame]) != NONE) {
                throw new IllegalStateException("page " + pages[frame] + " is in frame " + frame + ", and is a ghost");
            }
        }
    }

    private int bucketOf(long page) {
        return (int) ((page * SPREAD) >>> shift);
    }
}
