// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.internal.table;

import java.util.concurrent.ThreadLocalRandom;

/**
 * The hints of an {@link ArrayPageTable}: an array with a frame for each value of the lower bits of a page's number, a
 * direct-mapped cache of the tree. Neighbouring pages have neighbouring hints, and no two pages of a dense file share a
 * hint, if it has no more pages than there are hints. Files begin at hints that are spread over the array.
 *
 * <p>Static methods on an array that the table has itself, so that a hit loads one reference less.
 *
 * <p>A hint may lead to a page that was unmapped and is still in use. So a caller that unmaps such a page marks it in
 * its header before.
 *
 * <p><b>Shared words.</b> Hints are loaded and stored plainly, by any thread, and a store may be lost or late. That
 * costs walks of the tree and nothing else: a hint leads to a frame's header, whose identity the reader compares. A
 * thread that has mapped a page sets its hint if no other page has it, so a page that is used once does not take the
 * hint of one that is used often; a thread that unmaps a page clears the hint if it has the page's frame. Where two
 * resident pages share a hint, a lookup that had to walk the tree takes the hint over once in {@value #TAKEOVERS}
 * times: so the page that is looked up more often usually has it, and few hits store to shared memory.
 */
final class FrameHints {
    private static final int LEAST = 1024;
    private static final int MOST = 1 << 30;
    private static final int TAKEOVERS = 32;
    /** The first bit of a file's number in an id. */
    private static final int FILE_SHIFT = 43;
    /** 2³² divided by the golden ratio. */
    private static final int SPREAD = 0x9E37_79B9;
    /** No page has the hint; else it is a frame + 1. */
    private static final int UNUSED = 0;

    private FrameHints() {}

    /** {@return the hints for a number of frames: two to four for each, a power of two} */
    static int[] create(int frames) {
        long wanted = Math.max(LEAST, 2L * frames);
        return new int[wanted > MOST / 2 ? MOST : Integer.highestOneBit((int) wanted - 1) << 1];
    }

    /** {@return the frame in which the page probably is; negative if there is no hint} */
    static int get(int[] hints, long id) {
        return hints[slot(id) & hints.length - 1] - 1;
    }

    /** Sets the hint of a page that was just mapped, unless another page has it. */
    static void setIfUnused(int[] hints, long id, int frame) {
        int at = slot(id) & hints.length - 1;
        if (hints[at] == UNUSED) {
            hints[at] = frame + 1;
        }
    }

    /** Sets the hint of a page that a walk of the tree has found. */
    static void offer(int[] hints, long id, int frame) {
        int at = slot(id) & hints.length - 1;
        int there = hints[at];
        if (there != frame + 1
                && (there == UNUSED || ThreadLocalRandom.current().nextInt(TAKEOVERS) == 0)) {
            hints[at] = frame + 1;
        }
    }

    /** Clears the hint of a page that is being unmapped from a frame. */
    static void clear(int[] hints, long id, int frame) {
        int at = slot(id) & hints.length - 1;
        if (hints[at] == frame + 1) {
            hints[at] = UNUSED;
        }
    }

    private static int slot(long id) {
        return (int) id + (int) (id >>> FILE_SHIFT) * SPREAD;
    }
}
