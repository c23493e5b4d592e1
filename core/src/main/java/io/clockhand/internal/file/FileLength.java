// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.internal.file;

import java.util.Arrays;
import java.util.TreeSet;

/**
 * How many pages a file has, and which pages are being created behind them.
 *
 * <p>A creation takes the next number and writes its page concurrently with others. The pages up to the last one that
 * was written exist as soon as every creation of a smaller number has ended. A page that could not be written is given
 * up if nothing was written behind it, and its number is taken again. Otherwise it is a <i>hole</i>: it does not exist,
 * and its number stays unused while the file is open.
 *
 * <p>All changes are made under the lock of the file. {@code pages} and {@code holes} are volatile, and read without
 * it. Holes are published before the pages behind them, so that nobody finds a hole.
 */
final class FileLength {
    private volatile long pages;
    /** Sorted. */
    private volatile long[] holes = {};

    /** The number that the next creation takes; creations in progress have those between {@code pages} and this. */
    private long next;

    private final TreeSet<Long> written = new TreeSet<>();
    private final TreeSet<Long> failed = new TreeSet<>();
    private int writing;

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
        return known.length > 0 && Arrays.binarySearch(known, page) >= 0;
    }

    boolean isWriting() {
        return writing > 0;
    }

    /** {@return the number of the page to be written} */
    long beginWriting() {
        writing++;
        return next++;
    }

    void endWriting(long page, boolean success) {
        writing--;
        (success ? written : failed).add(page);
        publish();
    }

    private void publish() {
        long end = pages;
        while (end < next && (written.contains(end) || failed.contains(end))) {
            end++;
        }
        Long last = written.lower(end);
        if (last == null) {
            return;
        }
        var skipped = failed.headSet(last);
        if (!skipped.isEmpty()) {
            long[] more = Arrays.copyOf(holes, holes.length + skipped.size());
            int at = holes.length;
            for (long hole : skipped) {
                more[at++] = hole;
            }
            holes = more; // before pages
            skipped.clear();
        }
        written.headSet(end).clear();
        pages = last + 1;
    }

    /** Gives up the pages behind the last one, none of which was written; their numbers are taken again. */
    void giveUpFailed() {
        failed.clear();
        next = pages;
    }

    /** Publishes a shorter length; the numbers behind it stay unused until {@link #completeTruncation}. */
    void truncate(long keep) {
        pages = keep;
    }

    void completeTruncation() {
        long end = pages;
        next = end;
        holes = Arrays.stream(holes).filter(hole -> hole < end).toArray();
    }
}
