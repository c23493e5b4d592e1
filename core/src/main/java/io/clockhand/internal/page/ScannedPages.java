// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.internal.page;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.function.IntSupplier;

/**
 * The pages that scans have read in last: a ring of ids. A thread that reads in some more takes places, evicts the
 * pages that were there, and then stores the ids of its own. So scans use a small part of the pool, and its policy
 * keeps the rest, whatever it does with pages that come once.
 *
 * <p>{@code turn} is raised by each thread that takes places. A place is taken by an exchange for {@code NONE}, so one
 * thread gets its id, and is filled by a store with release order. Two threads may fill one place: then the page of the
 * first stays, as any page that was read in. An id is a hint: its page may have left, and may have come back. It is
 * marked if its page was read ahead, so that one use by somebody else tells.
 *
 * <p>Thread-safe. Takes no memory after it was made.
 */
final class ScannedPages {
    private static final long NONE = -1;
    /** Of the id of a page that was read ahead. */
    private static final long AHEAD = Long.MIN_VALUE;

    /** Scans keep one frame of this number. */
    private static final int FRAMES_PER_PAGE = 128;
    /** Enough for a reader that goes back a few pages, and for what is read ahead. */
    private static final int MOST_PAGES = 256;
    /** More scans at the same time evict each other's pages, and read some of them twice. */
    private static final int SCANS = 4;

    private static final int MOST_AT_ONCE = 16;

    private final AtomicLongArray ids;
    private final AtomicInteger turn = new AtomicInteger();
    private final IntSupplier frames;
    private final Drop drop;

    /** Evicts pages. */
    interface Drop {
        /**
         * Evicts a page, unless somebody uses it, or has used it.
         *
         * @param id the page
         * @param ahead whether it was read ahead
         */
        void drop(long id, boolean ahead);
    }

    /**
     * Begins without pages.
     *
     * @param mostFrames the greatest number of frames of the pool
     * @param frames the number of frames at the moment
     */
    ScannedPages(int mostFrames, IntSupplier frames, Drop drop) {
        this.frames = frames;
        this.drop = drop;
        ids = new AtomicLongArray(places(mostFrames));
        for (int i = 0; i < ids.length(); i++) {
            ids.setPlain(i, NONE);
        }
    }

    private static int places(int frames) {
        return Math.max(1, Math.min(MOST_PAGES, frames / FRAMES_PER_PAGE));
    }

    private int places() {
        return Math.min(ids.length(), places(frames.getAsInt()));
    }

    /** {@return how many pages a scan may read at once, so that a few scans do not evict each other's} */
    int mostAtOnce() {
        return Math.max(1, Math.min(MOST_AT_ONCE, places() / SCANS));
    }

    /** Takes places for some more pages, and evicts the pages that were there; {@return the first place} */
    int makePlaces(int pages) {
        int first = turn.getAndAdd(pages);
        int places = places();
        for (int i = 0; i < pages; i++) {
            long former = ids.getAndSet(Math.floorMod(first + i, places), NONE);
            if (former != NONE) {
                drop.drop(former & ~AHEAD, former < 0);
            }
        }
        return first;
    }

    /**
     * Fills places, one after the other.
     *
     * @param first the first place
     * @param id the first page
     * @param pages how many adjacent pages; those behind the first were read ahead
     */
    void put(int first, long id, int pages) {
        int places = places();
        for (int i = 0; i < pages; i++) {
            ids.setRelease(Math.floorMod(first + i, places), i == 0 ? id : id + i | AHEAD);
        }
    }
}
