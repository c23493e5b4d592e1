// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.internal.file;

/**
 * How many pages a file has, which pages are being created behind them, and how far the store is extended.
 *
 * <p>A creation takes the next number, and maps its page concurrently with others. A page exists when its creation, and
 * every creation of a smaller number, has ended. So {@code pages} never counts a page whose creation is in progress.
 * The number of a creation that has failed is taken again if it is the last one.
 *
 * <p>A creation that has begun ends without memory, so those that wait for it go on.
 *
 * <p>All changes are made under the lock of the file. {@code pages} and {@code next} are volatile, and read without it.
 * A truncation stores {@code pages} before {@code next}, so that {@code pages} is never greater.
 */
final class FileLength {
    private static final long NONE = -1;
    /** Least and greatest extension of a store, unless a page is larger. */
    private static final int LEAST_PAGES = 8;

    private static final int GREATEST_BYTES = 1 << 20;
    /** An extension adds this part of the file. */
    private static final int PART = 8;

    private volatile long pages;
    /** The number that the next creation takes; creations in progress have those between {@code pages} and this. */
    private volatile long next;
    /** The number of pages that the store has at least; those from {@code next} on are zero. */
    private long extended;

    /** The creations from page {@code pages} on, linked in the order of their pages; null if there is none. */
    private Creation first;

    private Creation last;

    /** The creation of one page. */
    static final class Creation {
        private long page = NONE;
        private boolean ended;
        private Creation later;
        /** Makes it an object that another thread could see, see {@link io.clockhand.internal.pool.BoundedWait}. */
        @SuppressWarnings("UnusedVariable")
        private final Object mapping;

        Creation(Object mapping) {
            this.mapping = mapping;
        }

        /** {@return whether it has a number} */
        boolean hasBegun() {
            return page != NONE;
        }

        /** {@return the number of the page} */
        long page() {
            return page;
        }
    }

    FileLength(long pages) {
        this.pages = pages;
        this.next = pages;
        this.extended = pages;
    }

    /** {@return the number of pages that exist} */
    long pages() {
        return pages;
    }

    /** {@return the number of pages that exist or are being created} */
    long next() {
        return next;
    }

    /** {@return whether the store has a page for the next creation} */
    boolean hasRoom() {
        return next < extended;
    }

    /**
     * {@return the number of pages to which the store is extended for the next creation}
     *
     * @param pageBytes the size of a page
     */
    long extension(int pageBytes) {
        long most = Math.max(1, GREATEST_BYTES / pageBytes);
        return extended + Math.min(most, Math.max(LEAST_PAGES, extended / PART));
    }

    /** {@return the number of pages that the store has at least} Changed by the thread that extends it. */
    long extended() {
        return extended;
    }

    /** The store has been extended. */
    void extended(long end) {
        extended = end;
    }

    /** Gives the next number to a creation. */
    void begin(Creation creation) {
        long page = next;
        creation.page = page;
        if (last == null) {
            first = creation;
        } else {
            last.later = creation;
        }
        last = creation;
        next = page + 1;
    }

    /** The page of a creation is mapped, or written. */
    void end(Creation creation) {
        creation.ended = true;
        while (first != null && first.ended) {
            pages = first.page + 1;
            first = first.later;
        }
        last = first == null ? null : last;
    }

    /** Takes the number of a creation back, if it is the last one; {@return whether it was} */
    boolean tryGiveUp(Creation creation) {
        if (creation.later != null) {
            return false;
        }
        last = null;
        for (Creation earlier = first; earlier.page < creation.page; earlier = earlier.later) {
            last = earlier;
        }
        if (last == null) {
            first = null;
        } else {
            last.later = null;
        }
        next = creation.page;
        return true;
    }

    /** Publishes a shorter length; no creation is in progress. */
    void truncate(long keep) {
        pages = keep;
        next = keep;
    }

    /** The store was truncated to the length of the file. */
    void storeTruncated() {
        extended = next;
    }
}
