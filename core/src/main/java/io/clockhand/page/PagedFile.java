// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.page;

import io.clockhand.FileBeingTruncatedException;
import io.clockhand.NoSuchPageException;
import io.clockhand.PageId;
import io.clockhand.PoolExhaustedException;
import io.clockhand.WaitTimeoutException;
import io.clockhand.internal.file.PageFile;
import io.clockhand.internal.file.Removal;
import io.clockhand.io.ByteRange;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;

/**
 * A file of a pool. Its number is chosen by the engine, which may store it: page ids in log records and child pointers
 * mean the same page after a restart, when the file is opened under the same number. An engine that stores no page ids
 * lets the pool choose.
 *
 * <pre>{@code
 * PagedFile orders = pool.open(7, Path.of("orders.db"), FileOption.CREATE);
 * try (WritablePage page = orders.create()) {
 *     long root = page.id();
 * }
 * try (PageGuard page = pool.fix(orders.id(0))) {
 *     long value = page.getLong(16);
 * }
 * }</pre>
 *
 * <p>A file is closed with its pool, or before by {@link #close} or {@link #drop}. After that every method but {@link
 * #number}, {@link #name}, {@link #ownBytes}, {@link #isReadOnly}, {@link #isOpen}, {@link #setMaxPages} and {@link
 * #close} is an {@link IllegalStateException}; a fix of one of its pages is a {@link NoSuchPageException}, until a file
 * is opened under the same number. Once the pool has {@linkplain BufferPool#fail failed}, the same methods throw a
 * {@link io.clockhand.PoolFailedException}. Thread-safe.
 */
public final class PagedFile implements AutoCloseable {
    private final BufferPool pool;
    private final PageFile file;

    PagedFile(BufferPool pool, PageFile file) {
        this.pool = pool;
        this.file = file;
    }

    /** Throws unless the file is one of a pool. */
    @SuppressWarnings("ReferenceEquality") // the very pool
    void checkPool(BufferPool other) {
        if (pool != other) {
            throw new IllegalArgumentException(this + " is open in another pool: open it in the pool of the update");
        }
    }

    /** {@return the number that the engine or the pool gave the file, 0 to 1,048,575} */
    public int number() {
        return file.number();
    }

    /** {@return the name of the file in messages: its path, or what its store is called} */
    public String name() {
        return file.name();
    }

    /** {@return the bytes of each page that its store writes by itself, a checksum for instance} */
    public List<ByteRange> ownBytes() {
        return file.ownBytes();
    }

    /** {@return whether the file was opened without write permission} */
    public boolean isReadOnly() {
        return file.isReadOnly();
    }

    /** {@return whether the file can be used: its removal has not begun, and the pool is open} */
    public boolean isOpen() {
        return !file.isRemoved() && !pool.isClosed();
    }

    /**
     * {@return how many pages the file has} The file on the device may be longer while it is open, since it is extended
     * by many pages at a time. When it is closed, it is truncated to these. After a crash it may have more than were
     * created; they count as pages then, until the engine, which knows from its log how many there
     * should be, {@linkplain #truncate truncates} the file.
     */
    public long pages() {
        checkOpen();
        return file.pages();
    }

    /**
     * {@return how many bytes the file has: less than its {@link #pages} have if it was opened with {@link
     * io.clockhand.io.FileOption#ANY_LENGTH} and its last page is incomplete} The bytes behind, up to the end of the
     * page, are zero when the page is read in after the file was opened.
     */
    public long lengthBytes() {
        checkOpen();
        return file.bytes();
    }

    /**
     * Sets the length of the file in bytes: creates pages of zeros, or truncates it to fewer pages, and notes where its
     * last page ends. That page stays as it is: bytes behind the new end are gone when the file is closed, but are data
     * again if the file grows before; an engine that wants zeros there puts them. The file on the device has this
     * length when it is closed; before, and after a crash, it may be longer or shorter. A {@link #create} completes the
     * last page. Other threads may use the file, but must not change its length meanwhile. If this fails half-way, the
     * file has the pages that were created.
     *
     * @param bytes the length
     * @throws IOException as {@link #create} and {@link #truncate}
     * @throws IllegalArgumentException if the number is negative, or too large
     * @throws IllegalStateException as {@link #create} and {@link #truncate}; if the file was not opened with {@link
     *     io.clockhand.io.FileOption#ANY_LENGTH}; or if another thread has changed its length at the same time
     */
    public void setLengthBytes(long bytes) throws IOException {
        checkOpen();
        file.checkBytes(bytes);
        long pages = file.pagesOf(bytes);
        while (file.pages() < pages) {
            create().close();
        }
        truncate(pages);
        if (!file.tryNoteBytes(bytes)) {
            throw new IllegalStateException("cannot set the length of " + name() + " to " + bytes
                    + " bytes: another thread changes it at the same time");
        }
    }

    /**
     * Packs the id of a page.
     *
     * @param page the number of the page in the file, from 0; the page need not exist
     * @return the id
     * @throws IllegalArgumentException if the number is negative or too large
     */
    public long id(long page) {
        checkOpen();
        return PageId.of(file.number(), page);
    }

    /**
     * Creates a page of zeros behind the last page of the file, and fixes it exclusively. Nothing is written for this
     * page alone: the file is extended by zeros, from time to time, by an eighth of its length, but at least 8 pages
     * and at most a megabyte. So a full disk is reported here, not when the page is written. The page is
     * clean; or dirty, if its store {@linkplain io.clockhand.io.PageStore#needsFirstWrite needs a first write} to be
     * read. Any number of threads can create pages of a file at the same time.
     *
     * <p>Where the engine's log has a record of the creation, it is appended after this has returned. A {@linkplain
     * BufferPool#checkpoint checkpoint} goes past it only if the page is in the file then, and forced.
     *
     * @return the page, to be closed
     * @throws IOException if the file could not be extended, not even by this page: it has as many pages as before. Or
     *     if a dirty page could not be written whose frame was needed; then the file may have the page
     * @throws IllegalStateException if the file is full, read-only or closed, or a {@linkplain #truncate truncation} of
     *     it must be completed first
     * @throws FileBeingTruncatedException if a truncation waits for threads that use pages which it removes, perhaps
     *     for this thread: close these pages, then try again
     * @throws PoolExhaustedException if every frame was pinned for too long; the file may have the page,
     *     if later pages were being created
     * @throws WaitTimeoutException if threads that create pages of the file, truncate it, or have found the new page,
     *     were busy for too long; the file may have the page
     */
    public WritablePage create() throws IOException {
        checkOpen();
        return pool.create(file);
    }

    /**
     * Repeats a creation after a crash. If the file does not have the page, pages are created until it has. If the page
     * cannot be read, since the store has checksums and the crash came before the page was written for the first time,
     * zeros take its place. Otherwise the page is what the file has. To be called for a log record of a creation only,
     * before the engine makes its first checkpoint: for any other page that cannot be read, redo would not bring back
     * what it held. No other thread uses the page meanwhile, or repeats another creation of the file: creations are
     * repeated in the order of the log.
     *
     * @param lsn the LSN of the record of its creation
     * @param page the number of the page
     * @return the page, fixed exclusively, to be closed
     * @throws IOException as {@link #create} and {@link BufferPool#fixExclusive}, but for the page's checksum
     * @throws IllegalArgumentException if a number is negative or too large; or if the LSN lies behind the end of the
     *     log, in a pool that stores LSNs in pages
     * @throws IllegalStateException as {@link #create}
     */
    public WritablePage redoCreation(long lsn, long page) throws IOException {
        checkOpen();
        return pool.redoCreation(file, lsn, page);
    }

    /**
     * Limits the length of the file; without a call it may have as many pages as there are numbers, 2⁴³. It is for
     * redo: a damaged record of a creation would fill the disk otherwise. Past the limit a {@link #create} throws
     * an {@code IllegalStateException}, a {@link #redoCreation} an {@code IllegalArgumentException}.
     *
     * @param pages how many pages it may have; if it has more they stay
     * @throws IllegalArgumentException if the number is negative, or too large
     */
    public void setMaxPages(long pages) {
        if (pages < 0 || pages > PageId.GREATEST_PAGE + 1) {
            throw new IllegalArgumentException("a file has between 0 and " + (PageId.GREATEST_PAGE + 1)
                    + " pages, so its limit cannot be " + pages);
        }
        file.limit(pages);
    }

    /**
     * Reserves space for pages that will be created, so that a full disk is reported here: the next {@code pages}
     * creations, by whatever threads, need no extension of the store. For work that must not fail half-way, a rollback
     * for instance. Space that is not used is given back when the file is truncated or closed; after a crash it may be
     * there as pages of zeros.
     *
     * @param pages how many
     * @throws IOException if the store could not be extended; it is as long as before
     * @throws IllegalArgumentException if the number is negative
     * @throws IllegalStateException as {@link #create}, and if that exceeds the limit of the file
     * @throws FileBeingTruncatedException as {@link #create}
     * @throws WaitTimeoutException as {@link #create}
     */
    public void reserve(long pages) throws IOException {
        if (pages < 0) {
            throw new IllegalArgumentException("cannot reserve " + pages + " pages of " + name());
        }
        checkOpen();
        file.reserve(pages);
    }

    /**
     * Truncates the file to its first {@code pages} pages. Waits for creations in progress, makes the removed pages
     * inaccessible, then waits for open guards on them. Other threads may use the file meanwhile. While this waits for
     * a guard, {@link #create} and {@link #reserve} fail with a {@link FileBeingTruncatedException}, since it may be
     * that of the thread that calls them. The operating system is not forced to write to the device.
     *
     * @param pages how many pages are left; not more than there are
     * @throws IOException if the store could not be truncated
     * @throws IllegalArgumentException if the file has fewer pages
     * @throws IllegalStateException if the file is read-only or closed
     * @throws WaitTimeoutException if pages of the file were being created, or truncated by another thread, for too
     *     long: then nothing has changed. Or if a page was in use for too long, perhaps by this thread: then, and after
     *     an {@code IOException}, the pages are gone, but none can be created until this was called again with success
     */
    public void truncate(long pages) throws IOException {
        checkOpen();
        pool.truncate(file, pages);
    }

    /**
     * Prefetches a page range asynchronously. Best effort: never waits for a frame, claims at most a quarter of them,
     * and drops work when its queue is full. In {@link PageIn#BLOCKING} mode it waits for the lock. Pages that are in
     * memory stay as they are.
     *
     * @param page the number of the first page
     * @param count how many pages; at least 1
     * @return the prefetch, which reports its progress and can be cancelled
     * @throws IllegalArgumentException if one of the numbers is too small
     * @throws IllegalStateException if the file is closed
     */
    public Prefetch prefetch(long page, int count) {
        checkOpen();
        if (page < 0 || count < 1) {
            throw new IllegalArgumentException("cannot prefetch " + count + " pages of " + name() + " from page " + page
                    + ": the count must be at least 1, and the page at least 0");
        }
        return pool.prefetch(file, page, count);
    }

    /**
     * Brings a page into memory without a read: for bytes that the engine has just written to the file past the pool,
     * or read from it. The page is clean, and counts as prefetched. The pool does not compare the bytes with those in
     * the file, and nobody may change the page through the pool meanwhile. Never waits for a frame. A page that is in
     * memory stays as it is.
     *
     * @param page the number of the page
     * @param bytes has the bytes of the page, of which as many remain as a page has; neither position nor limit change
     * @return whether the page has these bytes now; false if it was in memory or is being read, or there is no frame
     *     for it at the moment
     * @throws NoSuchPageException if the file does not have the page
     * @throws IllegalArgumentException if there are more bytes or fewer, or the number is negative or too large
     * @throws IllegalStateException if the file is closed
     * @throws IOException if the LSN in the bytes lies behind the end of the log: a {@link
     *     io.clockhand.PageAheadOfLogException}
     */
    public boolean install(long page, ByteBuffer bytes) throws IOException {
        checkOpen();
        return pool.install(file, page, bytes);
    }

    /**
     * Removes the file from the pool, writes and forces its changes, and closes it. Waits as {@link #truncate} does,
     * and for a close of the pool that has begun. Then its number is free for another file. A file that was closed or
     * dropped before, or with its pool, is left as it is.
     *
     * @throws IOException if it could not be closed
     * @throws WaitTimeoutException as {@link #truncate}; this can be called again
     */
    @Override
    public void close() throws IOException {
        pool.remove(file, Removal.CLOSE);
    }

    /**
     * Removes the file from the pool and deletes it; its changes are lost. Waits as {@link #truncate} does. Then its
     * number is free for another file.
     *
     * @throws IOException if it could not be deleted
     * @throws IllegalStateException if the file is read-only, or was closed or dropped before
     * @throws WaitTimeoutException as {@link #truncate}; this can be called again
     */
    public void drop() throws IOException {
        pool.remove(file, Removal.DROP);
    }

    /** {@return figures of the file; scans all frames} */
    public FileStats stats() {
        checkOpen();
        return pool.stats(file);
    }

    /**
     * Writes every page of the file that is dirty at the call, as {@link BufferPool#flush} does. It forces nothing.
     *
     * @throws IOException if the log or a page could not be written; that page is still dirty
     * @throws WaitTimeoutException if a page was latched for too long, perhaps by this thread
     */
    public void flush() throws IOException {
        checkOpen();
        pool.flush(file);
    }

    /**
     * Brings everything that was written to the file before the call to its device. Pages that are dirty are not
     * written: {@link #flush} does that.
     *
     * @throws IOException if that failed; then the pool takes no changes any more, see {@link
     *     io.clockhand.PoolFailedException}
     */
    public void force() throws IOException {
        checkOpen();
        pool.force(file);
    }

    private void checkOpen() {
        file.checkOpen();
        pool.checkOpen();
    }

    @Override
    @SuppressWarnings("ReferenceEquality") // one PageFile for each opening
    public boolean equals(Object other) {
        return other instanceof PagedFile that && that.file == file;
    }

    @Override
    public int hashCode() {
        return System.identityHashCode(file);
    }

    @Override
    public String toString() {
        return file.name() + " (file " + file.number() + ")";
    }
}
