// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.policy;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * A table of evicted pages, each with a stamp: the time at which it was loaded. It has no order, and drops nothing
 * because of its age: the caller compares stamps.
 *
 * <p>A bucket is eight words, one cache line. A word is 0 if it is empty; otherwise its high 24 bits are a tag, from
 * the page's hash, and its low 40 bits those of the stamp. So two pages of one bucket are mistaken for each other once
 * in 16 million times, and a stamp that is older than 2³⁹ loads looks young. Both misplace one page.
 *
 * <p><b>Shared words.</b> Each word of {@code slots} stands for itself, so nothing orders it with anything. It is read
 * and stored with opaque order: stored by the thread that evicts a page, emptied by CAS by the thread that loads one.
 * A page that replaces another at the same moment is lost as a ghost, and no more. Nothing here allocates after
 * construction, waits or throws. Thread-safe.
 */
final class StampedGhosts {
    /** No ghost; less than any stamp. */
    static final long NONE = -1;

    private static final VarHandle SLOT = MethodHandles.arrayElementVarHandle(long[].class);
    private static final int WAYS = 8;
    private static final int STAMP_BITS = 40;
    private static final long STAMP = (1L << STAMP_BITS) - 1;

    private final long[] slots;
    private final int bucketMask;

    /**
     * Makes an empty table.
     *
     * @param pages the least number of slots
     */
    StampedGhosts(long pages) {
        int buckets = 1;
        while ((long) buckets * WAYS < pages && buckets < 1 << 27) {
            buckets *= 2;
        }
        bucketMask = buckets - 1;
        slots = new long[buckets * WAYS];
    }

    int capacity() {
        return slots.length;
    }

    /** Spreads the bits of an identity (the finalizer of SplitMix64). */
    private static long hash(long identity) {
        long h = (identity ^ (identity >>> 30)) * 0xBF58_476D_1CE4_E5B9L;
        h = (h ^ (h >>> 27)) * 0x94D0_49BB_1331_11EBL;
        return h ^ (h >>> 31);
    }

    private int bucket(long hash) {
        return ((int) hash & bucketMask) * WAYS;
    }

    private static long tag(long hash) {
        return hash & ~STAMP;
    }

    private static boolean isOf(long word, long tag) {
        return word != 0 && (word & ~STAMP) == tag;
    }

    /** {@return the slot of a page, or −1} */
    private int slotOf(long hash) {
        int bucket = bucket(hash);
        long tag = tag(hash);
        for (int slot = bucket; slot < bucket + WAYS; slot++) {
            if (isOf((long) SLOT.getOpaque(slots, slot), tag)) {
                return slot;
            }
        }
        return -1;
    }

    /** The whole stamp of which the word has the low bits; {@code now} if that is later, since the clock was old. */
    private static long stamp(long word, long now) {
        long age = (now - word) & STAMP;
        return age > STAMP / 2 ? now : now - age;
    }

    /**
     * {@return the stamp of a page, which stays a ghost; or NONE}
     *
     * @param now a stamp not before that of any ghost
     */
    long find(long identity, long now) {
        long hash = hash(identity);
        int slot = slotOf(hash);
        if (slot < 0) {
            return NONE;
        }
        long word = (long) SLOT.getOpaque(slots, slot);
        return isOf(word, tag(hash)) ? stamp(word, now) : NONE;
    }

    /** Removes a page; {@return its stamp, or NONE if it was no ghost} */
    long take(long identity, long now) {
        long hash = hash(identity);
        int slot = slotOf(hash);
        if (slot < 0) {
            return NONE;
        }
        long word = (long) SLOT.getOpaque(slots, slot);
        return isOf(word, tag(hash)) && SLOT.compareAndSet(slots, slot, word, 0L) ? stamp(word, now) : NONE;
    }

    /** Adds a page; in a full bucket it replaces the one with the least stamp. */
    void put(long identity, long stamp, long now) {
        long hash = hash(identity);
        int bucket = bucket(hash);
        long tag = tag(hash);
        int chosen = bucket;
        long least = Long.MAX_VALUE;
        for (int slot = bucket; slot < bucket + WAYS; slot++) {
            long word = (long) SLOT.getOpaque(slots, slot);
            if (isOf(word, tag)) {
                chosen = slot;
                break;
            }
            long age = word == 0 ? Long.MIN_VALUE : stamp(word, now);
            if (age < least) {
                least = age;
                chosen = slot;
            }
        }
        SLOT.setOpaque(slots, chosen, tag | (stamp & STAMP));
    }
}
