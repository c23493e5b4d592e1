// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.internal.page;

import java.util.concurrent.atomic.AtomicLong;

/**
 * Tells whether there may be pages that no look-up in the table finds, though threads use their frames: a page whose
 * read has failed while another thread reads it too, and one that an invalidation has left behind, since it was in use
 * for too long. A thread that invalidates pages looks at all frames then.
 *
 * <p>The {@code count} is incremented by the thread whose read has failed, <i>after</i> the frame says that its page is
 * unmapped, and <i>before</i> the page is; and by an invalidation that has left a page behind, in the end. {@code
 * swept} is the count that a thread has read before it looked at all frames, and met no such page. So while both are
 * equal there is none: a page that was counted before that would have been met, and one that was counted later makes
 * them differ. A thread that looks pages up tests this before and after that: a page whose read failed meanwhile, so
 * that it was missed, had been counted by then; two invalidations of one file exclude each other. Both are volatile; of
 * two threads that store to {@code swept} the one with the lesser count may be the last, which costs another look.
 *
 * <p>Thread-safe.
 */
final class HiddenPages {
    private final AtomicLong count = new AtomicLong();
    private volatile long swept;

    /** Counts a page that is about to be hidden, or was. */
    void count() {
        count.getAndIncrement();
    }

    /** {@return the count, to be read before a look at all frames} */
    long counted() {
        return count.get();
    }

    /** {@return whether no page is hidden} */
    boolean areNone() {
        return swept == count.get();
    }

    /**
     * A look at all frames has met no hidden page.
     *
     * @param counted the count before it
     */
    void swept(long counted) {
        swept = counted;
    }
}
