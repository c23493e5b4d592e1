// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.page;

import io.clockhand.NoSuchPageException;
import io.clockhand.PageId;
import io.clockhand.io.PageCorruptException;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.locks.ReentrantLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;

/**
 * A file of {@link SoakRun}, from its creation to its drop, and what each of its pages must hold. It may be closed and
 * opened again meanwhile.
 *
 * <p>A page is zero when it is new. Each update writes the salt of the file, the number of the page, and the LSN of
 * the update's record to all other places. So a page shows whether it is whole, to which file it belongs, and which
 * update was its last.
 *
 * <p>The model of a page changes under its latch. A truncation gives its LSN to all pages that go, before the pool
 * truncates the file: a page is new if its last update was before that, and an update before it must not be seen any
 * more when the truncation has ended.
 */
final class SoakFile {
    static final int PAGE_BYTES = 512;
    /** In the pages, behind a checksum of 4 bytes. */
    static final int LSN = 8;

    static final int MOST_PAGES = 192;
    /** Creators that run at the same time may create a few more. */
    static final int MODEL_PAGES = MOST_PAGES + 64;

    private static final int SALT = 16;
    private static final int PAGE = 24;
    private static final int VALUES = 32;

    final int number;
    final int salt;
    /** LSN of the last update of each page. */
    final AtomicLongArray last = new AtomicLongArray(MODEL_PAGES);
    /** LSN of the last update of each page that was acknowledged as durable. */
    final AtomicLongArray acknowledged = new AtomicLongArray(MODEL_PAGES);
    /** LSN of the last truncation that has begun and removes the page. */
    final AtomicLongArray truncated = new AtomicLongArray(MODEL_PAGES);
    /** The same of the truncation before. */
    final AtomicLongArray truncatedBefore = new AtomicLongArray(MODEL_PAGES);
    /** LSN of the last truncation that has ended and has removed the page. */
    final AtomicLongArray gone = new AtomicLongArray(MODEL_PAGES);

    /** Updates share it; a truncation or drop has it for itself while it says what is to go. */
    final ReentrantReadWriteLock gate = new ReentrantReadWriteLock();
    /** Held by the thread that truncates, drops or reopens the file. */
    final ReentrantLock changing = new ReentrantLock();
    /** Pages from here on are being truncated. */
    volatile long limit = Long.MAX_VALUE;

    volatile long truncation;
    volatile boolean dropping;
    volatile boolean dropped;
    /** Odd while the file is closed and opened again. */
    final AtomicLong turn = new AtomicLong();

    volatile PagedFile file;

    SoakFile(int number, int salt) {
        this.number = number;
        this.salt = salt;
    }

    long id(long page) {
        return PageId.of(number, page);
    }

    static void put(WritablePage page, int salt, long number, long lsn) {
        page.putLong(SALT, salt);
        page.putLong(PAGE, number);
        for (int at = VALUES; at < PAGE_BYTES; at += Long.BYTES) {
            page.putLong(at, lsn);
        }
    }

    /** The content of a page. */
    record Image(long salt, long page, long lsn, boolean whole) {
        static Image of(PageView view) {
            long lsn = view.getLong(VALUES);
            boolean whole = true;
            for (int at = VALUES; at < PAGE_BYTES; at += Long.BYTES) {
                whole &= view.getLong(at) == lsn;
            }
            return new Image(view.getLong(SALT), view.getLong(PAGE), lsn, whole);
        }

        boolean isNew() {
            return salt == 0 && page == 0 && lsn == 0 && whole;
        }
    }

    /** The model of a page before it is read without a latch. */
    record Before(long last, long gone, long turn) {}

    Before before(long page) {
        long at = turn.get();
        return new Before(last.get((int) page), gone.get((int) page), at);
    }

    /** Checks a page that the caller has latched in any mode. */
    void check(long page, PageView view) {
        check(page, Image.of(view), before(page));
    }

    /** Checks an image of a page that was read after {@code before} was taken. */
    void check(long page, Image image, Before before) {
        long now = last.get((int) page);
        long removed = truncated.get((int) page);
        if (!image.whole()) {
            throw wrong(page, "is torn", image, before);
        }
        if (dropping) {
            if (!image.isNew() && image.salt() < salt) {
                throw wrong(page, "is of a former file", image, before);
            }
            return; // perhaps of the next file of this number
        }
        if (image.isNew()) {
            if (before.last() > removed) {
                throw wrong(page, "has lost its updates", image, before);
            }
        } else if (image.salt() != salt || image.page() != page) {
            throw wrong(page, "is another page", image, before);
        } else if (image.lsn() < before.last()) {
            throw wrong(page, "has lost an update", image, before);
        } else if (image.lsn() > now) {
            throw wrong(page, "has an update that never ended", image, before);
        } else if (image.lsn() < before.gone()) {
            throw wrong(page, "was truncated, and is back", image, before);
        }
    }

    /** Checks that a page that was not found may be missing. */
    void checkMissing(long page, Before before) {
        boolean isRemoved = dropping || before.turn() % 2 == 1 || turn.get() != before.turn();
        if (!isRemoved && before.last() > truncated.get((int) page)) {
            throw wrong(page, "is missing", null, before);
        }
    }

    private AssertionError wrong(long page, String what, Image image, Before before) {
        return new AssertionError(
                "page " + page + " of pages-" + number + " (salt " + salt + ") " + what + ": " + image + ", " + before
                        + "; updated by " + last.get((int) page) + ", truncated by " + truncated.get((int) page));
    }

    // --- without other threads ---------------------------------------------------------------------------------------

    /** Checks that the file has all pages and updates that it should have. */
    void checkAll(BufferPool pool) throws IOException {
        long pages = file.pages();
        for (long page = 0; page < MODEL_PAGES; page++) {
            if (page >= pages) {
                checkMissing(page, before(page));
                continue;
            }
            try (PageGuard guard = pool.fix(id(page))) {
                check(page, guard);
            } catch (NoSuchPageException e) { // a creation has failed
                checkMissing(page, before(page));
            } catch (PageCorruptException e) { // the same, and the file was opened again
                if (last.get((int) page) > truncated.get((int) page)) {
                    throw e;
                }
            }
        }
    }

    /**
     * Checks the pages after redo, and takes over those updates that have survived.
     *
     * @param end where the log ends that has survived
     */
    void adopt(BufferPool pool, long end) throws IOException {
        turn.set(0);
        limit = Long.MAX_VALUE;
        long needed = 0;
        for (int page = 0; page < MODEL_PAGES; page++) {
            Image image = page < file.pages() ? image(pool, page) : null;
            adopt(page, image == null || image.isNew() ? null : image, end);
            needed = last.get(page) > 0 ? page + 1 : needed;
        }
        if (needed < file.pages()) {
            file.truncate(needed);
        }
    }

    private Image image(BufferPool pool, long page) throws IOException {
        try (PageGuard guard = pool.fix(id(page))) {
            return Image.of(guard);
        }
    }

    private void adopt(int page, Image image, long end) {
        long newest = last.get(page);
        long promised = acknowledged.get(page);
        boolean isTruncated = truncated.get(page) < end; // else the truncation was not even begun
        long removed = isTruncated ? truncated.get(page) : truncatedBefore.get(page);
        boolean right;
        if (image == null) {
            right = newest <= removed || (promised <= removed && newest >= end);
        } else {
            long lsn = image.lsn();
            right = image.whole() && image.salt() == salt && image.page() == page;
            right &= lsn > removed && lsn >= promised && lsn <= newest && lsn < end && (newest >= end || lsn == newest);
        }
        if (!right) {
            throw new AssertionError("page " + page + " of pages-" + number + " (salt " + salt + ") is " + image
                    + " after redo; updated by " + newest + ", durable up to " + promised + ", truncated by " + removed
                    + "; the log ends at " + end);
        }
        last.set(page, image == null ? 0 : image.lsn());
        acknowledged.set(page, image == null ? 0 : promised);
        truncated.set(page, removed);
        truncatedBefore.set(page, 0);
        gone.set(page, Math.min(gone.get(page), removed));
    }
}
