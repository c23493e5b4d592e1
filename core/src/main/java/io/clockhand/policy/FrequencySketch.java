// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.policy;

/**
 * How often pages were used lately: a count-min sketch. Each page has four counters of four bits, which it shares with
 * other pages; its frequency is the least of them. After ten times as many uses as there are frames all counters are
 * halved.
 *
 * <p>Takes 8 to 16 bytes for each frame. Not thread-safe. Halving takes a time proportional to the number of frames;
 * every other operation but {@link #resize} takes constant time, and none allocates.
 *
 * <p>Source: G. Einziger, R. Friedman, B. Manes, TinyLFU: A Highly Efficient Cache Admission Policy, ACM Transactions
 * on Storage 13(4), 2017, section 3.
 */
final class FrequencySketch {
    private static final int MOST = 15;
    private static final int COUNTERS = 4;
    private static final int COUNTER_BITS = 4;
    /** A word has 16 counters; that of the n-th kind is one of the n-th four. */
    private static final int KIND_BITS = COUNTERS * COUNTER_BITS;

    private static final long HALVED = 0x7777_7777_7777_7777L;
    private static final long ODD = 0x1111_1111_1111_1111L;
    private static final int SAMPLE = 10;
    private static final long[] SEEDS = {
        0xC3A5_C85C_97CB_3127L, 0xB492_B66F_BE98_F273L, 0x9AE1_6A3B_2F90_404FL, 0xCBF2_9CE4_8422_2325L
    };

    private long[] words = {};
    private int shift;
    /** The uses that the counters count, and at how many they are halved. */
    private long uses;

    private long sample;

    /** Sets the number of frames; forgets all if there are more than ever. If memory runs out, nothing changes. */
    void resize(int frames) {
        int bits = Math.max(1, Integer.SIZE - Integer.numberOfLeadingZeros(Math.max(1, frames) - 1));
        if (1 << bits > words.length) {
            words = new long[1 << bits];
            shift = Long.SIZE - bits;
            uses = 0;
        }
        sample = (long) SAMPLE * Math.max(1, frames);
    }

    /** {@return the frequency of a page, 0 to 15: it may be too high} */
    int frequency(long page) {
        int least = MOST;
        for (int kind = 0; kind < COUNTERS; kind++) {
            long hash = hash(page, kind);
            least = Math.min(least, (int) (words[word(hash)] >>> counter(hash, kind)) & MOST);
        }
        return least;
    }

    /** Counts a use of a page. */
    void use(long page) {
        boolean counted = false;
        for (int kind = 0; kind < COUNTERS; kind++) {
            long hash = hash(page, kind);
            int word = word(hash);
            int counter = counter(hash, kind);
            if ((words[word] >>> counter & MOST) < MOST) {
                words[word] += 1L << counter;
                counted = true;
            }
        }
        if (counted && ++uses >= sample) {
            halve();
        }
    }

    /** Each use has added to four counters, and a counter that was odd loses half a use more. */
    private void halve() {
        long odd = 0;
        for (int word = 0; word < words.length; word++) {
            odd += Long.bitCount(words[word] & ODD);
            words[word] = words[word] >>> 1 & HALVED;
        }
        uses = (uses - odd / COUNTERS) / 2;
    }

    private static long hash(long page, int kind) {
        long mixed = (page + kind) * SEEDS[kind];
        return (mixed ^ mixed >>> Integer.SIZE) * SEEDS[kind];
    }

    private int word(long hash) {
        return (int) (hash >>> shift);
    }

    /** The position of a counter: two bits of the hash that do not choose the word. */
    private static int counter(long hash, int kind) {
        return kind * KIND_BITS + (int) (hash & COUNTERS - 1) * COUNTER_BITS;
    }
}
