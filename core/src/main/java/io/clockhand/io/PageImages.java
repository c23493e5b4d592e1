// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.io;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;

/**
 * The pages that one call writes to a {@link DoubleWritePageStore}: adjacent ones, or those of an ascending list. The
 * calling thread makes it. {@link JournalWriters} writes {@code state} and {@code failure} under its lock; the calling
 * thread reads the failure when the state is final.
 */
final class PageImages {
    /** The progress of the call. */
    enum State {
        WAITING,
        /** A thread writes them to the journal, together with those of others. */
        TAKEN,
        /** The journal has them on its device, and their own thread writes them in place. */
        IN_PLACE,
        /** The journal could not be written. */
        FAILED
    }

    private final long first;
    private final int count;
    /** Has their numbers from {@code from} on; null if they are adjacent. */
    private final long[] listed;

    private final int from;
    /** The bytes that are written in place; the position moves. */
    private final ByteBuffer source;
    /** The same bytes for the thread that writes the journal, which may be another one. */
    private final ByteBuffer forJournal;

    private final int begin;

    State state = State.WAITING;
    /** Why the journal could not be written. */
    Throwable failure;

    private PageImages(long first, int count, long[] listed, int from, ByteBuffer source) {
        this.first = first;
        this.count = count;
        this.listed = listed;
        this.from = from;
        this.source = source;
        this.forJournal = source.duplicate();
        this.begin = source.position();
    }

    /** {@return the images of adjacent pages, which remain in {@code source}} */
    static PageImages ofRun(long first, int count, ByteBuffer source) {
        return new PageImages(first, count, null, 0, source);
    }

    /** {@return the images of listed pages, which remain in {@code source}} The list must not change meanwhile. */
    static PageImages listed(long[] pages, int from, int to, ByteBuffer source) {
        boolean isRun = PageBatch.endOfRun(pages, from, to) == to;
        return new PageImages(pages[from], to - from, isRun ? null : pages, from, source);
    }

    /** {@return the number of pages of a group} */
    static int count(List<PageImages> group) {
        int pages = 0;
        for (PageImages images : group) {
            pages += images.count;
        }
        return pages;
    }

    boolean isRun() {
        return listed == null;
    }

    int count() {
        return count;
    }

    long page(int index) {
        return listed == null ? first + index : listed[from + index];
    }

    long last() {
        return page(count - 1);
    }

    boolean contains(long page) {
        return listed == null
                ? page >= first && page < first + count
                : Arrays.binarySearch(listed, from, from + count, page) >= 0;
    }

    boolean sharesPageWith(PageImages other) {
        if (last() < other.page(0) || other.last() < page(0)) {
            return false;
        }
        int mine = 0;
        int others = 0;
        while (mine < count && others < other.count) {
            int order = Long.compare(page(mine), other.page(others));
            if (order == 0) {
                return true;
            } else if (order < 0) {
                mine++;
            } else {
                others++;
            }
        }
        return false;
    }

    /** {@return the images from the first byte on} For the thread that writes the journal. */
    ByteBuffer forJournal() {
        return forJournal.position(begin);
    }

    /** {@return the image of the last page} For the thread that writes the journal. */
    ByteBuffer lastForJournal(int pageBytes) {
        return forJournal.position(begin + (count - 1) * pageBytes);
    }

    /** Writes each run of adjacent pages in place. */
    void writeTo(PageStore store) throws IOException {
        if (listed != null) {
            PageBatch.writeRuns(store, listed, from, from + count, source);
        } else if (count == 1) {
            store.write(first, source);
        } else {
            store.writeRun(first, source);
        }
    }

    /** {@return the pages, as messages call them} */
    @Override
    public String toString() {
        return count == 1 ? "page " + first : (isRun() ? "pages " : count + " of the pages ") + first + " to " + last();
    }
}
