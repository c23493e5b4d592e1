// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.internal.page;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.function.LongConsumer;

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
    private static final long NONE = -1;

    /** Scans keep one frame of this number. */
    private static final int FRAMES_PER_PAGE = 128;
    /** Enough for a reader that goes back a few pages, and for what is read ahead. */
    private static final int MOST_PAGES = 64;

    private final AtomicLongArray ids;
    private final AtomicInteger turn = new AtomicInteger();
    private final LongConsumer drop;

    /**
     * Begins without pages.
     *
     * @param frames the number of frames of the pool
     * @param drop evicts a page, unless somebody uses it
     */
    ScannedPages(int frames, LongConsumer drop) {
        this.drop = drop;
        ids = new AtomicLongArray(Math.max(1, Math.min(MOST_PAGES, frames / FRAMES_PER_PAGE)));
        for (int i = 0; i < ids.length(); i++) {
            ids.setPlain(i, NONE);
        }
    }

    /** Takes a place for one more page, and evicts the page that was there. */
    int makePlace() {
        int place = Math.floorMod(turn.getAndIncrement(), ids.length());
        long former = ids.getAndSet(place, NONE);
        if (former != NONE) {
            drop.accept(former);
        }
        return place;
    }

    /** Fills a place. */
    void put(int place, long id) {
        ids.setRelease(place, id);
    }
}
