// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.page;

import io.clockhand.FileBeingTruncatedException;
import io.clockhand.NoSuchPageException;
import io.clockhand.PageId;
import io.clockhand.internal.file.FileTable;
import io.clockhand.internal.file.PageFile;
import io.clockhand.internal.flush.Checkpointer;
import io.clockhand.internal.flush.DirtyPages;
import io.clockhand.internal.flush.Flusher;
import io.clockhand.internal.flush.SharedUpdates;
import io.clockhand.internal.page.PagePool;
import io.clockhand.internal.pool.PoolOptions;
import io.clockhand.internal.table.ChainedPageTable;
import io.clockhand.policy.ClockHand;
import io.clockhand.policy.Policies;
import io.clockhand.wal.WriteAheadLog;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A buffer pool as {@link BufferPool} makes it, without threads and figures, over stores and a log in memory: a page
 * that is updated exclusively, a page of rows, and a file without pages. Pages hold the LSNs of their last updates, so
 * a pool can be used again: a test takes one and gives it back in its arbiter, since pools are costly to make.
 */
public final class StressPool {
    /** The rows of a page, by their place. */
    public static final int LEFT = 8;

    public static final int RIGHT = 16;

    static final int PAGE_BYTES = 32;
    private static final int LSN = 0;
    private static final int FRAMES = 6;
    private static final int ROWS = 2;
    private static final long PAGE_ID = PageId.of(1, 0);
    private static final long ROWS_ID = PageId.of(ROWS, 0);
    private static final int GROWING = 3;

    private static final ConcurrentLinkedQueue<StressPool> FREE = new ConcurrentLinkedQueue<>();

    private final Log log = new Log();
    private final OnePageStore pageStore = new OnePageStore(1, true, log);
    private final OnePageStore rowsStore = new OnePageStore(1, false, log);
    private final FileTable files;
    private final PagePool pages;
    private final Checkpointer checkpointer;
    private final PageFixer fixer;
    private final RowUpdates rowUpdates;
    private final PageCreator creator;
    private final PageFile growing;

    /** Its end, and the last record that survives a crash. */
    static final class Log implements WriteAheadLog {
        private final AtomicLong end = new AtomicLong(1);
        volatile long durable;

        long append() {
            return end.getAndIncrement();
        }

        @Override
        public long end() {
            return end.get();
        }

        @Override
        public void makeDurable(long lsn) {
            durable = Math.max(durable, lsn);
        }
    }

    private StressPool() throws IOException {
        PoolOptions options = options();
        SharedUpdates sharedUpdates = new SharedUpdates(id -> PageId.file(id) == ROWS, LSN);
        files = new FileTable(options, PAGE_BYTES);
        pages = new PagePool(
                options,
                PAGE_BYTES,
                false,
                Policies.create(Policies.DEFAULT, ClockHand.ATOMIC, FRAMES),
                (frames, states) -> new ChainedPageTable(frames, states::identity),
                files,
                new PagePool.PageWriting(files, log, sharedUpdates, 2),
                false,
                false);
        checkpointer = new Checkpointer(
                log, pages.dirty(), files::force, pages.writer().counters(), false, "");
        Flusher flusher =
                new Flusher(pages.framePool(), pages.writer(), pages.dirty(), log, options, 0, Duration.ofSeconds(10));
        fixer = new PageFixer(options, pages, files, null, log, flusher, checkpointer, sharedUpdates);
        rowUpdates = new RowUpdates(pages, files, log, flusher, checkpointer, sharedUpdates, fixer);
        creator = new PageCreator(fixer, pages, files, flusher, checkpointer);
        files.open(1, pageStore);
        files.open(ROWS, rowsStore);
        growing = files.open(GROWING, new OnePageStore(0, false, log));
    }

    private static PoolOptions options() {
        return new PoolOptions(
                "",
                FRAMES,
                FRAMES,
                true,
                Duration.ofSeconds(60),
                "",
                IllegalStateException::new,
                Duration.ofSeconds(60),
                (what, waited) -> {
                    throw new IllegalStateException(what);
                });
    }

    /** {@return a pool without dirty pages, whose file that grows is empty} */
    public static StressPool take() {
        StressPool pool = FREE.poll();
        try {
            return pool == null ? new StressPool() : pool;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Makes the pool as it was taken, for the next test; one with a fault is left alone. */
    public void giveBack() {
        if (pageStore.fault != null || rowsStore.fault != null) {
            return;
        }
        try {
            if (growing.pages() > 0) {
                files.truncate(growing, 0, pages::invalidate);
            }
            write();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        if (pageStore.fault == null) {
            FREE.add(this);
        }
    }

    // --- updates, writes and checkpoints -----------------------------------------------------------------------------

    /** Updates the page exclusively; {@return the LSN} */
    public long update() {
        try (WritablePage page = new WritablePage(fixer).fix(PAGE_ID)) {
            page.beginUpdate();
            long lsn = log.append();
            page.putLong(LEFT, lsn);
            page.putLong(RIGHT, lsn);
            page.endUpdate(lsn);
            return lsn;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Updates a row; {@return the LSN} */
    public long updateRow(int row) {
        try (SharedUpdatePage page = new SharedUpdatePage(fixer, rowUpdates).fix(ROWS_ID)) {
            page.beginUpdate();
            long lsn = log.append();
            page.putLong(row, lsn);
            page.endUpdate(lsn);
            return lsn;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Updates the page and a row of the other one together; {@return the LSN} */
    public long updateBoth() {
        try (WritablePage page = new WritablePage(fixer).fix(PAGE_ID);
                WritablePage rows = new WritablePage(fixer).fix(ROWS_ID);
                MultiPageUpdate update = new MultiPageUpdate(null, fixer)) {
            update.add(page);
            update.add(rows);
            long lsn = log.append();
            change(page, rows, lsn);
            update.endUpdate(lsn);
            return lsn;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** As {@link #updateBoth}, but the pages are closed before the update has ended, so it is undone. */
    public void failToUpdateBoth() {
        try (MultiPageUpdate update = new MultiPageUpdate(null, fixer);
                WritablePage page = new WritablePage(fixer).fix(PAGE_ID);
                WritablePage rows = new WritablePage(fixer).fix(ROWS_ID)) {
            update.add(page);
            update.add(rows);
            change(page, rows, -1);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void change(WritablePage page, WritablePage rows, long lsn) {
        page.putLong(LEFT, lsn);
        page.putLong(RIGHT, lsn);
        rows.putLong(LEFT, lsn);
    }

    /** Creates a page and updates the other one together with it; {@return the LSN} */
    public long updateAndCreate() {
        for (; ; ) {
            try (WritablePage page = new WritablePage(fixer).fix(PAGE_ID);
                    MultiPageUpdate update = new MultiPageUpdate(null, fixer);
                    WritablePage created = creator.create(growing)) {
                update.add(page);
                update.add(created);
                long lsn = log.append();
                change(page, created, lsn);
                update.endUpdate(lsn);
                return lsn;
            } catch (FileBeingTruncatedException e) {
                // it waits for the user of a page, whose thread the system has stopped
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    /**
     * {@return the number that the page and the row have, both latched; −1 if they differ, or have that of an update
     * that has failed} The updates above leave them the same.
     */
    public long valueOfBoth() {
        try (PageGuard page = new PageGuard(fixer).fix(PAGE_ID);
                PageGuard rows = new PageGuard(fixer).fix(ROWS_ID)) {
            long value = page.getLong(LEFT);
            return value == page.getLong(RIGHT) && value == rows.getLong(LEFT) ? value : -1;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** {@return the number that the page has} */
    public long value() {
        try (PageGuard page = new PageGuard(fixer).fix(PAGE_ID)) {
            return page.getLong(LEFT);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** As the words of a frame say it. */
    private void note(IllegalStateException e) {
        if (!e.getMessage().startsWith("frame ")) {
            throw e;
        }
        pageStore.fault = e.getMessage();
        rowsStore.fault = e.getMessage();
    }

    /** Writes every dirty page; what the pool says of a page that two threads write at once is its fault. */
    public void write() {
        try {
            pages.writer().flush(0, Long.MAX_VALUE, DirtyPages.NONE);
        } catch (IllegalStateException e) {
            note(e);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Makes a checkpoint; {@return where redo begins} */
    public long checkpoint() {
        try {
            return checkpointer.checkpoint(() -> 0);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** {@return whether redo from a position misses an update of the page} */
    public boolean isLost(long redo, long lsn) {
        return redo > lsn && pageStore.device(LEFT) < lsn;
    }

    /** {@return whether redo from a position misses the update of a row} */
    public boolean isLost(long redo, int row, long lsn) {
        return redo > lsn && rowsStore.device(row) < lsn;
    }

    /** {@return in words whether the last update of the page is in the file, or the page is dirty} */
    public String outcome(long lsn) {
        if (pageStore.fault != null) {
            return pageStore.fault;
        }
        return pages.dirty().count() > 0 ? "dirty" : pageStore.file(LEFT) == lsn ? "written" : "clean, but not written";
    }

    /** {@return in words whether the image of the rows has the updates up to its LSN, and only durable ones} */
    public String image(long left, long right) {
        if (rowsStore.fault != null) {
            return rowsStore.fault;
        }
        long lsn = rowsStore.file(LSN);
        boolean lacks = (left <= lsn && rowsStore.file(LEFT) < left) || (right <= lsn && rowsStore.file(RIGHT) < right);
        return lacks ? "lacks a record" : "exact";
    }

    // --- the file that grows -----------------------------------------------------------------------------------------

    /** Creates a page, and fills it; {@return its number} */
    public long create(long value) {
        for (; ; ) {
            try (WritablePage page = creator.create(growing)) {
                if (value != 0) {
                    fill(page, value);
                }
                return PageId.page(page.id());
            } catch (FileBeingTruncatedException e) {
                // it waits for the user of a page, whose thread the system has stopped
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    /** Fills a page, if there is one of that number; {@return whether there was} */
    public boolean fill(long number, long value) {
        try (WritablePage page = new WritablePage(fixer).fix(PageId.of(GROWING, number))) {
            fill(page, value);
            return true;
        } catch (NoSuchPageException e) {
            return false;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void fill(WritablePage page, long value) {
        page.beginUpdate();
        page.putLong(LEFT, value);
        page.endUpdate(log.append());
    }

    /** Truncates the file to no page. */
    public void truncate() {
        try {
            files.truncate(growing, 0, pages::invalidate);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** {@return what a page of the file was filled with; −1 if there is none of that number} */
    public long value(long number) {
        try (PageGuard page = new PageGuard(fixer).fix(PageId.of(GROWING, number))) {
            return page.getLong(LEFT);
        } catch (NoSuchPageException e) {
            return -1;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
