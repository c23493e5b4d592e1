// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.internal.page;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * The pages that scans have read in last: a ring of ids. A thread that reads in one more takes a place, evicts the page
 * that was there, and then stores the id of its own. So scans use a small part of the pool, and its policy keeps the
 * rest, whatever it does with pages that come once.
 *
 * <p>{@code turn} is incremented by each thread that takes a place. A place is taken by an exchange for {@code NONE},
 * so one thread gets its id, and is filled by a store with release order. Two threads may fill one place: then the page
 * of the first stays, as any page that was read in. An id is a hint: its page may have left, and may have come back.
 *
 * <p>Thread-safe. Takes no memory after it was made.
 */
final class ScannedPages {
    static final long NONE = -1;

    /** Scans keep one frame of this number. */
    private static final int FRAMES_PER_PAGE = 128;
    /** Enough for a reader that goes back a few pages, and for what is read ahead. */
    private static final int MOST_PAGES = 64;

    private final AtomicLongArray ids;
    private final AtomicInteger turn = new AtomicInteger();

    /**
     * Begins without pages.
     *
     * @param frames the number of frames of the pool
     */
    ScannedPages(int frames) {
        ids = new AtomicLongArray(Math.max(1, Math.min(MOST_PAGES, frames / FRAMES_PER_PAGE)));
        for (int i = 0; i < ids.length(); i++) {
            ids.setPlain(i, NONE);
        }
    }

    /** {@return a place for one more page} */
    int takePlace() {
        return Math.floorMod(turn.getAndIncrement(), ids.length());
    }

    /** {@return the page in a place, which is empty then; or NONE} */
    long takePage(int place) {
        return ids.getAndSet(place, NONE);
    }

    /** Fills a place. */
    void put(int place, long id) {
        ids.setRelease(place, id);
    }
}
