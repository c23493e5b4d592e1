// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.internal.file;

import io.clockhand.NoSuchPageException;
import io.clockhand.PageId;
import io.clockhand.internal.pool.PoolOptions;
import io.clockhand.io.PageStore;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A file of a pool: its number, its store, how it grows, how it is truncated, and how it is removed.
 *
 * <p><b>Create.</b> A creation takes the next number and writes zeros there, concurrently with others; {@link
 * FileLength} says when the page exists. If the last creations failed, the store is truncated to the pages that exist,
 * since a file with a torn end could not be opened again.
 *
 * <p><b>Truncate, close, drop.</b>
 * <ol>
 * <li>Block creations, and drain those in progress, each until its page is mapped. If that takes too long nothing has
 * changed.
 * <li>Publish the new length: 0 for close and drop.
 * <li>Unmap the affected frames. (The caller's callback does this and the next two.)
 * <li>Evict each when its last user leaves.
 * <li>Truncate, close or delete the store.
 * </ol> If step 3, 4 or 5 fails the truncation stays <i>pending</i>: the pages are gone, none can be created, and the
 * next truncation completes it; so does the close of the file or of the pool. A pool that closes waits for truncations
 * and creations, and blocks new ones ({@link #shut}).
 *
 * <p><b>Map, then recheck.</b> A loader maps its page, then reads the length. A truncation stores the length, fences,
 * then scans the frames. At least one sees the other, so a truncated page cannot reappear.
 *
 * <p><b>Shared words.</b> All are written under the lock, which is held for a few steps, and never during I/O or a wait
 * for anything but its own condition. Those that {@link #check} reads are volatile.
 *
 * <p>Length: creation, force, truncation and removal exclude each other by the same words; the length has a class of
 * its own.
 */
public final class PageFile {
    private static final long NONE = -1;

    private final int number;
    private final String name;
    private final boolean readOnly;
    /** Null when the file is gone. */
    private volatile PageStore store;

    private final FileLength length;
    private final ShortLock lock = new ShortLock();
    private final BoundedCondition changed;

    /** How the file is removed, once that has begun; else null. */
    private volatile Removal removal;
    /** Whether the removal is complete, so that the number is free. */
    private volatile boolean gone;

    /** Creations whose page is not mapped yet, those that write among them. */
    private int arriving;
    /** Length in pages to which the store must still be truncated, or NONE. */
    private long storeLength = NONE;
    /** Whether the last creation that was writing truncates the store. */
    private boolean repairing;
    /** Whether one thread truncates the file, or waits for creations to do so. */
    private boolean truncating;
    /** Length in pages of a truncation that is not complete, or NONE. */
    private long pending = NONE;
    /** How often the store was changed: raised after each change, and so by any thread. */
    private final AtomicLong writes = new AtomicLong();
    /** Held while the store is forced. */
    private final Object forcing = new Object();
    /** The {@code writes} that the last force has brought to the device. Guarded by {@code forcing}. */
    private long forcedWrites;
    /** Whether the store is forced no more. Guarded by {@code forcing}. */
    private boolean lastForced;

    /** Whether the pool closes. */
    private boolean shut;

    PageFile(PoolOptions options, int number, PageStore store) throws IOException {
        this.number = number;
        this.name = store.name();
        this.readOnly = store.isReadOnly();
        this.store = store;
        this.changed = new BoundedCondition(lock, options, name);
        this.length = new FileLength(store.pages());
        if (!readOnly) {
            writes.set(1); // by a process that may have ended before it has forced the file
        }
    }

    /** {@return the number that the engine gave it} */
    public int number() {
        return number;
    }

    /** {@return the name of its store} */
    public String name() {
        return name;
    }

    /** {@return whether pages can be read only} */
    public boolean isReadOnly() {
        return readOnly;
    }

    /** {@return how many pages it has, holes included; 0 once its removal has begun} */
    public long pages() {
        return length.pages();
    }

    /** {@return whether its removal has begun} */
    public boolean isRemoved() {
        return removal != null;
    }

    /** {@return whether its removal is complete, so that its number is free} */
    boolean isGone() {
        return gone;
    }

    /** {@return the store, for callers that have seen that a page exists, and delay the removal} */
    PageStore store() {
        return store;
    }

    /** Throws if the file was closed or dropped. */
    public void checkOpen() {
        Removal removed = removal;
        if (removed != null) {
            throw new IllegalStateException(
                    name + " (file " + number + ") was " + removed.words() + "; open it again to use it");
        }
    }

    /** Throws if a page does not exist. */
    void check(long page) {
        if (length.exists(page)) {
            return;
        }
        Removal removed = removal;
        if (removed != null) {
            throw new NoSuchPageException("there is no page " + page + " of " + name + " any more: the file was "
                    + removed.words() + "; open it again to use it");
        }
        if (length.isHole(page)) {
            throw new NoSuchPageException("there is no page " + page + " of " + name
                    + ": it could not be written when it was created, but pages behind it were");
        }
        throw new NoSuchPageException("there is no page " + page + " of " + name + ": it has " + length.pages()
                + " pages, numbered from 0; create pages before they are fixed");
    }

    /** {@return whether a page exists} */
    boolean exists(long page) {
        return length.exists(page);
    }

    // --- changed pages -----------------------------------------------------------------------------------------------

    /** Writes adjacent pages. The caller has pinned them, which delays a truncation and the removal. */
    void write(long first, ByteBuffer pages) throws IOException {
        store.writeRun(first, pages);
        writes.getAndIncrement(); // before the pages count as written
    }

    /**
     * Brings everything that was written before the call to the device, in any case or if something was written. Does
     * nothing to a file that is about to be deleted, or was forced for the last time.
     */
    public void force(boolean anyhow) throws IOException {
        synchronized (forcing) { // a second thread must not return before the force that it relies on
            PageStore forced = store;
            long seen = writes.get();
            if (forced == null || lastForced || (seen == forcedWrites && !anyhow)) {
                return;
            }
            forced.force();
            forcedWrites = seen;
        }
    }

    /** Forces the store for the last time, or never again. */
    private void endForcing(boolean forces) throws IOException {
        synchronized (forcing) {
            if (forces) {
                force(false);
            }
            lastForced = true;
        }
    }

    // --- creation ----------------------------------------------------------------------------------------------------

    /**
     * Writes a page of zeros behind the last one, and waits until it exists. The caller calls {@link #arrived} when it
     * has mapped the page, but not if this throws.
     */
    long append(ByteBuffer zeros) throws IOException {
        FileLength.Creation creation = beginWriting();
        boolean exists = false;
        try {
            long page = creation.page();
            write(creation, zeros);
            lock.lock();
            try {
                changed.await(() -> length.pages() > page, "the creation of an earlier page");
            } finally {
                lock.unlock();
            }
            exists = true;
            return page;
        } finally {
            if (!exists) {
                arrived();
            }
        }
    }

    private FileLength.Creation beginWriting() {
        checkWritable("create a page of");
        lock.lock();
        try {
            changed.await(() -> !truncating && !repairing, "the end of a truncation");
            checkNotShut();
            checkOpen();
            if (length.next() > PageId.GREATEST_PAGE) {
                throw new IllegalStateException(
                        "cannot create a page of " + name + ": it has " + length.next() + " pages, the maximum");
            }
            if (pending != NONE) {
                throw new IllegalStateException("cannot create a page: truncation of " + name + " to " + pending
                        + " pages is incomplete; call truncate again");
            }
            FileLength.Creation begun = length.beginWriting();
            arriving++; // then nothing fails
            return begun;
        } finally {
            lock.unlock();
        }
    }

    private void write(FileLength.Creation creation, ByteBuffer zeros) throws IOException {
        try {
            store.write(creation.page(), zeros);
            writes.getAndIncrement();
        } catch (Throwable failure) {
            endWriting(creation, false, failure);
            throw failure;
        }
        endWriting(creation, true, null);
    }

    private void endWriting(FileLength.Creation creation, boolean success, Throwable failure) {
        boolean repair;
        lock.lock();
        try {
            length.endWriting(creation, success);
            if (storeLength != NONE || !success) {
                storeLength = length.pages();
            }
            repair = storeLength != NONE && !length.isWriting();
            repairing = repair;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
        if (repair) {
            truncateFailed(failure);
        }
    }

    /** If this fails it is tried again after the next creation, and when the file is closed. */
    private void truncateFailed(Throwable failure) {
        boolean repaired = false;
        try {
            store.truncate(length.pages());
            repaired = true;
        } catch (IOException | RuntimeException e) {
            Failures.join(failure, e);
        } finally {
            lock.lock();
            try {
                storeLength = repaired ? NONE : storeLength;
                length.giveUpFailed();
                repairing = false;
                changed.signalAll();
            } finally {
                lock.unlock();
            }
        }
    }

    /** Ends a creation: its page is mapped, or will never be. */
    public void arrived() {
        lock.lock();
        try {
            arriving--;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    // --- truncation and removal --------------------------------------------------------------------------------------

    /** Forces files, one call at a time, and notes a failure. */
    public interface Forcer {
        /** Forces some files. */
        void force(Forced files) throws IOException;
    }

    /** Files to be forced. */
    public interface Forced {
        /** Forces them. */
        void force() throws IOException;
    }

    /** Deletes the store, which is not forced any more. */
    void deleteStore() throws IOException {
        endForcing(false);
        store.delete();
    }

    /** {@return whether its close has begun, and could not be completed} */
    boolean isClosing() {
        return removal == Removal.CLOSE && !gone;
    }

    /** Steps 3 to 5 of a truncation. */
    interface Truncation {
        /** Removes the pages from memory, then from the store. */
        void apply() throws IOException;
    }

    /** Truncates the file to its first pages; {@code truncation} is not called if there are no others. */
    void truncate(long keep, Truncation truncation) throws IOException {
        checkWritable("truncate");
        apply(keep, null, truncation);
    }

    /** Removes the file; closing one that was removed before does nothing. */
    void remove(Removal how, Truncation truncation) throws IOException {
        if (how == Removal.DROP) {
            checkWritable("drop");
        }
        apply(0, how, truncation);
    }

    private void apply(long keep, Removal how, Truncation truncation) throws IOException {
        if (!begin(keep, how)) {
            return;
        }
        boolean complete = false;
        try {
            truncation.apply();
            complete = true;
        } finally {
            end(how, complete);
        }
    }

    /** Steps 1 and 2. */
    private boolean begin(long keep, Removal how) {
        lock.lock();
        try {
            changed.await(() -> !truncating, "the end of another truncation");
            if (gone && how == Removal.CLOSE) {
                return false;
            }
            checkNotShut();
            if (how == null || gone) {
                checkOpen();
            }
            if (keep < 0 || keep > pages()) {
                throw new IllegalArgumentException(
                        "cannot truncate " + name + " to " + keep + " pages: it has " + pages());
            }
            if (how == null && keep == pages() && pending == NONE) {
                return false;
            }
            drainCreations();
            if (how != null) {
                removal = how;
            } else {
                storeLength = keep;
            }
            pending = keep;
            length.truncate(keep);
            return true;
        } finally {
            lock.unlock();
        }
    }

    /** Blocks creations from now on, and waits for those in progress; if that fails creations go on. */
    private void drainCreations() {
        truncating = true;
        boolean drained = false;
        try {
            changed.await(() -> arriving == 0, "pages that are being created");
            drained = true;
        } finally {
            truncating = drained;
            changed.signalAll();
        }
    }

    private void end(Removal how, boolean complete) {
        lock.lock();
        try {
            truncating = false;
            if (complete) {
                pending = NONE;
                storeLength = NONE;
                if (how == null) {
                    writes.getAndIncrement();
                    length.completeTruncation();
                } else {
                    store = null;
                    gone = true; // last: the number is free
                }
            }
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    void checkWritable(String what) {
        if (readOnly) {
            throw new IllegalStateException(
                    "cannot " + what + " " + name + ": it is open read-only; open it without FileOption.READ_ONLY");
        }
    }

    private void checkNotShut() {
        if (shut) {
            throw new IllegalStateException("the pool is closed");
        }
    }

    // --- close of the pool -------------------------------------------------------------------------------------------

    /** Waits for creations and truncations, and blocks new ones. */
    void shut() {
        lock.lock();
        try {
            changed.await(() -> !truncating && arriving == 0, "pages that are being created, or truncated");
            shut = true;
        } finally {
            lock.unlock();
        }
    }

    /** The pool stays open. Needs no memory. */
    void reopen() {
        lock.lock();
        try {
            shut = false;
        } finally {
            lock.unlock();
        }
    }

    /**
     * Closes the store, unless the file is gone; truncates it first where a failed creation or truncation makes that
     * necessary. Nothing is created or truncated meanwhile.
     *
     * @param anyhow whether it is closed even if it cannot be truncated; else it stays open, and this can be called
     *     again
     * @param forcer forces the store before it is closed; null if it is not forced
     */
    void closeStore(boolean anyhow, Forcer forcer) throws IOException {
        PageStore closing = store;
        if (closing == null) {
            return;
        }
        boolean whole = false;
        try {
            if (storeLength != NONE) {
                closing.truncate(storeLength);
                forgetStoreLength();
            }
            if (forcer == null) {
                endForcing(false);
            } else {
                forcer.force(() -> endForcing(true)); // no checkpoint can do it later
            }
            whole = true;
        } finally {
            if (whole || anyhow) {
                closing.close();
            }
        }
    }

    /** A store whose close fails may be closed again, when it can no longer be truncated. */
    private void forgetStoreLength() {
        lock.lock();
        try {
            storeLength = NONE;
        } finally {
            lock.unlock();
        }
    }
}
