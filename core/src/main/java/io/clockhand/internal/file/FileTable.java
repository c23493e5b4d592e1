// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.internal.file;

import io.clockhand.NoSuchPageException;
import io.clockhand.PageId;
import io.clockhand.internal.flush.PageTarget;
import io.clockhand.internal.frame.DirectMemory;
import io.clockhand.internal.page.FileCounts;
import io.clockhand.internal.page.PageSource;
import io.clockhand.internal.pool.EngineCalls;
import io.clockhand.internal.pool.Failures;
import io.clockhand.internal.pool.PoolOptions;
import io.clockhand.io.PageStore;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntPredicate;

/**
 * The files of a pool by number. Hits do not use it; a miss looks its file up without a lock.
 *
 * <p><b>A number is used again</b> only after nothing of the former file can be in memory, or get there:
 * <ol>
 * <li>The removal of a file publishes that its pages do not exist, unmaps them, and waits for each frame that is bound
 * to one of them ({@link PageFile}). The number becomes free at the very end, when the store is closed ({@link
 * PageFile#isGone}). If a wait times out, it stays in use.
 * <li><i>Guards and shares</i> therefore end before the number is free. So do <i>reads in progress</i>, also those of
 * prefetches: a loader binds its frame before it checks that the page exists. Either the scan of the removal sees the
 * frame and waits for it, or the check sees the removal.
 * <li>A <i>loader that is late</i>, and binds its frame after the scan, looks the file up after that. It finds the file
 * gone, and fails; or it finds the new file, and reads the new file's page, which is what the id means by then.
 * <li>An <i>optimistic reader</i> of the former file does not validate, and cannot be promoted: its frame was claimed,
 * which changed the latch's version.
 * <li>A <i>creation</i> delays the removal until its page is mapped; from then on the scan finds it. It uses its file
 * directly, not by number.
 * <li>A <i>prefetch</i> of a range of the former file stops at the next page, since it asks its own file. A page that
 * it had passed on to the loader before, and each page of a prefetch by ids, is treated like that of any late loader.
 * </ol>
 *
 * <p>{@link #open} reserves its number first, so that nothing is done to a file whose number is in use.
 */
public final class FileTable implements PageSource, PageTarget {
    private final PoolOptions options;
    private final int pageBytes;
    /** Of the engine; null if no file has such pages. */
    private final IntPredicate sharedUpdates;

    private final ByteBuffer zeros;
    private final NumberedFiles files = new NumberedFiles();
    private final Object lock = new Object();
    /** Numbers of files that are being opened. A list has room before it adds. Guarded by the lock. */
    private final List<Integer> opening = new ArrayList<>();
    /** The number that is tried first for a file that may have any. Guarded by the lock. */
    private int next;
    /** Guarded by the lock. */
    private boolean closed;
    /** Whether the store of a file, open or closed, prefers batches. Written under the lock. */
    private volatile boolean writesBatches;

    private volatile PageFile.Forcer forcer = PageFile.Forced::force;
    /** Null if LSNs are not compared. Set once, before a file is opened. */
    private volatile LsnCheck lsnCheck;

    public FileTable(PoolOptions options, int pageBytes) {
        this(options, pageBytes, null);
    }

    /**
     * A table without files.
     *
     * @param sharedUpdates tells by the number of a file whether many threads update rows of its pages at the same
     *     time; null if there is no such file
     */
    public FileTable(PoolOptions options, int pageBytes, IntPredicate sharedUpdates) {
        this.sharedUpdates = sharedUpdates;
        this.options = options;
        this.pageBytes = pageBytes;
        this.zeros = DirectMemory.allocate(pageBytes, pageBytes).asReadOnlyBuffer();
        loadClasses();
        options.failure().onFailure(this::endWaits);
    }

    private void endWaits() {
        for (PageFile file : files.slots()) {
            if (file != null) {
                file.endWaits();
            }
        }
    }

    /** Those of which a call may make the first use without memory. */
    private static void loadClasses() {
        FileLength length = new FileLength(0);
        FileLength.Creation creation = new FileLength.Creation(null);
        length.begin(creation);
        length.end(creation);
        Failures.join(null, null);
        Removal.CLOSE.words();
    }

    /** {@return how many bytes of direct memory the zeros take that stand for a page which could not be mapped} */
    public static long directBytes(int pageBytes) {
        return 2L * pageBytes - 1;
    }

    // --- open and find -----------------------------------------------------------------------------------------------

    /** Opens the store of a file. */
    public interface Opener {
        /** Opens it, or throws. */
        PageStore open() throws IOException;
    }

    /** Opens a store, and adds it under a number that is free; closes it if that fails. */
    public PageFile open(int number, String name, Opener opener) throws IOException {
        return open(reserve(number, name), opener);
    }

    /** Opens a store, and adds it under any number that is free; closes it if that fails. */
    public PageFile open(String name, Opener opener) throws IOException {
        return open(reserveAny(name), opener);
    }

    private PageFile open(Integer reserved, Opener opener) throws IOException {
        try {
            boolean shared = askForSharedUpdates(reserved); // may throw, so it comes before the file is created
            PageStore store = opener.open();
            boolean added = false;
            try {
                PageFile file = add(reserved, store, shared);
                added = true;
                return file;
            } finally {
                if (!added) {
                    store.close();
                }
            }
        } finally {
            endReservation(reserved);
        }
    }

    /** Adds a store of the caller's under a number that is free; leaves it open if that fails. */
    public PageFile open(int number, PageStore store) throws IOException {
        checkPageBytes(store);
        return add(reserve(number, store.name()), store);
    }

    /** Adds a store of the caller's under any number that is free; leaves it open if that fails. */
    public PageFile open(PageStore store) throws IOException {
        checkPageBytes(store);
        return add(reserveAny(store.name()), store);
    }

    private void checkPageBytes(PageStore store) {
        if (store.pageBytes() != pageBytes) {
            throw new IllegalArgumentException("cannot open " + store.name() + ": its pages have " + store.pageBytes()
                    + " bytes, but those of this pool have " + pageBytes);
        }
    }

    private PageFile add(Integer reserved, PageStore store) throws IOException {
        try {
            return add(reserved, store, askForSharedUpdates(reserved));
        } finally {
            endReservation(reserved);
        }
    }

    /** {@return the number, for {@link #endReservation}, which allocates none} */
    private Integer reserve(int number, String what) {
        if (number < 0 || number > PageId.GREATEST_FILE) {
            throw new IllegalArgumentException("the number of a file lies between 0 and " + PageId.GREATEST_FILE
                    + "; it is " + number + " for " + what);
        }
        Integer reserved = number;
        synchronized (lock) {
            checkOpen();
            PageFile holder = files.get(number);
            if (holder != null && !holder.isGone()) {
                throw new IllegalArgumentException("cannot open " + what + " as file " + number
                        + ": that number is in use by " + holder.name()
                        + (holder.isRemoved()
                                ? ", whose removal is not complete; call close or drop again"
                                : "; close that file first, or use another number"));
            }
            if (opening.contains(reserved)) {
                throw new IllegalArgumentException("cannot open " + what + " as file " + number
                        + ": another thread is opening a file of that number");
            }
            opening.add(reserved);
            return reserved;
        }
    }

    /** The numbers go round, so one that was free a moment ago is not used soon. */
    private Integer reserveAny(String what) {
        synchronized (lock) {
            checkOpen();
            for (int tries = 0; tries <= PageId.GREATEST_FILE; tries++) {
                Integer number = next;
                next = next == PageId.GREATEST_FILE ? 0 : next + 1;
                PageFile holder = files.get(number);
                if ((holder == null || holder.isGone()) && !opening.contains(number)) {
                    opening.add(number);
                    return number;
                }
            }
        }
        throw new IllegalStateException("cannot open " + what + ": all numbers of files, 0 to " + PageId.GREATEST_FILE
                + ", are in use; close files first");
    }

    private PageFile add(int number, PageStore given, boolean shared) throws IOException {
        PageStore store = UninterruptedStore.of(given);
        PageFile file = new PageFile(options, number, store, zeros.duplicate(), shared);
        boolean batches = store.writesBatches(); // may throw, so it comes first
        synchronized (lock) {
            checkOpen();
            files.reserve(); // first: nothing fails when the store is owned
            if (!store.tryOwn()) {
                throw new IllegalArgumentException(
                        "cannot open " + store.name() + ": it is in a pool already, this one or another");
            }
            writesBatches |= batches;
            files.put(file);
            return file;
        }
    }

    private boolean askForSharedUpdates(int number) {
        if (sharedUpdates == null) {
            return false;
        }
        boolean interrupted = EngineCalls.begin();
        try {
            return sharedUpdates.test(number);
        } finally {
            EngineCalls.end(interrupted);
        }
    }

    private void endReservation(Integer reserved) {
        synchronized (lock) {
            opening.remove(/* element */ reserved);
        }
    }

    private void checkOpen() {
        if (closed) {
            throw new IllegalStateException("the pool is closed");
        }
    }

    /** {@return the file of a number, or null if there is none, or its removal has begun} */
    public PageFile find(int number) {
        PageFile file = files.get(number);
        return file == null || file.isRemoved() ? null : file;
    }

    /** {@return the files whose removal has not begun, by number} */
    public List<PageFile> open() {
        return files.present().stream().filter(file -> !file.isRemoved()).toList();
    }

    /**
     * {@return the pages of each open file, by its name, or by its name and number if another file has the same name}
     */
    public Map<String, Long> pagesByName() {
        Map<String, Long> byName = new LinkedHashMap<>();
        for (PageFile file : open()) {
            byName.put(
                    byName.containsKey(file.name()) ? file.name() + " (file " + file.number() + ")" : file.name(),
                    file.pages());
        }
        return byName;
    }

    // --- growth and removal ------------------------------------------------------------------------------------------

    /**
     * Creates a page behind the last one of a file.
     *
     * @param mapping maps it
     * @return its number; the page exists for other threads when {@link PageFile#awaitExists} has returned
     */
    public long create(PageFile file, PageFile.Mapping mapping) throws IOException {
        return file.create(mapping);
    }

    /**
     * Truncates a file to its first pages.
     *
     * @param invalidation removes the others from memory, and waits for their users
     */
    public void truncate(PageFile file, long keep, Invalidation invalidation) throws IOException {
        file.truncate(keep, invalidation);
    }

    /**
     * Removes a file from the pool.
     *
     * @param invalidation removes its pages from memory, and waits for their users
     */
    public void remove(PageFile file, Removal how, Invalidation invalidation) throws IOException {
        file.remove(how, invalidation, forcer);
    }

    /** Removes pages from memory. */
    public interface Invalidation {
        /**
         * All from the first id to the last, both included.
         *
         * @param writes whether their changes are written to the file; else they are lost
         * @param onUsers called before a wait for threads that use one, perhaps more than once
         */
        void invalidate(long first, long last, boolean writes, Runnable onUsers) throws IOException;
    }

    // --- pages for the loader ----------------------------------------------------------------------------------------

    @Override
    public void check(long id) {
        if (id < 0) {
            throw new IllegalArgumentException(id + " is not the id of a page: ids are not negative");
        }
        PageFile file = files.get(PageId.file(id));
        if (file == null) {
            throw new NoSuchPageException("there is no page " + PageId.page(id) + " of file " + PageId.file(id)
                    + ": no file of that number is open in this pool; open it first");
        }
        file.check(PageId.page(id));
    }

    @Override
    public void read(long id, ByteBuffer target) throws IOException {
        PageStore store = files.get(PageId.file(id)).store();
        int start = target.position();
        store.read(PageId.page(id), target);
        checkRead(id, target, start);
    }

    @Override
    public int run(long id, int most) {
        PageFile file = files.get(PageId.file(id));
        return file == null || !file.readsRuns()
                ? 1
                : (int) Math.max(1, Math.min(most, file.pages() - PageId.page(id)));
    }

    @Override
    public void readRun(long first, ByteBuffer[] targets, int count) throws IOException {
        files.get(PageId.file(first)).store().readRun(PageId.page(first), targets, count);
        long id = first;
        for (int i = 0; i < count; i++) {
            for (int at = 0; at < targets[i].limit(); at += pageBytes) {
                checkRead(id++, targets[i], at);
            }
        }
    }

    @Override
    public boolean systemReadsAhead(long id) {
        PageFile file = files.get(PageId.file(id));
        return file == null || file.systemReadsAhead();
    }

    private void checkRead(long id, ByteBuffer target, int start) throws IOException {
        if (target.hasRemaining()) {
            throw new IOException("cannot read " + describe(id) + ": " + target.remaining() + " of " + pageBytes
                    + " bytes are missing");
        }
        checkBytes(id, target, start);
    }

    @Override
    public FileCounts counts(long id) {
        PageFile file = files.get(PageId.file(id));
        return file == null ? null : file.counts();
    }

    @Override
    public void checkBytes(long id, ByteBuffer bytes, int start) throws IOException {
        LsnCheck check = lsnCheck;
        if (check != null) {
            check.check(this, id, bytes, start);
        }
    }

    @Override
    public String file(long id) {
        PageFile file = files.get(PageId.file(id));
        return file == null ? "file " + PageId.file(id) : file.name();
    }

    @Override
    public long page(long id) {
        return PageId.page(id);
    }

    @Override
    public String describe(long id) {
        return "page " + page(id) + " of " + file(id);
    }

    // --- changed pages -----------------------------------------------------------------------------------------------

    /**
     * {@return whether many threads update rows of a page together} The answer depends on the number of its file
     * alone. So a thread may ask before it has pinned the page, though the file is closed meanwhile, or opened.
     */
    public boolean hasSharedUpdates(long id) {
        PageFile file = files.get(PageId.file(id));
        return file == null ? askForSharedUpdates(PageId.file(id)) : file.hasSharedUpdates();
    }

    /** Throws if the file of a page is open read-only. */
    public void checkWritable(long id) {
        files.get(PageId.file(id)).checkWritable("change a page of");
    }

    @Override
    public boolean exists(long id) {
        PageFile file = files.get(PageId.file(id));
        return file != null && file.mayBeWritten(PageId.page(id));
    }

    @Override
    public boolean isNext(long id, long next) {
        return next == id + 1 && PageId.file(next) == PageId.file(id);
    }

    @Override
    public void write(long first, ByteBuffer pages) throws IOException {
        files.get(PageId.file(first)).write(PageId.page(first), pages);
    }

    @Override
    public boolean writesTogether(long id, long other) {
        return PageId.file(id) == PageId.file(other)
                && files.get(PageId.file(id)).writesBatches();
    }

    @Override
    public boolean writesBatches() {
        return writesBatches;
    }

    @Override
    public void writeBatch(long id, long[] numbers, int from, int to, ByteBuffer pages) throws IOException {
        files.get(PageId.file(id)).writeBatch(numbers, from, to, pages);
    }

    /** Sets what forces a file that is closed; without it files are forced directly. */
    public void useForcer(PageFile.Forcer user) {
        forcer = user;
    }

    /** Compares the LSN of each page that is read with the end of the log. */
    public void useLsnCheck(LsnCheck user) {
        lsnCheck = user;
    }

    /** Removes the pages of files whose close could not be completed, and writes their changes. */
    public void completeCloses(Invalidation invalidation) throws IOException {
        for (PageFile file : files.present()) {
            if (file.isClosing()) {
                invalidation.invalidate(
                        PageId.of(file.number(), 0), PageId.of(file.number(), PageId.GREATEST_PAGE), true, () -> {});
            }
        }
    }

    /** Forces every file that was written to since the last time. */
    public void force() throws IOException {
        for (PageFile file : files.slots()) {
            if (file != null && !file.isGone()) {
                file.force(false, forcer);
            }
        }
    }

    /** Forces a file, even if nothing was written to it. */
    public void force(PageFile file) throws IOException {
        file.force(true, forcer);
    }

    // --- close of the pool -------------------------------------------------------------------------------------------

    /** Waits for creations and truncations of all files, and blocks new ones; if a wait takes too long, they go on. */
    public void shut() {
        boolean all = false;
        try {
            files.present().forEach(PageFile::shut);
            all = true;
        } finally {
            if (!all) {
                reopen();
            }
        }
    }

    /** The pool stays open. Needs no memory. */
    public void reopen() {
        for (PageFile file : files.slots()) {
            if (file != null) {
                file.reopen();
            }
        }
    }

    /**
     * Closes every store, even if one fails.
     *
     * @param forces whether they are forced before
     */
    public void close(boolean forces) throws IOException {
        synchronized (lock) {
            closed = true;
        }
        Throwable failure = null;
        PageFile failed = null;
        for (PageFile file : files.slots()) {
            Throwable own = file == null || file.isGone() ? null : failureToClose(file, forces ? forcer : null);
            if (own != null) {
                failed = failure == null ? file : failed;
                failure = Failures.join(failure, own);
            }
        }
        if (failure instanceof Error error) {
            throw error;
        }
        if (failure instanceof IOException e) {
            throw e;
        }
        if (failure != null) { // wrapped when all files have been closed, since that needs memory
            throw new IOException("cannot close " + failed.name() + ": " + failure, failure);
        }
    }

    /** Closes a store; {@return what it has thrown, or null} */
    private static Throwable failureToClose(PageFile file, PageFile.Forcer forcer) {
        try {
            file.closeStore(true, forcer);
            return null;
        } catch (Throwable failure) {
            return failure;
        }
    }
}
