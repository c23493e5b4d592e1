// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.internal.file;

import io.clockhand.FileBeingTruncatedException;
import io.clockhand.NoSuchPageException;
import io.clockhand.PageId;
import io.clockhand.internal.frame.StackReserve;
import io.clockhand.internal.page.FileCounts;
import io.clockhand.internal.pool.Failures;
import io.clockhand.internal.pool.PoolOptions;
import io.clockhand.io.ByteRange;
import io.clockhand.io.PageStore;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;

/**
 * A file of a pool: its number, its store, how it grows, how it is truncated, and how it is removed.
 *
 * <p><b>Create.</b> The store is extended by many pages at a time, so that a creation seldom waits for it, and a full
 * disk is reported by a creation. One thread extends it; others that need its pages wait. A creation takes the next
 * number, and maps a page of zeros; {@link FileLength} says when it exists. The page is dirty if the store can only
 * read what was written, since it has checksums. If such a page cannot be mapped, and later pages are being created,
 * zeros are written in its place. When the file is closed the store is truncated to the pages that exist; after a crash
 * it may have more.
 *
 * <p><b>Truncate, close, drop.</b>
 * <ol>
 * <li>Block creations, and drain those in progress, each until its page is mapped. If that takes too long nothing has
 * changed.
 * <li>Publish the new length: 0 for close and drop.
 * <li>Unmap the affected frames. (The caller's callback does this and the next.)
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
 * for anything but its own condition; only {@code uncertain} is written by the thread that has set {@code extending},
 * and handed on by the lock. Those that {@link #check} and {@link #mayBeWritten} read are volatile, and so is {@code
 * truncations}: a truncation raises it before it publishes the length, and waits for pins after that, so a thread that
 * has pinned a page and reads the number of before has a page that was not truncated. A thread reads {@code truncator}
 * without the lock to learn whether it set the word itself, which no other thread does for it, or whether to wait for a
 * truncation before it looks again under the lock. {@code bytes} is volatile, and written without the lock only by the
 * thread that closes the store.
 */
public final class PageFile {
    private static final long NONE = -1;
    /** How long a creation waits for a truncation that waits for users of pages: most use a page far shorter. */
    private static final long USERS_NANOS = 10_000_000;

    private final int number;
    private final String name;
    private final boolean readOnly;
    private final boolean sharedUpdates;
    private final boolean needsFirstWrite;
    private final List<ByteRange> ownBytes;
    private final FileCounts counts = new FileCounts();
    private final boolean readsRuns;
    private final boolean systemReadsAhead;
    private final boolean anyLength;
    private final int pageBytes;
    /** The length in bytes if the last page may be incomplete, else NONE. Volatile. */
    private volatile long bytes;

    private final boolean writesBatches;
    /** Null when the file is gone. */
    private volatile PageStore store;

    private final FileLength length;
    /** Guarded by itself. */
    private final ByteBuffer zeros;

    private final FileMonitor monitor;
    private final BooleanSupplier untilNoTruncation = this::hasNoTruncation;
    private final BooleanSupplier untilNotTruncated = this::isNotTruncated;
    /** Made once, see {@link FileMonitor}. */
    private final Runnable onUsers = this::awaitUsers;

    /** How the file is removed, once that has begun; else null. */
    private volatile Removal removal;
    /** Whether the removal is complete, so that the number is free. */
    private volatile boolean gone;

    /** How many pages the file may have. Written by threads of the engine, read by those that create pages. */
    private volatile long mostPages = PageId.GREATEST_PAGE + 1;
    /** Creations whose page is not mapped yet, one that extends the store among them. */
    private int arriving;
    /** Whether a creation extends the store. */
    private boolean extending;
    /** Whether an extension has failed, so that pages behind the last one may be torn. Of the thread that extends. */
    private boolean uncertain;
    /** Whether the store may be longer than the file. */
    private boolean longer;
    /** Length in pages to which the store must be truncated in the end, or NONE; set by a removal or truncation. */
    private long storeLength = NONE;
    /** How often the file was truncated or removed. Volatile. */
    private volatile int truncations;
    /** The thread that truncates the file, or waits for creations to do so; null if there is none. */
    private Thread truncator;
    /** Whether it waits for threads that use pages which it removes. */
    private boolean awaitsUsers;
    /** No page from here on was mapped since the last truncation that was completed; while one is not, or 0. */
    private long mapped;
    /** Length in pages of a truncation that is not complete, or NONE. */
    private long pending = NONE;
    /** How often the store was changed: raised after each change, and so by any thread. */
    private final AtomicLong writes = new AtomicLong();
    /** Whether a thread forces the store, or is about to: one at a time, without the lock. */
    private boolean forcing;
    /** The {@code writes} that the last force has brought to the device. Of the thread that forces. */
    private long forcedWrites;
    /** Whether the store is forced no more. */
    private boolean lastForced;
    /** Whether the store is closed without a force, though nothing deletes it. */
    private boolean abandoned;

    /** Whether the pool closes. */
    private boolean shut;

    /**
     * Of a store that the pool owns, or will own.
     *
     * @param zeros a page of them, of this file alone
     * @param sharedUpdates whether many threads update rows of its pages at the same time
     */
    PageFile(PoolOptions options, int number, PageStore store, ByteBuffer zeros, boolean sharedUpdates)
            throws IOException {
        this.sharedUpdates = sharedUpdates;
        this.zeros = zeros;
        this.number = number;
        this.name = store.name();
        this.readOnly = store.isReadOnly();
        this.needsFirstWrite = store.needsFirstWrite();
        this.readsRuns = store.readsRuns();
        this.systemReadsAhead = store.systemReadsAhead();
        this.writesBatches = store.writesBatches();
        this.ownBytes = store.ownBytes();
        this.store = store;
        this.monitor = new FileMonitor(options, name);
        this.length = new FileLength(store.pages());
        this.anyLength = store.hasAnyLength();
        this.pageBytes = store.pageBytes();
        long least = anyLength ? store.lengthBytes() : 0;
        this.bytes = least % pageBytes == 0 ? NONE : least;
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

    /** {@return whether many threads update rows of its pages at the same time} */
    boolean hasSharedUpdates() {
        return sharedUpdates;
    }

    /** {@return whether pages can be read only} */
    public boolean isReadOnly() {
        return readOnly;
    }

    /** {@return the bytes of each page that the store itself writes} */
    public List<ByteRange> ownBytes() {
        return ownBytes;
    }

    /** {@return whether a page must be written before it can be read} */
    public boolean needsFirstWrite() {
        return needsFirstWrite;
    }

    /** {@return what is counted of it} */
    public FileCounts counts() {
        return counts;
    }

    /** {@return whether something below its store reads ahead} */
    boolean systemReadsAhead() {
        return systemReadsAhead;
    }

    /** {@return whether its store reads several adjacent pages at the cost of about one} */
    boolean readsRuns() {
        return readsRuns;
    }

    /** {@return whether its store prefers a batch to single runs} */
    boolean writesBatches() {
        return writesBatches;
    }

    /** {@return how many pages it has; 0 once its removal has begun} */
    public long pages() {
        return length.pages();
    }

    /** {@return how many bytes it has; 0 once its removal has begun} */
    public long bytes() {
        long incomplete = bytes;
        long all = pages();
        return incomplete != NONE && pagesOf(incomplete) == all ? incomplete : all * pageBytes;
    }

    /** {@return how many pages a number of bytes takes} */
    public long pagesOf(long count) {
        return (count + pageBytes - 1) / pageBytes;
    }

    /** Throws if the last page cannot be incomplete, or the number is negative or too large. */
    public void checkBytes(long count) {
        checkWritable("set the length of");
        if (!anyLength) {
            throw new IllegalStateException("cannot set the length of " + name + " to " + count
                    + " bytes: its store has whole pages only; a file is opened with FileOption.ANY_LENGTH");
        }
        if (count < 0 || count > (PageId.GREATEST_PAGE + 1) * pageBytes) {
            throw new IllegalArgumentException("a file cannot have " + count + " bytes");
        }
    }

    /** Notes the length in bytes; {@return false if it has another number of pages} */
    public boolean tryNoteBytes(long count) {
        synchronized (monitor) {
            checkNotShut();
            checkOpen();
            if (truncator != null || length.next() != pagesOf(count) || length.pages() != length.next()) {
                return false;
            }
            bytes = count;
            longer = true; // than the file, until it is closed
            return true;
        }
    }

    /** {@return whether its removal has begun} */
    public boolean isRemoved() {
        return removal != null;
    }

    /** {@return whether its removal is complete, so that its number is free} */
    public boolean isGone() {
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
        if (page < length.pages()) {
            return;
        }
        Removal removed = removal;
        if (removed != null) {
            throw new NoSuchPageException("there is no page " + page + " of " + name + " any more: the file was "
                    + removed.words() + "; open it again to use it");
        }
        throw new NoSuchPageException("there is no page " + page + " of " + name + ": it has " + length.pages()
                + " pages, numbered from 0; create pages before they are fixed");
    }

    /** {@return how often the file was truncated or removed} A thread that has pinned a page delays the next time. */
    public int truncations() {
        return truncations;
    }

    /** {@return whether the creation of a page, or of an earlier one, has begun and not ended} */
    public boolean isBeingCreated(long page) {
        return page < length.next() && page >= length.pages();
    }

    /** {@return whether a page exists, or is being created} */
    boolean mayBeWritten(long page) {
        return page < length.next();
    }

    // --- changed pages -----------------------------------------------------------------------------------------------

    /** Writes adjacent pages. The caller has pinned them, which delays a truncation and the removal. */
    void write(long first, ByteBuffer pages) throws IOException {
        store.writeRun(first, pages);
        writes.getAndIncrement(); // before the pages count as written
    }

    /** Writes pages that need not be adjacent. The caller has pinned them, as for {@link #write}. */
    void writeBatch(long[] numbers, int from, int to, ByteBuffer pages) throws IOException {
        store.writeBatch(numbers, from, to, pages);
        writes.getAndIncrement(); // before the pages count as written
    }

    /**
     * Brings everything that was written before the call to the device, in any case or if something was written. Does
     * nothing to a file that is about to be deleted, or was forced for the last time. Waits while another thread forces
     * the store: this thread must not return before the force that it relies on.
     *
     * @param forcer calls the store, and notes a failure, before another thread forces it
     */
    public void force(boolean anyhow, Forcer forcer) throws IOException {
        beginForcing();
        try {
            forceAlone(anyhow, forcer);
        } finally {
            endForcing(false);
        }
    }

    private void beginForcing() {
        monitor.until(
                () -> {
                    boolean free = !forcing;
                    forcing = true;
                    return free;
                },
                "a force of the file");
    }

    private void endForcing(boolean isLast) {
        synchronized (monitor) {
            forcing = false;
            lastForced |= isLast;
            monitor.signalAll();
        }
    }

    private void forceAlone(boolean anyhow, Forcer forcer) throws IOException {
        PageStore forced = store;
        long seen = writes.get();
        if (forced != null && isToBeForced(anyhow, seen)) {
            forcer.force(forced::force);
            forcedWrites = seen;
        }
    }

    private boolean isToBeForced(boolean anyhow, long seen) throws IOException {
        synchronized (monitor) {
            if (abandoned && seen != forcedWrites) {
                throw new IOException("cannot force " + name + ": it was closed without a force");
            }
            return !lastForced && (seen != forcedWrites || anyhow);
        }
    }

    /** Forces the store for the last time; or, without a forcer, never again. */
    private void forceLast(Forcer forcer) throws IOException {
        boolean done = false;
        beginForcing();
        try {
            if (forcer != null) {
                forceAlone(false, forcer);
            }
            done = true;
        } finally {
            endForcing(done);
        }
    }

    /**
     * The store is not forced any more, and is closed. A checkpoint in progress must not rely on it. Waits for no
     * force, which may never end.
     */
    private void abandon() {
        synchronized (monitor) {
            lastForced = true;
            abandoned = true;
        }
    }

    // --- creation ----------------------------------------------------------------------------------------------------

    /** Maps a page of zeros. */
    public interface Mapping {
        /**
         * Maps it.
         *
         * @param page its number
         */
        void map(long page) throws IOException;

        /**
         * {@return whether the page is mapped, though {@link #map} has thrown}
         *
         * @param page its number
         */
        default boolean isMapped(long page) {
            return false;
        }
    }

    /**
     * Creates a page behind the last one.
     *
     * @param mapping maps it
     * @return the number of the page, which exists after {@link #awaitExists}
     */
    long create(Mapping mapping) throws IOException {
        StackReserve.check();
        FileLength.Creation creation = beginCreation(mapping);
        try {
            mapping.map(creation.page());
        } catch (Throwable failure) {
            endFailed(creation, mapping, failure);
            throw failure;
        }
        arrived(creation);
        return creation.page();
    }

    private boolean tryGiveUp(FileLength.Creation creation) {
        synchronized (monitor) {
            boolean givenUp = length.tryGiveUp(creation);
            if (givenUp) {
                arriving--;
                monitor.signalAll();
            }
            return givenUp;
        }
    }

    /** Waits until a page exists that the caller has created: until earlier creations have ended. */
    public void awaitExists(long page) {
        monitor.until(() -> length.next() <= page || length.pages() > page, "the creation of an earlier page");
    }

    /** Makes an attempt that succeeds when no truncation and no extension is in progress, until it does. */
    private void beginAfterTruncation(BooleanSupplier attempt) {
        boolean[] begun = {false};
        do {
            awaitTruncation();
            monitor.until(
                    () -> {
                        begun[0] = attempt.getAsBoolean();
                        return begun[0] || truncator != null; // which is waited for as any other is
                    },
                    "an extension of the file");
        } while (!begun[0]);
    }

    /** Throws if a truncation waits for users of pages for so long that this thread may be one of them. */
    private void awaitTruncation() {
        if (truncator != null) { // read without the lock: if this misses one, it throws sooner
            monitor.await(untilNoTruncation, USERS_NANOS);
        }
        monitor.until(untilNotTruncated, "the end of a truncation");
    }

    private boolean hasNoTruncation() {
        return truncator == null;
    }

    private boolean isNotTruncated() {
        if (truncator == null) {
            return true;
        }
        if (awaitsUsers) {
            checkOpen();
            throw new FileBeingTruncatedException("cannot create a page of " + name + ": its truncation to " + pending
                    + " pages waits for threads that use pages behind them, perhaps for this one; close these pages,"
                    + " then create again");
        }
        return false;
    }

    /** The truncation in progress waits for threads that use pages, one of which may want to create one. */
    private void awaitUsers() {
        synchronized (monitor) {
            awaitsUsers = true;
            monitor.signalAll();
        }
    }

    private void endAwaitingUsers() {
        synchronized (monitor) {
            awaitsUsers = false;
        }
    }

    private FileLength.Creation beginCreation(Mapping mapping) throws IOException {
        checkWritable("create a page of");
        FileLength.Creation creation = new FileLength.Creation(mapping);
        beginAfterTruncation(() -> tryBegin(creation));
        if (creation.hasBegun()) {
            return creation;
        }
        long end = NONE;
        try {
            end = extendStore();
        } finally {
            endExtending(end, creation);
        }
        return creation;
    }

    /** Takes a number, or, if the store has no page for it, the right to extend the store. */
    private boolean tryBegin(FileLength.Creation creation) {
        boolean hasRoom = length.hasRoom();
        if (truncator != null || (extending && !hasRoom)) {
            return false;
        }
        checkCanCreate();
        arriving++; // then nothing fails
        if (hasRoom) {
            length.begin(creation);
        } else {
            extending = true;
            longer = true;
        }
        return true;
    }

    private void checkCanCreate() {
        checkNotShut();
        checkOpen();
        if (length.next() >= mostPages) {
            throw new IllegalStateException(
                    "cannot create a page of " + name + ": it has " + length.next() + " pages, the maximum");
        }
        if (pending != NONE) {
            throw new IllegalStateException("cannot create a page: truncation of " + name + " to " + pending
                    + " pages is incomplete; call truncate again");
        }
    }

    /**
     * By one page if there is no space for more. The store has no page for the next creation; earlier ones that are
     * given up meanwhile may leave one, so the length counts to which the store was extended. {@return the number of
     * pages that the store has now}
     */
    private long extendStore() throws IOException {
        long least = length.extended() + 1;
        long end = Math.max(least, Math.min(length.extension(store.pageBytes()), mostPages));
        try {
            extendStore(end);
        } catch (IOException e) {
            if (end == least) {
                throw e;
            }
            end = least;
            extendByOne(end, e);
        }
        writes.getAndIncrement();
        return end;
    }

    private void extendByOne(long end, IOException before) throws IOException {
        try {
            extendStore(end);
        } catch (IOException e) {
            Failures.join(e, before);
            throw e;
        }
    }

    private void extendStore(long end) throws IOException {
        if (uncertain) {
            store.truncate(length.extended());
        }
        uncertain = true;
        store.extend(end);
        uncertain = false;
    }

    private void endExtending(long end, FileLength.Creation creation) {
        synchronized (monitor) {
            extending = false;
            if (end == NONE) {
                arriving--;
            } else {
                length.extended(end);
                length.begin(creation);
            }
            monitor.signalAll();
        }
    }

    /** Sets how many pages the file may have at most; more that are there stay. */
    public void limit(long pages) {
        mostPages = pages;
    }

    /** Throws if the file may not have a page of a number. */
    public void checkLimit(long page) {
        if (page >= mostPages) {
            throw new IllegalArgumentException("cannot create page " + page + " of " + name + ", which may have "
                    + mostPages + " pages at most: the record of the creation is damaged, or the limit is too low");
        }
    }

    /** Extends the store, so that some more pages can be created without an extension. */
    public void reserve(long more) throws IOException {
        checkWritable("reserve pages of");
        beginAfterTruncation(this::tryBeginReserving);
        long end = NONE;
        try {
            if (more > mostPages - length.next()) {
                throw new IllegalStateException("cannot reserve " + more + " pages of " + name + ": it has "
                        + length.next() + ", and may have " + mostPages);
            }
            long least = length.next() + more;
            if (least > length.extended()) {
                extendStore(least);
                end = least;
                writes.getAndIncrement();
            }
        } finally {
            synchronized (monitor) {
                extending = false;
                arriving--;
                if (end != NONE) {
                    length.extended(end);
                }
                monitor.signalAll();
            }
        }
    }

    /** Takes the right to extend the store. */
    private boolean tryBeginReserving() {
        if (truncator != null || extending) {
            return false;
        }
        checkCanCreate();
        arriving++;
        extending = true;
        longer = true;
        return true;
    }

    /**
     * Ends a creation whose mapping has failed, in any case. If no thread has mapped the page, none will, since it does
     * not exist yet: the file stays as long as it was, or gets a page of zeros.
     */
    private void endFailed(FileLength.Creation creation, Mapping mapping, Throwable failure) {
        boolean givenUp = false;
        try {
            if (!mapping.isMapped(creation.page())) {
                givenUp = tryGiveUp(creation);
                if (!givenUp) {
                    writeZeros(creation.page());
                }
            }
        } catch (Throwable second) {
            Failures.join(failure, second);
        } finally {
            if (!givenUp) {
                arrived(creation);
            }
        }
    }

    private void writeZeros(long page) throws IOException {
        if (needsFirstWrite) {
            synchronized (zeros) { // their position, since a copy of the buffer would need memory
                store.write(page, zeros.clear());
            }
            writes.getAndIncrement();
        }
    }

    /** Ends a creation: its page is mapped, or will never be. */
    private void arrived(FileLength.Creation creation) {
        synchronized (monitor) {
            length.end(creation);
            bytes = NONE;
            arriving--;
            monitor.signalAll();
        }
    }

    // --- truncation and removal --------------------------------------------------------------------------------------

    /** Forces a store, unless a force has failed before, and notes a failure. */
    public interface Forcer {
        /** Forces it. */
        void force(Forced store) throws IOException;
    }

    /** A store to be forced. */
    public interface Forced {
        /** Forces it. */
        void force() throws IOException;
    }

    /** Deletes the store, which is not forced any more. */
    void deleteStore() throws IOException {
        forceLast(null);
        store.delete();
    }

    /** {@return whether its close has begun, and could not be completed} */
    boolean isClosing() {
        return removal == Removal.CLOSE && !gone;
    }

    /** Truncates the file to its first pages; removes the others from memory, if there are any. */
    void truncate(long keep, FileTable.Invalidation invalidation) throws IOException {
        checkWritable("truncate");
        apply(keep, null, invalidation, null);
    }

    /**
     * Removes the file; closing one that was removed before does nothing, nor does closing one while the pool closes.
     *
     * @param forcer forces the store before it is closed
     */
    void remove(Removal how, FileTable.Invalidation invalidation, Forcer forcer) throws IOException {
        if (how == Removal.DROP) {
            checkWritable("drop");
        }
        apply(0, how, invalidation, forcer);
    }

    private void apply(long keep, Removal how, FileTable.Invalidation invalidation, Forcer forcer) throws IOException {
        if (!begin(keep, how)) {
            return;
        }
        boolean complete = false;
        try {
            if (mapped > keep) {
                invalidation.invalidate(
                        PageId.of(number, keep), PageId.of(number, mapped - 1), how == Removal.CLOSE, onUsers);
            }
            endAwaitingUsers();
            shorten(keep, how, forcer);
            complete = true;
        } finally {
            end(how, complete);
        }
    }

    /** Step 5. */
    private void shorten(long keep, Removal how, Forcer forcer) throws IOException {
        if (how == null) {
            store.truncate(keep);
        } else if (how == Removal.DROP) {
            deleteStore();
        } else {
            closeStore(false, forcer);
        }
    }

    /** Steps 1 and 2; {@return whether there is anything to truncate} */
    @SuppressWarnings("ReferenceEquality") // the very thread
    private boolean begin(long keep, Removal how) {
        monitor.until(() -> tryBlock(keep, how), "the end of another truncation");
        if (truncator != Thread.currentThread()) {
            return false;
        }
        boolean published = false;
        try {
            monitor.until(() -> tryPublish(keep, how), "pages that are being created");
            published = true;
        } finally {
            if (!published) {
                endBlocking();
            }
        }
        return true;
    }

    /** Blocks creations from now on, if there is anything to truncate; {@return false if another thread truncates} */
    private boolean tryBlock(long keep, Removal how) {
        if (truncator != null) {
            return false;
        }
        if (isToDo(keep, how)) {
            truncator = Thread.currentThread();
        }
        return true;
    }

    private boolean isToDo(long keep, Removal how) {
        if (how == Removal.CLOSE && (gone || shut)) {
            return false;
        }
        checkNotShut();
        if (how == null || gone) {
            checkOpen();
        }
        if (keep < 0 || keep > pages()) {
            throw new IllegalArgumentException("cannot truncate " + name + " to " + keep + " pages: it has " + pages());
        }
        return how != null || keep != pages() || pending != NONE;
    }

    /** Publishes the length if no creation is in progress. */
    private boolean tryPublish(long keep, Removal how) {
        if (arriving > 0) {
            return false;
        }
        noteStoreLength();
        if (how != null) {
            removal = how;
        } else {
            storeLength = keep;
            bytes = NONE;
        }
        pending = keep;
        mapped = Math.max(mapped, length.next());
        truncations = truncations() + 1; // before the length: a page of the same number may be created after it
        length.truncate(keep);
        return true;
    }

    private void endBlocking() {
        synchronized (monitor) {
            truncator = null;
            monitor.signalAll();
        }
    }

    private void end(Removal how, boolean complete) {
        synchronized (monitor) {
            truncator = null;
            awaitsUsers = false;
            if (complete) {
                pending = NONE;
                mapped = 0;
                storeLength = NONE;
                longer = false;
                if (how == null) {
                    writes.getAndIncrement();
                    length.storeTruncated();
                } else {
                    store = null;
                    gone = true; // last: the number is free
                }
            }
            monitor.signalAll();
        }
    }

    public void checkWritable(String what) {
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

    /** The pool has failed. */
    void endWaits() {
        monitor.endWaits();
    }

    // --- close of the pool -------------------------------------------------------------------------------------------

    /** Waits for creations and truncations, and blocks new ones. */
    void shut() {
        monitor.until(
                () -> {
                    boolean idle = truncator == null && arriving == 0;
                    shut |= idle;
                    return idle;
                },
                "pages that are being created, or truncated");
    }

    /** The pool stays open. Needs no memory. */
    void reopen() {
        synchronized (monitor) {
            shut = false;
        }
    }

    /**
     * Closes the store, unless the file is gone; truncates it first if it may be longer than the file. Nothing is
     * created or truncated meanwhile.
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
            boolean truncated = false;
            try {
                truncateStore(closing);
                truncated = true;
            } finally {
                if (truncated || anyhow) {
                    endForces(forcer);
                }
            }
            whole = true;
        } finally {
            if (whole || anyhow) {
                closing.close();
            }
        }
    }

    private void truncateStore(PageStore closing) throws IOException {
        long end = lengthForStore();
        if (end != NONE) {
            closing.truncate(end);
            writes.getAndIncrement();
            forgetStoreLength();
        }
        long incomplete = bytes;
        if (incomplete == NONE || readOnly) {
            return;
        }
        long length = closing.lengthBytes();
        if (pagesOf(length) < pagesOf(incomplete)) {
            bytes = NONE; // so that it can be closed
            throw new IOException(name + " has " + length + " bytes, but had " + incomplete
                    + ": another program has shortened it, and pages are lost");
        }
        if (length != incomplete) {
            closing.setLengthBytes(incomplete);
            writes.getAndIncrement();
        }
        bytes = NONE; // a store whose close fails may be closed again, when it cannot be measured any more
    }

    private void endForces(Forcer forcer) throws IOException {
        if (forcer == null) {
            abandon();
        } else {
            forceLast(forcer); // no checkpoint can do it later
        }
    }

    /** Notes the length of the file for its store, before a removal or truncation changes it. */
    private void noteStoreLength() {
        if (removal == null && pending == NONE && longer) {
            storeLength = length.pages();
        }
    }

    /** {@return the length in pages to which the store must be truncated, or NONE} */
    private long lengthForStore() {
        synchronized (monitor) {
            noteStoreLength();
            return storeLength;
        }
    }

    /** A store whose close fails may be closed again, when it can no longer be truncated. */
    private void forgetStoreLength() {
        synchronized (monitor) {
            storeLength = NONE;
            longer = false;
        }
    }
}
