// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.page;

import io.clockhand.PoolExhaustedException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * An update of several pages, as a structure change needs it: the split of a node, or a row and its index. All pages
 * change or none, and all get one LSN. Each stays latched exclusively until the update has ended, so a thread that has
 * all of them latched at once sees the changes of all or of none. An update that is not ended is undone, without an
 * exception.
 *
 * <pre>{@code
 * try (MultiPageUpdate split = pool.beginUpdate(leaf, parent);
 *         WritablePage right = split.create(file)) {
 *     right.putBytes(…);
 *     leaf.putShort(…);
 *     parent.putLong(…);
 *     split.endUpdate(log.append(record));  // one record describes all changes
 * }
 * }</pre>
 *
 * <p><b>Rules.</b> All pages are added before the record is appended: a checkpoint between the two would see the page
 * clean, and return a position after the record. One record describes the changes of all pages, so a crash leaves all
 * of them or none. With several records, the engine must redo them only if the last one is in the log. Each page may be
 * changed before or after the append, since no page is written to its file before the update ends, and then only after
 * the log is durable up to its LSN. It is best to change the pages first: if that fails, there is no record yet.
 *
 * <p><b>Undo</b> of all pages: by {@link #cancelUpdate}, by {@link #close}, or if one of the pages is closed, in any
 * order. None of these throws because the update was not ended, so an exception that has ended the work early is not
 * hidden by another one. A record that was appended already stays in the log, and redo would apply it: so the engine
 * must append a compensation record while the pages are still latched. Catch the exception inside of the try statement,
 * cancel, append, then close the pages. They stay fixed until each is closed.
 *
 * <p>For one thread, the one that has begun it and has fixed the pages. A page can be in one update at a time.
 */
public final class MultiPageUpdate implements AutoCloseable {
    private final BufferPool pool;
    private final PageFixer fixer;
    /** The id of the thread that has begun it. */
    private final long thread = PageView.threadId();

    private final List<WritablePage> pages = new ArrayList<>();
    /** Where the log ended when the last page was added. */
    private long begun;
    /** Why the update has ended; null while it runs. */
    private String ended;

    MultiPageUpdate(BufferPool pool, PageFixer fixer) {
        this.pool = pool;
        this.fixer = fixer;
    }

    /**
     * Adds a page: it is dirty from now on, and its bytes may be changed. To be called before the log record is
     * appended.
     *
     * @param page a page that the calling thread has fixed, and that is in no update
     * @throws IllegalStateException if this update has ended or belongs to another thread, the page is in an update or
     *     not fixed by this thread, or its file is read-only
     * @throws IllegalArgumentException if the page belongs to another pool, or the log ends at a negative position
     * @throws io.clockhand.PoolFailedException if a file could not be forced
     */
    public void add(WritablePage page) {
        checkRuns();
        long position = fixer.logEnd();
        pages.add(page); // before the page is changed, since it may allocate
        boolean added = false;
        try {
            page.begin(this, fixer, position);
            begun = position;
            added = true;
        } finally {
            if (!added) {
                pages.remove(pages.size() - 1);
            }
        }
    }

    /**
     * Creates a page of zeros behind the last one of a file, and adds it. If the update is undone the page stays in the
     * file, as a page of zeros that no other page refers to: the engine may use it for the next page that it needs.
     *
     * @param file a file of this pool
     * @return the page, to be changed, and to be closed by the caller
     * @throws IOException as {@link PagedFile#create}; the update goes on without a new page
     * @throws IllegalStateException if this update has ended, or the file is read-only
     * @throws IllegalArgumentException if the file belongs to another pool
     * @throws PoolExhaustedException if every frame was pinned for too long
     */
    public WritablePage create(PagedFile file) throws IOException {
        checkRuns();
        file.checkPool(pool);
        fixer.enter();
        WritablePage page = file.create();
        boolean added = false;
        try {
            add(page);
            added = true;
        } finally {
            if (!added) {
                page.close();
            }
        }
        return page;
    }

    /**
     * Ends the update: all pages get the LSN. A page whose LSN is greater already keeps it. They stay fixed, but for
     * their next change another update must begin.
     *
     * @param lsn the LSN of the record that describes the changes
     * @throws IllegalStateException if this update has ended or was undone, or belongs to another thread
     * @throws IllegalArgumentException as {@link #endUpdate(long, long)}; the update goes on
     */
    public void endUpdate(long lsn) {
        endUpdate(lsn, lsn);
    }

    /**
     * Ends the update of an engine that has no log, or of changes that no record describes: they may be written at any
     * time, and are lost in a crash before that.
     *
     * @throws IllegalStateException as {@link #endUpdate(long)}
     */
    public void endUnloggedUpdate() {
        endUpdate(0, 0);
    }

    /**
     * Ends an update with several records; see {@link #endUpdate(long)}.
     *
     * @param firstLsn the least of their LSNs
     * @param lastLsn the greatest of them, which the pages get
     * @throws IllegalStateException as {@link #endUpdate(long)}
     * @throws IllegalArgumentException if one of them is negative or {@link Long#MAX_VALUE}; if the last is less than
     *     the first; if the first record was appended before the last page was added; or if the last one lies behind
     *     the end of the log. The update goes on
     */
    public void endUpdate(long firstLsn, long lastLsn) {
        checkRuns();
        PageFixer.checkLsn(firstLsn);
        PageFixer.checkLsn(lastLsn);
        if (lastLsn < firstLsn) {
            throw new IllegalArgumentException("there are no LSNs from " + firstLsn + " to " + lastLsn);
        }
        if (firstLsn < begun && lastLsn > 0) {
            throw new IllegalArgumentException("the record with LSN " + firstLsn + " was appended before "
                    + pages.get(pages.size() - 1) + " was added, when the log ended at " + begun
                    + ": add all pages first, or a checkpoint could go past the record");
        }
        fixer.enter();
        fixer.checkAppended(lastLsn);
        int count = pages.size();
        for (int i = 0; i < count; i++) {
            pages.get(i).checkCanEnd();
        }
        try {
            for (int i = 0; i < count; i++) {
                pages.get(i).endMember(lastLsn);
            }
        } catch (VirtualMachineError e) {
            throw fixer.fail(e);
        }
        ended = "has ended";
        pages.clear();
    }

    /**
     * Undoes the update: the bytes of all pages are what they were when each was added. They stay fixed.
     *
     * @throws IllegalStateException if this update has ended or was undone, or belongs to another thread
     */
    public void cancelUpdate() {
        checkRuns();
        fixer.checkStack();
        undo("was cancelled");
    }

    /**
     * Undoes the update, unless it has ended.
     *
     * @throws IllegalStateException if the update runs, and belongs to another thread
     */
    @Override
    public void close() {
        if (ended == null) {
            checkRuns();
            fixer.checkStack();
            undo("is closed");
        }
    }

    /** One of the pages is being closed by its user. */
    void leave() {
        undo("was undone, as one of its pages was closed before it had ended");
    }

    private void undo(String reason) {
        ended = reason;
        while (!pages.isEmpty()) { // if one undo fails the pool, the close of another page goes on here
            pages.remove(pages.size() - 1).undoMember();
        }
    }

    private void checkRuns() {
        if (thread != PageView.threadId()) {
            throw new IllegalStateException("this update of several pages belongs to another thread than '"
                    + Thread.currentThread().getName() + "': begin one of this thread");
        }
        if (ended != null) {
            throw new IllegalStateException("this update of several pages " + ended + ": begin another one");
        }
    }
}
