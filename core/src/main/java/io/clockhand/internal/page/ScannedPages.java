// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.internal.page;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.function.LongConsumer;

/**
 * The pages that scans have read in last: a ring of ids. A thread that reads in some more takes places, evicts the
 * pages that were there, and then stores the ids of its own. So scans use a small part of the pool, and its policy
 * keeps the rest, whatever it does with pages that come once.
 *
 * <p>{@code turn} is raised by each thread that takes places. A place is taken by an exchange for {@code NONE}, so one
 * thread gets its id, and is filled by a store with release order. Two threads may fill one place: then the page of the
 * first stays, as any page that was read in. An id is a hint: its page may have left, and may have come back.
 *
 * <p>Thread-safe. Takes no memory after it was made.
 */
final class ScannedPages {
    private static final long NONE = -1;

    /** Scans keep one frame of this number. */
    private static final int FRAMES_PER_PAGE = 128;
    /** Enough for a reader that goes back a few pages, and for what is read ahead. */
    private static final int MOST_PAGES = 64;
    /** So many at the same time have places enough. */
    private static final int SCANS = 4;

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

    /** {@return how many pages a scan may read at once, so that several scans do not evict each other's} */
    int mostAtOnce() {
        return Math.max(1, ids.length() / SCANS);
    }

    /** Takes places for some more pages, and evicts the pages that were there; {@return the first place} */
    int makePlaces(int pages) {
        int first = turn.getAndAdd(pages);
        for (int i = 0; i < pages; i++) {
            long former = ids.getAndSet(Math.floorMod(first + i, ids.length()), NONE);
            if (former != NONE) {
                drop.accept(former);
            }
        }
        return first;
    }

    /**
     * Fills places, one after the other.
     *
     * @param first the first place
     * @param id the first page
     * @param pages how many adjacent pages
     */
    void put(int first, long id, int pages) {
        for (int i = 0; i < pages; i++) {
            ids.setRelease(Math.floorMod(first + i, ids.length()), id + i);
        }
    }
}
