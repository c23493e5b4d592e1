// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.policy;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * A table of evicted pages, each with a stamp: the time at which it was loaded. It has no order, and drops nothing
 * because of its age: the caller compares stamps. Pages are known by their {@linkplain #hash hashes}.
 *
 * <p>A bucket has eight slots, and one word that says which slots may have a page. So a page that is no ghost costs one
 * load. A new page gets an empty slot, or else the next one in turn: nearly that of the least stamp.
 *
 * <pre>
 *  word of a bucket:  eight times   | c |   tag (7 bits)   |   tag 0: the slot is empty; c: three of these bits are
 *                                                                  the number of the next slot
 *  slot:              |   check, from the page's hash (24 bits)   |   low bits of its stamp (40 bits)   |
 * </pre>
 *
 * <p>So two pages of one bucket are mistaken for each other once in two thousand million times, and a stamp that is
 * older than 2³⁹ loads looks young. Both misplace one page.
 *
 * <p><b>Shared words.</b> Slots and words of buckets are read and stored with opaque order, and nothing orders them
 * with each other: a slot counts if it has the page. The thread that evicts a page stores them; the thread that loads
 * the page empties the slot by CAS, and clears its tag afterwards, by another CAS. A change that is lost since two
 * threads change a bucket at once loses a ghost or keeps a slot from use for one turn, and no more. Nothing here
 * allocates after construction, waits or throws. Thread-safe.
 */
final class StampedGhosts {
    /** No ghost; less than any stamp. */
    static final long NONE = -1;

    private static final VarHandle WORD = MethodHandles.arrayElementVarHandle(long[].class);
    private static final int WAYS = 8;
    private static final int STAMP_BITS = 40;
    private static final int CHECK_BITS = Long.SIZE - STAMP_BITS;
    private static final long STAMP = (1L << STAMP_BITS) - 1;

    private static final long ONES = 0x0101_0101_0101_0101L;
    private static final long TAG = 0x7F;
    private static final long TAGS = TAG * ONES;
    private static final int TAG_SHIFT = 33;

    private final long[] slots;
    private final long[] buckets;

    /**
     * Makes an empty table.
     *
     * @param pages the least number of slots
     */
    StampedGhosts(long pages) {
        int count = 1;
        while ((long) count * WAYS < pages && count < 1 << 27) {
            count *= 2;
        }
        buckets = new long[count];
        slots = new long[count * WAYS];
    }

    int capacity() {
        return slots.length;
    }

    /** {@return the number by which a page is known here: its bits are spread, as by the finalizer of SplitMix64} */
    static long hash(long identity) {
        long h = (identity ^ (identity >>> 30)) * 0xBF58_476D_1CE4_E5B9L;
        h = (h ^ (h >>> 27)) * 0x94D0_49BB_1331_11EBL;
        return h ^ (h >>> 31);
    }

    private int bucket(long hash) {
        return (int) hash & (buckets.length - 1);
    }

    private static long tag(long hash) {
        return Math.max(1, (hash >>> TAG_SHIFT) & TAG);
    }

    /** {@return a word whose highest bits of bytes are set where the tag is this one} */
    private static long ways(long bucket, long tag) {
        long differences = (bucket & TAGS) ^ (tag * ONES);
        return ~(differences + TAGS) & ~TAGS;
    }

    private static int firstWay(long ways) {
        return Long.numberOfTrailingZeros(ways) / Byte.SIZE;
    }

    private static boolean isOf(long slot, long hash) {
        return (slot ^ hash) >>> STAMP_BITS == 0;
    }

    /** {@return the slot of a page, or −1} */
    private int slotOf(long hash) {
        int bucket = bucket(hash);
        for (long ways = ways((long) WORD.getOpaque(buckets, bucket), tag(hash)); ways != 0; ways &= ways - 1) {
            int slot = bucket * WAYS + firstWay(ways);
            if (isOf((long) WORD.getOpaque(slots, slot), hash)) {
                return slot;
            }
        }
        return -1;
    }

    /** The whole stamp of a slot; {@code now} if that is later, since the clock was old. */
    private static long stamp(long word, long now) {
        long age = (now - word) << CHECK_BITS >> CHECK_BITS;
        return now - Math.max(0, age);
    }

    /**
     * {@return the stamp of a page, which stays a ghost; or NONE}
     *
     * @param now a stamp not before that of any ghost
     */
    long find(long hash, long now) {
        int slot = slotOf(hash);
        if (slot < 0) {
            return NONE;
        }
        long word = (long) WORD.getOpaque(slots, slot);
        return isOf(word, hash) ? stamp(word, now) : NONE;
    }

    /** Removes a page; {@return its stamp, or NONE if it was no ghost} */
    long take(long hash, long now) {
        int slot = slotOf(hash);
        if (slot < 0) {
            return NONE;
        }
        long word = (long) WORD.getOpaque(slots, slot);
        if (!isOf(word, hash) || !WORD.compareAndSet(slots, slot, word, 0L)) {
            return NONE;
        }
        int bucket = slot / WAYS;
        long tags = (long) WORD.getOpaque(buckets, bucket);
        WORD.compareAndSet(buckets, bucket, tags, tags & ~(TAG << (slot % WAYS * Byte.SIZE)));
        return stamp(word, now);
    }

    /** Adds a page that is no ghost. */
    void put(long hash, long stamp) {
        int bucket = bucket(hash);
        long tags = (long) WORD.getOpaque(buckets, bucket);
        long empty = ways(tags, 0);
        int way;
        if (empty != 0) {
            way = firstWay(empty);
        } else {
            way = next(tags);
            tags = withNext(tags, way + 1);
        }
        int shift = way * Byte.SIZE;
        WORD.setOpaque(slots, bucket * WAYS + way, (hash & ~STAMP) | (stamp & STAMP));
        WORD.setOpaque(buckets, bucket, (tags & ~(TAG << shift)) | tag(hash) << shift);
    }

    /** Bits 7, 15 and 23. */
    private static int next(long tags) {
        return (int) ((tags >>> 7 & 1) | (tags >>> 14 & 2) | (tags >>> 21 & 4));
    }

    private static long withNext(long tags, int next) {
        return (tags & TAGS) | (next & 1L) << 7 | (next & 2L) << 14 | (next & 4L) << 21;
    }
}
