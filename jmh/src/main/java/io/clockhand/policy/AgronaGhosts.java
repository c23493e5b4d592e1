// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.policy;

import org.agrona.collections.Long2LongHashMap;

/**
 * {@link Ghosts} with Agrona's open-addressing map from page to slot in place of chained buckets, for comparison. The
 * limit is fixed, and operations that the benchmark does not need are left out.
 *
 * <p>The map removes by shifting entries back, so it has no tombstones and never grows once it is large enough. Not
 * thread-safe.
 */
final class AgronaGhosts {
    private static final int NONE = -1;
    private static final float LOAD_FACTOR = 0.65f;

    private final int limit;
    private final Long2LongHashMap slots;
    private final long[] pages;
    private final int[] newer;
    private final int[] older;
    private int size;
    private int free;
    private int newest = NONE;
    private int oldest = NONE;

    AgronaGhosts(int limit) {
        this.limit = limit;
        slots = new Long2LongHashMap((int) (limit / LOAD_FACTOR) + 2, LOAD_FACTOR, NONE, false);
        pages = new long[limit];
        newer = new int[limit];
        older = new int[limit];
        for (int slot = 0; slot < limit; slot++) {
            newer[slot] = slot + 1 < limit ? slot + 1 : NONE;
        }
    }

    void trim(int most) {
        while (size > most) {
            take(pages[oldest]);
        }
    }

    boolean take(long page) {
        int slot = (int) slots.remove(page);
        if (slot == NONE) {
            return false;
        }
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
        return true;
    }

    void add(long page) {
        trim(limit - 1);
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
        slots.put(page, slot);
        size++;
    }
}
