// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.page;

import io.clockhand.PoolExhaustedException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * An update of several pages, as a structure change needs it: the split of a node, or a row and its index. All pages
 * change or none; all get one LSN; and no thread sees some of them changed and others not, since each stays latched
 * exclusively until the update has ended.
 *
 * <pre>{@code
 * try (MultiPageUpdate split = pool.beginUpdate(leaf, parent);
 *         WritablePage right = split.create(file)) {
 *     long lsn = log.append(record);  // of all changes that follow
 *     right.putBytes(…);
 *     leaf.putShort(…);
 *     parent.putLong(…);
 *     split.end(lsn);
 * }
 * }</pre>
 *
 * <p><b>Rules.</b> All pages are added before the record is appended: a checkpoint that is made between the two could
 * otherwise go past the record without the page. One record describes the changes of all pages, or several of which the
 * last has the LSN; so redo finds all or none. Each page may be changed before or after the append, since no page is
 * written to its file before the update ends, and then only after the log is durable up to its LSN.
 *
 * <p><b>An update that is not ended is undone</b>, in all pages: by {@link #cancel}, by {@link #close}, or if one of
 * its pages is closed, in any order. None of these throws because of that, so an exception that has ended the work
 * early is not hidden by another one. A record that was appended already stays in the log, and redo would apply it: the
 * engine must append one that takes it back. The pages themselves stay fixed until each is closed.
 *
 * <p>For one thread, the one that has fixed the pages. A page can be in one update at a time.
 */
public final class MultiPageUpdate implements AutoCloseable {
    private final PageFixer fixer;
    private final List<WritablePage> pages = new ArrayList<>();
    /** Where the log ended when the last page was added. */
    private long begun;
    /** Why the update has ended; null while it runs. */
    private String ended;

    MultiPageUpdate(PageFixer fixer) {
        this.fixer = fixer;
    }

    /**
     * Adds a page: it is dirty from now on, and its bytes may be changed. To be called before the log record is
     * appended.
     *
     * @param page a page that the calling thread has fixed, and that is in no update
     * @throws IllegalStateException if this update has ended, the page is in an update or not fixed by this thread, or
     *     its file is read-only
     * @throws IllegalArgumentException if the page belongs to another pool, or the log ends at a negative position
     * @throws io.clockhand.PoolFailedException if a file could not be forced
     */
    public void add(WritablePage page) {
        checkRuns();
        pages.add(page); // first, since it may allocate
        long position = fixer.logEnd();
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
     * @throws PoolExhaustedException if every frame was pinned for too long
     */
    public WritablePage create(PagedFile file) throws IOException {
        checkRuns();
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
     * @param lsn the LSN of the record that describes the changes; of several, the greatest
     * @throws IllegalStateException if this update has ended or was undone, or the thread does not have all its pages
     * @throws IllegalArgumentException if the LSN is negative, or {@link Long#MAX_VALUE}, or that of a record that was
     *     appended before the last page was added, or not yet; the update goes on
     */
    public void end(long lsn) {
        checkRuns();
        PageFixer.checkLsn(lsn);
        if (lsn < begun) {
            throw new IllegalArgumentException("the record with LSN " + lsn + " was appended before "
                    + pages.get(pages.size() - 1) + " was added, when the log ended at " + begun
                    + ": add all pages first, or a checkpoint could go past the record");
        }
        fixer.enter();
        fixer.checkAppended(lsn);
        for (WritablePage page : pages) {
            page.checkCanEnd();
        }
        for (WritablePage page : pages) {
            page.endMember(lsn);
        }
        ended = "has ended";
        pages.clear();
    }

    /**
     * Ends the update of an engine that has no log.
     *
     * @throws IllegalStateException as {@link #end(long)}
     */
    public void end() {
        end(0);
    }

    /**
     * Undoes the update: the bytes of all pages are what they were when each was added. They stay fixed.
     *
     * @throws IllegalStateException if this update has ended or was undone, or the thread does not have its pages
     */
    public void cancel() {
        checkRuns();
        checkUsers();
        undo("was cancelled");
    }

    /**
     * Undoes the update, unless it has ended.
     *
     * @throws IllegalStateException if the update runs, and the thread does not have its pages
     */
    @Override
    public void close() {
        if (ended == null) {
            checkUsers();
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

    private void checkUsers() {
        for (WritablePage page : pages) {
            page.checkUser();
        }
    }

    private void checkRuns() {
        if (ended != null) {
            throw new IllegalStateException("this update of several pages " + ended + ": begin another one");
        }
    }
}
