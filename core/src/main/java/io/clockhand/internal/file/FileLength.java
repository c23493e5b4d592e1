// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.internal.file;

import java.util.Arrays;

/**
 * How many pages a file has, and which pages are being created behind them.
 *
 * <p>A creation takes the next number and writes its page concurrently with others. The pages up to the last one that
 * was written exist as soon as every creation of a smaller number has ended. A page that could not be written is given
 * up if nothing was written behind it, and its number is taken again. Otherwise it is a <i>hole</i>: it does not exist,
 * and its number stays unused while the file is open.
 *
 * <p><b>Only the begin of a creation allocates</b>: the creation, and room for the holes that those in progress can
 * leave. So a creation ends even without memory, and those that wait for it go on.
 *
 * <p>All changes are made under the lock of the file. {@code pages} and {@code holes} are volatile, and read without
 * it. Holes are published before the pages behind them, so that nobody finds a hole.
 */
final class FileLength {
    /** Behind the last hole in an array of holes. */
    private static final long NO_HOLE = Long.MAX_VALUE;

    private static final int LEAST_HOLES = 8;

    private volatile long pages;
    /**
     * Sorted, with {@link #NO_HOLE} behind the last one: room for a hole of each creation that is not published. Holes
     * are added and taken out at the end, so that a concurrent reader finds the array sorted at any time.
     */
    private volatile long[] holes = {};

    private int holeCount;

    /** The number that the next creation takes; creations in progress have those between {@code pages} and this. */
    private long next;

    /** The creations from page {@code pages} on, linked in the order of their pages; null if there is none. */
    private Creation first;

    private Creation last;
    private int unpublished;
    private int writing;

    /** The creation of one page. */
    static final class Creation {
        private final long page;
        private State state = State.WRITING;
        private Creation later;

        private Creation(long page) {
            this.page = page;
        }

        /** {@return the number of the page to be written} */
        long page() {
            return page;
        }
    }

    private enum State {
        WRITING,
        WRITTEN,
        FAILED
    }

    FileLength(long pages) {
        this.pages = pages;
        this.next = pages;
    }

    long pages() {
        return pages;
    }

    /** {@return the pages that a file of this length would have if all creations succeeded} */
    long next() {
        return next;
    }

    boolean exists(long page) {
        return page < pages && !isHole(page);
    }

    boolean isHole(long page) {
        long[] known = holes;
        return known.length > 0 && known[0] <= page && Arrays.binarySearch(known, page) >= 0;
    }

    boolean isWriting() {
        return writing > 0;
    }

    /** Begins a creation; changes nothing if there is no memory for it. */
    Creation beginWriting() {
        Creation begun = new Creation(next);
        reserveHoles(holeCount + unpublished + 1);
        if (last == null) {
            first = begun;
        } else {
            last.later = begun;
        }
        last = begun;
        unpublished++;
        writing++;
        next++;
        return begun;
    }

    private void reserveHoles(int needed) {
        long[] known = holes;
        if (needed > known.length) {
            long[] more = Arrays.copyOf(known, Math.max(LEAST_HOLES, 2 * needed));
            Arrays.fill(more, holeCount, more.length, NO_HOLE);
            holes = more;
        }
    }

    void endWriting(Creation ended, boolean success) {
        writing--;
        ended.state = success ? State.WRITTEN : State.FAILED;
        publish();
    }

    private void publish() {
        Creation end = null;
        for (Creation creation = first;
                creation != null && creation.state != State.WRITING;
                creation = creation.later) {
            if (creation.state == State.WRITTEN) {
                end = creation;
            }
        }
        if (end == null) {
            return;
        }
        long[] known = holes;
        for (; first != end.later; first = first.later) {
            if (first.state == State.FAILED) {
                known[holeCount++] = first.page; // before pages
            }
            unpublished--;
        }
        last = first == null ? null : last;
        pages = end.page + 1;
    }

    /** Gives up the pages behind the last one, none of which was written; their numbers are taken again. */
    void giveUpFailed() {
        forgetCreations();
        next = pages;
    }

    private void forgetCreations() {
        first = null;
        last = null;
        unpublished = 0;
    }

    /** Publishes a shorter length; the numbers behind it stay unused until {@link #completeTruncation}. */
    void truncate(long keep) {
        pages = keep;
    }

    void completeTruncation() {
        long end = pages;
        long[] known = holes;
        while (holeCount > 0 && known[holeCount - 1] >= end) {
            known[--holeCount] = NO_HOLE;
        }
        forgetCreations();
        next = end;
    }
}
