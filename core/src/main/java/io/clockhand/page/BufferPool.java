// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.page;

import io.clockhand.HitRatioEstimate;
import io.clockhand.NoSuchPageException;
import io.clockhand.PageId;
import io.clockhand.PinTrace;
import io.clockhand.PoolExhaustedException;
import io.clockhand.PoolFailedException;
import io.clockhand.WaitTimeoutException;
import io.clockhand.internal.file.FileTable;
import io.clockhand.internal.file.LsnCheck;
import io.clockhand.internal.file.PageFile;
import io.clockhand.internal.file.Prefetcher;
import io.clockhand.internal.file.Removal;
import io.clockhand.internal.flush.Checkpointer;
import io.clockhand.internal.flush.DirtyPages;
import io.clockhand.internal.flush.Flusher;
import io.clockhand.internal.flush.SharedUpdates;
import io.clockhand.internal.flush.WriteCounters;
import io.clockhand.internal.frame.DirectMemory;
import io.clockhand.internal.frame.PageMemory;
import io.clockhand.internal.frame.PoolFailure;
import io.clockhand.internal.page.PageCounters;
import io.clockhand.internal.page.PagePool;
import io.clockhand.internal.pool.BoundedWait;
import io.clockhand.internal.pool.EngineCalls;
import io.clockhand.internal.pool.Failures;
import io.clockhand.internal.pool.PoolOptions;
import io.clockhand.internal.pool.Spares;
import io.clockhand.io.ByteRange;
import io.clockhand.io.FileOption;
import io.clockhand.io.FilePageStore;
import io.clockhand.io.PageStore;
import io.clockhand.policy.ClockHand;
import io.clockhand.policy.Policies;
import io.clockhand.policy.ReplacementPolicy;
import io.clockhand.wal.WriteAheadLog;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.IntFunction;

/**
 * A buffer pool: keeps pages of files in memory outside the Java heap, for many threads at once.
 *
 * <p>To <i>fix</i> a page is to find it or read it in, and to latch it. It stays in memory, it is <i>pinned</i>, until
 * it is unfixed: until its {@linkplain PageGuard guard} is closed. A page that is not pinned is evicted when the
 * {@linkplain io.clockhand.policy.Policies replacement policy} needs its frame. {@linkplain OptimisticPage Optimistic
 * readers} neither pin nor latch.
 *
 * <pre>{@code
 * try (BufferPool pool = BufferPool.builder().pageBytes(4096).frames(10_000).build()) {
 *     PagedFile orders = pool.open(7, Path.of("orders.db"));
 *     try (PageGuard page = pool.fix(orders.id(42))) {
 *         long customer = page.getLong(16);
 *     }
 * }
 * }</pre>
 *
 * <table>
 * <caption>How a page is fixed</caption>
 * <tr><th>method</th><th>type</th><th>concurrently with</th></tr>
 * <tr><td>{@link #fix}</td><td>{@link PageGuard}</td><td>readers, and one thread that may upgrade</td></tr>
 * <tr><td>{@link #fixUpgradable}</td><td>{@link PageGuard}, to be upgraded</td><td>readers</td></tr>
 * <tr><td>{@link #fixExclusive}</td><td>{@link WritablePage}</td><td>nobody</td></tr>
 * <tr><td>{@link #fixForSharedUpdate}</td><td>{@link SharedUpdatePage}</td><td>readers, and others that update
 * rows</td></tr>
 * <tr><td>{@link #newOptimisticPage}</td><td>{@link OptimisticPage}, to be promoted</td><td>anybody</td></tr>
 * <tr><td>{@link #newOptimisticGroup}</td><td>{@link OptimisticGroup}, of several pages</td><td>anybody</td></tr>
 * </table>
 *
 * <p>A hit takes no lock and allocates nothing but the guard, and not even that with a {@linkplain #newGuard guard of
 * the caller's}. Fixing a page for reading takes one atomic operation, which pins and latches it at once, and one to
 * unfix it, both on the same word; and one more on the word next to it while the page's weight is below the policy's
 * cap. The other modes take a pin and a latch. This holds for Nb-GCLOCK, which is lock-free; the other policies take
 * their lock. A miss takes no lock around its read. In {@link PageIn#COALESCED} mode others wait for it, and {@link
 * PageIn#BLOCKING}, which is for comparisons, does take one.
 *
 * <p>A page can have 65,535 pins and as many readers at a time; one more waits for one of them.
 *
 * <p>A page is changed through a {@link WritablePage}, or its rows through a {@link SharedUpdatePage}. It is
 * <i>dirty</i> then, until it was written to its file: by the flusher in the background, or when a file or the pool is
 * flushed or closed.
 *
 * <p>Thread-safe, for platform and virtual threads. Waits are uninterruptible and bounded; interrupts are kept.
 *
 * <p>Source: M. Yui, J. Miyazaki, S. Uemura, H. Yamana, Nb-GCLOCK, ICDE 2010.
 */
public final class BufferPool implements AutoCloseable {
    /** How long a close waits for guards, of which some may have been lost. */
    private static final Duration GRACE = Duration.ofSeconds(1);

    private static final long PAUSE_NANOS = 100_000;

    private final String name;
    private final FileTable files;
    private final PagePool pages;
    /** Created once, see {@link BoundedWait}. */
    private final FileTable.Invalidation invalidation;

    private final PageFixer fixer;
    /** For {@link #read}. */
    private final Spares<OptimisticPage> readers = new Spares<>(this::newOptimisticPage);

    private final RowUpdates rowUpdates;
    private final PageCreator creator;
    private final Prefetcher prefetcher;
    private final Checkpointer checkpointer;
    private final Flusher flusher;
    /** Null if leaks are not detected. */
    private final PinTracker pinTracker;

    private final int lsnOffset;
    private final ClockHand hand;
    /** Held by what changes or checks the pool as a whole. */
    private final ReentrantLock closing = new ReentrantLock();
    /** The number of frames for which direct memory is reserved; guarded by {@code closing}. */
    private int reserved;

    private final PoolWatch watch;
    private final DirectMemory.Reservation memory;
    private final Duration waitTimeout;
    private final PoolFailure failed;
    /** The name of the policy in force. */
    private volatile String policy;

    BufferPool(BufferPoolBuilder builder, ReplacementPolicy inForce, DirectMemory.Reservation memory) {
        this.memory = memory;
        this.name = builder.name();
        this.policy = builder.policy();
        this.hand = builder.hand();
        this.reserved = builder.frames();
        this.lsnOffset = builder.lsnOffset();
        this.pinTracker = builder.detectsLeaks() ? new PinTracker(this::describe) : null;
        PoolOptions options = builder.poolOptions(pinTracker);
        this.failed = options.failure();
        this.waitTimeout = options.longWait();
        this.files = new FileTable(options, builder.pageBytes(), builder.sharedUpdates());
        SharedUpdates sharedUpdates =
                new SharedUpdates(builder.sharedUpdates() == null ? null : files::hasSharedUpdates, lsnOffset);
        this.pages = new PagePool(
                options,
                builder.pageBytes(),
                builder.hugePages(),
                inForce,
                builder::createTable,
                files,
                new PagePool.PageWriting(files, builder.log(), sharedUpdates, builder.writeBatches()),
                builder.pageIn() == PageIn.OPTIMISTIC,
                builder.pageIn() == PageIn.BLOCKING);
        if (builder.advises()) {
            pages.useAdvice(builder.newAdvice());
        }
        this.invalidation = pages::invalidate;
        this.checkpointer = new Checkpointer(
                builder.log(), pages.dirty(), files::force, pages.writer().counters(), builder.retriesForce(), name);
        if (lsnOffset >= 0 && !WriteAheadLog.NONE.equals(builder.log())) {
            files.useLsnCheck(new LsnCheck(lsnOffset, builder.log()::end));
        }
        checkpointer.usePoolFailure(failed);
        files.useForcer(forced -> checkpointer.force(forced::force));
        this.flusher = new Flusher(
                pages.framePool(),
                pages.writer(),
                pages.dirty(),
                builder.log(),
                options,
                builder.flushThreads(),
                builder.flushInterval());
        if (builder.flushThreads() > 0) {
            pages.queue().use(flusher::nudge);
        }
        this.fixer =
                new PageFixer(options, pages, files, pinTracker, builder.log(), flusher, checkpointer, sharedUpdates);
        this.rowUpdates = new RowUpdates(pages, files, builder.log(), flusher, checkpointer, sharedUpdates, fixer);
        this.creator = new PageCreator(fixer, pages, files, flusher, checkpointer);
        this.prefetcher = new Prefetcher(options, pages, builder.prefetchThreads());
        if (builder.readAhead() > 1 && builder.pageIn() != PageIn.BLOCKING) {
            pages.useReadAhead(builder.readAhead(), prefetcher::startRun);
        }
        this.watch = PoolWatch.begun(this, builder); // last: it publishes the pool
    }

    /** {@return a builder with the default settings} */
    public static BufferPoolBuilder builder() {
        return new BufferPoolBuilder();
    }

    private String describe(long id) {
        return files.describe(id);
    }

    // --- files -------------------------------------------------------------------------------------------------------

    /**
     * Opens a file under a number. The engine chooses the number and may store it: under the same number the same page
     * ids are valid after a restart. A number is free again when its file was {@linkplain PagedFile#close closed} or
     * {@linkplain PagedFile#drop dropped}. The pool closes the file in the end.
     *
     * @param number the number, 0 to 1,048,575
     * @param file the file; no other pool or process may use it meanwhile
     * @param options how it is opened; if none is given it must exist, and is read and written
     * @return the file
     * @throws java.nio.file.NoSuchFileException if it does not exist, and is not to be created
     * @throws java.nio.file.FileAlreadyExistsException if it exists, and must be new
     * @throws IOException if it cannot be opened, is in use, or its length is not a multiple of the page size
     * @throws IllegalArgumentException if the number is in use or not valid, or a file that is read-only is to be
     *     created
     * @throws IllegalStateException if the pool is closed
     */
    public PagedFile open(int number, Path file, FileOption... options) throws IOException {
        checkOpen();
        return new PagedFile(this, files.open(number, file.toString(), () -> openStore(file, options)));
    }

    /**
     * Opens a file under a number that the pool chooses: for an engine that stores no page ids, so that a file may have
     * another number after each start. A number is used again when all others were.
     *
     * @param file the file; no other pool or process may use it meanwhile
     * @param options as of {@link #open(int, Path, FileOption...)}
     * @return the file, which has the {@linkplain PagedFile#number number}
     * @throws IOException as {@link #open(int, Path, FileOption...)}
     * @throws IllegalStateException if the pool is closed, or all numbers are in use
     */
    public PagedFile open(Path file, FileOption... options) throws IOException {
        checkOpen();
        return new PagedFile(this, files.open(file.toString(), () -> openStore(file, options)));
    }

    private PageStore openStore(Path file, FileOption... options) throws IOException {
        return FilePageStore.open(file, pageBytes(), options);
    }

    /**
     * Adds a store to this pool, which closes it in the end; see {@link #open(int, Path, FileOption...)}.
     *
     * @param number the number, 0 to 1,048,575
     * @param store a store whose pages have the size of this pool's; nothing else may use it meanwhile
     * @return the file
     * @throws IOException if its length cannot be read
     * @throws IllegalArgumentException if the number is in use or not valid, the pages of the store have another size,
     *     it is in a pool already, or it {@linkplain PageStore#ownBytes writes} where the pool keeps the LSN; the
     *     store stays open
     * @throws IllegalStateException if the pool is closed
     */
    public PagedFile open(int number, PageStore store) throws IOException {
        checkFits(store);
        return new PagedFile(this, files.open(number, store));
    }

    /**
     * Adds a store under a number that the pool chooses; see {@link #open(Path, FileOption...)}.
     *
     * @param store as of {@link #open(int, PageStore)}
     * @return the file, which has the {@linkplain PagedFile#number number}
     * @throws IOException if its length cannot be read
     * @throws IllegalStateException if the pool is closed, or all numbers are in use
     */
    public PagedFile open(PageStore store) throws IOException {
        checkFits(store);
        return new PagedFile(this, files.open(store));
    }

    private void checkFits(PageStore store) {
        checkOpen();
        for (ByteRange own : store.ownBytes()) {
            if (lsnOffset >= 0 && own.overlaps(lsnOffset, Long.BYTES)) {
                throw new IllegalArgumentException(
                        "cannot open " + store.name() + ": the pool keeps the LSN of each" + " page at lsnOffset "
                                + lsnOffset + ", and " + own + " of the store overlaps its eight bytes");
            }
        }
    }

    /**
     * Finds an open file.
     *
     * @param number its number
     * @return the file, or empty if no file of that number is open
     */
    public Optional<PagedFile> file(int number) {
        checkOpen();
        return Optional.ofNullable(files.find(number)).map(file -> new PagedFile(this, file));
    }

    WritablePage create(PageFile file) throws IOException {
        try {
            return creator.create(file);
        } catch (OutOfMemoryError e) {
            throw failed.failIfFramesWereDropped(e);
        }
    }

    WritablePage redoCreation(PageFile file, long lsn, long page) throws IOException {
        return creator.redoCreation(file, lsn, page);
    }

    void truncate(PageFile file, long keep) throws IOException {
        try {
            files.truncate(file, keep, invalidation);
        } catch (OutOfMemoryError e) {
            throw failed.failIfFramesWereDropped(e);
        }
    }

    Prefetch prefetch(PageFile file, long first, int count) {
        long left = file.pages() - first;
        int most = Math.min(count, mostPrefetched());
        return new Prefetch(prefetcher.start(file, first, (int) Math.max(0, Math.min(left, most))));
    }

    boolean install(PageFile file, long page, ByteBuffer bytes) throws IOException {
        if (bytes.remaining() != pageBytes()) {
            throw new IllegalArgumentException(bytes.remaining() + " bytes remain in the buffer, but page " + page
                    + " of " + file.name() + " has " + pageBytes());
        }
        try {
            return pages.install(PageId.of(file.number(), page), bytes);
        } catch (OutOfMemoryError e) {
            throw failed.failIfFramesWereDropped(e);
        }
    }

    private int mostPrefetched() {
        return Math.max(1, frames() / 4);
    }

    /**
     * Prefetches scattered pages asynchronously, as {@link PagedFile#prefetch} does a range: the children of a node, or
     * the pages of row ids. Best effort. The pages are read in the order of file and number, several at a time; one
     * that occurs twice is read once. Of more pages than a quarter of the frames, the first in that order are read, as
     * many as a quarter. Pages that do not exist, or whose file is not open or is closed meanwhile, are skipped.
     *
     * @param ids the pages, in any order; copied
     * @return the prefetch, which reports its progress and can be cancelled; done if there are no pages
     * @throws IllegalArgumentException if an id is negative; then none is prefetched
     * @throws IllegalStateException if the pool is closed
     */
    public Prefetch prefetch(long[] ids) {
        checkOpen();
        long[] copy = ids.clone(); // before the check: the caller's array may change
        for (long id : copy) {
            if (id < 0) {
                throw new IllegalArgumentException(
                        "cannot prefetch page " + id + ": it is not the id of a page, since ids are not negative");
            }
        }
        return new Prefetch(prefetcher.start(copy, mostPrefetched()));
    }

    void remove(PageFile file, Removal how) throws IOException {
        if (how == Removal.DROP) {
            checkOpen();
            files.remove(file, how, invalidation);
        } else {
            close(file);
        }
    }

    /** Does nothing to a file that was closed with the pool, whose close may begin at any moment, and be refused. */
    private void close(PageFile file) throws IOException {
        while (!file.isGone() && !awaitClosed()) {
            if (!file.isRemoved()) {
                flush(file); // most of the changes; the rest, and those to come, are written as the pages leave
            }
            files.remove(file, Removal.CLOSE, invalidation);
        }
    }

    /** {@return whether the pool is closed; waits for a close in progress, which may be refused in the end} */
    private boolean awaitClosed() {
        if (!isClosed()) {
            return false;
        }
        closing.lock();
        try {
            return isClosed();
        } finally {
            closing.unlock();
        }
    }

    void flush(PageFile file) throws IOException {
        checkpointer.checkNotFailed();
        long pages = file.pages();
        if (pages > 0) {
            flush(PageId.of(file.number(), 0), PageId.of(file.number(), pages - 1), DirtyPages.NONE);
        }
    }

    private int flush(long first, long last, long before) throws IOException {
        try {
            int ahead = flusher.writeAhead(first, last, before);
            return ahead + pages.writer().flush(first, last, before);
        } catch (OutOfMemoryError e) {
            throw failed.failIfFramesWereDropped(e);
        }
    }

    void force(PageFile file) throws IOException {
        checkpointer.checkNotFailed();
        files.force(file);
    }

    // --- pages -------------------------------------------------------------------------------------------------------

    /**
     * Fixes a page in shared mode, with a new guard: for reading, concurrently with other readers.
     *
     * @param id the page
     * @return the guard, to be closed
     * @throws IOException if the page had to be read and could not; the next fix tries again
     * @throws NoSuchPageException if there is no such page
     * @throws IllegalStateException if the pool is closed
     * @throws PoolExhaustedException if every frame was pinned for too long
     * @throws WaitTimeoutException if another thread had the latch, or was busy with the page, for too long
     */
    public PageGuard fix(long id) throws IOException {
        return new PageGuard(fixer).fix(id);
    }

    /**
     * Fixes a page in upgradable mode, with a new guard: for reading, concurrently with readers, and for upgrading it
     * later. A page whose rows are updated in shared mode is latched exclusively.
     *
     * @param id the page
     * @return the guard, to be closed
     * @throws IOException as {@link #fix}
     */
    public PageGuard fixUpgradable(long id) throws IOException {
        return new PageGuard(fixer).fixUpgradable(id);
    }

    /**
     * Fixes a page exclusively, with a new object: no other thread reads or writes it meanwhile.
     *
     * @param id the page
     * @return the page, to be closed
     * @throws IOException as {@link #fix}
     */
    public WritablePage fixExclusive(long id) throws IOException {
        return new WritablePage(fixer).fix(id);
    }

    /**
     * Fixes a page, with a new object, to update rows of fixed size: concurrently with readers, and with other threads
     * that update other rows.
     *
     * @param id the page
     * @return the page, to be closed
     * @throws IOException as {@link #fix}
     */
    public SharedUpdatePage fixForSharedUpdate(long id) throws IOException {
        return newSharedUpdatePage().fix(id);
    }

    /**
     * Begins an update of several pages, which change together or not at all. More pages can be added while it runs.
     *
     * @param pages pages that the calling thread has fixed, and that are in no update
     * @return the update, to be ended and closed
     * @throws IllegalStateException if a page is in an update or not fixed by this thread, or its file is read-only;
     *     then no page is in this update
     * @throws IllegalArgumentException if a page belongs to another pool, or the log ends at a negative position
     * @throws PoolFailedException if a file could not be forced
     */
    public MultiPageUpdate beginUpdate(WritablePage... pages) {
        MultiPageUpdate update = new MultiPageUpdate(this, fixer);
        boolean begun = false;
        try {
            for (WritablePage page : pages) {
                update.add(page);
            }
            begun = true;
        } finally {
            if (!begun) {
                update.close();
            }
        }
        return update;
    }

    /** {@return a page for shared updates that has no page yet, to be used again and again by its owner} */
    public SharedUpdatePage newSharedUpdatePage() {
        return new SharedUpdatePage(fixer, rowUpdates);
    }

    /** {@return a guard without a page, to be used again and again by its owner} */
    public PageGuard newGuard() {
        return new PageGuard(fixer);
    }

    /** {@return a writable page that has no page yet, to be used again and again by its owner} */
    public WritablePage newWritablePage() {
        return new WritablePage(fixer);
    }

    /** {@return an optimistic reader without a page, to be used again and again by its owner} */
    public OptimisticPage newOptimisticPage() {
        return new OptimisticPage(fixer, pages);
    }

    /**
     * Reads a page by a function, without a pin, and without a latch unless there is no other way: {@link
     * OptimisticPage#read(long, PageFunction)} with a reader of this pool's, which threads use in turn. So an engine
     * needs no reader for each of its threads. Functions may call this for other pages, but not for a page that an
     * outer function reads: under a policy that is notified of each use, such as {@code lru}, that has a share in its
     * latch, and would wait for itself if another thread waits to change the page.
     *
     * @param id the page
     * @param function reads the page, whose bytes may change meanwhile and be those of another page: it must end with
     *     any bytes, and must have no effect but its result
     * @param <R> the result
     * @param <E> what it throws
     * @return the result of the function
     * @throws IOException as {@link OptimisticPage#read(long)}
     * @throws E what the function has thrown about a page that was right
     */
    public <R, E extends Exception> R read(long id, PageFunction<R, E> function) throws IOException, E {
        long thread = Thread.currentThread().getId();
        OptimisticPage reader = readers.take(thread);
        try {
            return reader.read(id, function);
        } finally {
            if (!reader.isLatched()) { // it is if the stack has overflowed as the latch was to be released
                readers.putBack(thread, reader);
            }
        }
    }

    /**
     * {@return an optimistic reader of several pages at once, without pages yet, to be used again and again by its
     * owner}
     *
     * @param capacity the greatest number of pages, 1 to 1,024
     * @throws IllegalArgumentException if the capacity is out of range
     */
    public OptimisticGroup newOptimisticGroup(int capacity) {
        return new OptimisticGroup(fixer, pages, capacity);
    }

    PagePool pages() {
        return pages;
    }

    Prefetcher prefetcher() {
        return prefetcher;
    }

    /** {@return whether the pool is closed, or is being closed; false again if the close is refused} */
    public boolean isClosed() {
        return fixer.isClosed();
    }

    void checkOpen() {
        fixer.checkOpen();
    }

    /**
     * Tells whether a page is in memory at the moment, and has been read; it may leave at once. Neither waits nor
     * reads, and does not count as a use of the page. For a planner or a prefetcher, which would do without if the page
     * is there.
     *
     * @param id the page
     * @return false also if there is no such page
     * @throws IllegalStateException if the pool is closed
     */
    public boolean isResident(long id) {
        checkOpen();
        return pages.isResident(id);
    }

    // --- changed pages -----------------------------------------------------------------------------------------------

    /**
     * Writes every page to its file that is dirty at the call. Other threads may change pages meanwhile; this waits for
     * the latches of pages that are being changed. It forces nothing. Pages of a file whose close has begun are left to
     * that close.
     *
     * @throws IOException if the log or a page could not be written; that page is still dirty
     * @throws WaitTimeoutException if a page was latched for too long, perhaps by this thread
     * @throws IllegalStateException if the pool is closed
     */
    public void flush() throws IOException {
        checkOpen();
        checkpointer.checkNotFailed();
        flush(0, Long.MAX_VALUE, DirtyPages.NONE);
    }

    /**
     * Makes a fuzzy checkpoint: forces all files, and returns where redo must begin if the machine crashes from now on.
     * Writes no page itself, and stops no thread. The engine may store the position in its master record, and may drop
     * the log before it.
     *
     * @return the position in the log of the first record that may be missing in the files
     * @throws IOException if a file could not be forced
     * @throws PoolFailedException if a force has failed before
     * @throws IllegalStateException if the pool is closed
     */
    public long checkpoint() throws IOException {
        checkOpen();
        return checkpointer.checkpoint(() -> 0);
    }

    /**
     * Makes a checkpoint, as {@link #checkpoint()} does, after it has written the pages that need the log before a
     * position. So the result is not less than that position, unless an update began meanwhile.
     *
     * @param before the position, not greater than the end of the log
     * @return the position in the log of the first record that may be missing in the files
     * @throws IOException if the log or a page could not be written, or a file could not be forced
     * @throws WaitTimeoutException if a page was latched for too long, perhaps by this thread
     */
    public long checkpoint(long before) throws IOException {
        checkOpen();
        return checkpointer.checkpoint(() -> flush(0, Long.MAX_VALUE, before));
    }

    /**
     * Makes all changes durable that were made before the call: writes every page that is dirty, except those of a file
     * whose close has begun, and forces all files. Redo must begin at the position that is returned. Records of the log
     * that describe no page, such as those of commits, are made durable by the engine. Not to be called within an
     * update, since it waits for the latches of dirty pages.
     *
     * @return as {@link #checkpoint()}
     * @throws IOException if the log or a page could not be written, or a file could not be forced
     * @throws WaitTimeoutException if a page was latched for too long, perhaps by this thread
     * @throws PoolFailedException if a force has failed before
     * @throws IllegalStateException if the pool is closed
     */
    public long sync() throws IOException {
        flush();
        return checkpoint();
    }

    /** {@return how many pages are dirty at the moment: changed, and not written since} */
    public int dirtyPages() {
        return pages.dirty().count();
    }

    // --- the pool ----------------------------------------------------------------------------------------------------

    /** {@return where in each page the pool stores its LSN, if it does; see {@link BufferPoolBuilder#lsnOffset}} */
    public OptionalInt lsnOffset() {
        return lsnOffset < 0 ? OptionalInt.empty() : OptionalInt.of(lsnOffset);
    }

    /** {@return the size of a page in bytes} */
    public int pageBytes() {
        return pages.memory().pageBytes();
    }

    /** {@return how many pages fit into memory now} */
    public int frames() {
        return pages.capacity();
    }

    /** {@return up to how many frames the pool can be resized} */
    public int maxFrames() {
        return pages.mostFrames();
    }

    /**
     * Changes how many pages fit into memory, while other threads use the pool; none is stopped.
     *
     * <p>A pool that shrinks gives up the frames of the highest numbers: their changes are written, and their pages are
     * evicted as soon as no thread uses them, hot ones too. Then their memory is given back: native memory (see {@link
     * PoolTuning#hugePages}) at once, direct memory when the collector has found it unused, in pieces of 2 MiB or more.
     * {@linkplain PoolTuning#advises Estimates} remain those for the size and the policy that the pool was built with.
     *
     * @param count how many, at least 1 and at most {@link #maxFrames}
     * @throws IllegalArgumentException if it is not, or the JVM does not allow so much direct memory to this and the
     *     other open pools; nothing has changed
     * @throws IOException if a page could not be written; the pool has the size that it had
     * @throws WaitTimeoutException if a page was used for too long, perhaps by this thread; the pool has the size that
     *     it had. Or, if {@link #frames} is the new number already, its memory was not given back: another call with
     *     this number goes on with that
     * @throws IllegalStateException if the pool is closed
     */
    public void resize(int count) throws IOException {
        if (count < 1 || count > maxFrames()) {
            throw new IllegalArgumentException("a pool of maxFrames = " + maxFrames() + " cannot be resized to " + count
                    + " frames; it must be between 1 and that number, which the builder sets");
        }
        closing.lock();
        try {
            checkOpen();
            long difference = pages.directBytes(count) - pages.directBytes(reserved);
            boolean shrinks = count <= frames(); // a growth gives no memory back
            if (difference > 0) {
                memory.change(difference);
                reserved = count;
            }
            try {
                pages.resize(count);
            } finally {
                flusher.onCapacity(frames());
            }
            if (difference < 0 && shrinks) {
                memory.change(difference);
                reserved = count;
            }
        } finally {
            closing.unlock();
        }
    }

    /** {@return for how many frames memory is reserved; for tests} */
    int reservedFrames() {
        return reserved;
    }

    /** {@return the name of the replacement policy now} */
    public String policy() {
        return policy;
    }

    /**
     * Exchanges the replacement policy while other threads use the pool; none is stopped. The pages stay in memory.
     * Their weights and, where the former policy can tell it, their order are kept; all else that it knew is lost, so
     * the hit ratio may be lower for a while.
     *
     * @param policyName one of {@link Policies#names()}, with parameters or without, as {@code 2q(in=0.3)}
     * @throws IllegalArgumentException if there is no such policy, or a parameter is wrong
     * @throws WaitTimeoutException as {@link #switchPolicy(String, IntFunction)}
     * @throws IllegalStateException if the pool is closed
     */
    public void switchPolicy(String policyName) {
        String name = Policies.normalized(policyName);
        switchPolicy(name, frames -> Policies.create(name, hand, frames));
    }

    /**
     * Exchanges the replacement policy, as {@link #switchPolicy(String)} does, for one of the caller's.
     *
     * @param policyName its name
     * @param maker makes a new, thread-safe policy for a number of frames
     * @throws WaitTimeoutException if a page was read or evicted for too long; the new policy is in force, and finds
     *     this page when it has no other victim
     * @throws IllegalArgumentException if the maker returns null; the policy stays as it is. So it does if the maker
     *     throws anything, or the new policy when it is asked for its properties
     * @throws IllegalStateException if the pool is closed
     */
    public void switchPolicy(String policyName, IntFunction<ReplacementPolicy> maker) {
        Objects.requireNonNull(policyName, "policyName");
        closing.lock();
        try {
            checkOpen();
            ReplacementPolicy next = maker.apply(frames());
            if (next == null) {
                throw new IllegalArgumentException(
                        "the maker of the policy " + policyName + " has made none; " + policy + " stays in force");
            }
            pages.switchPolicy(next, () -> policy = policyName);
        } finally {
            closing.unlock();
        }
    }

    /**
     * Starts or stops counting what {@link #stats} returns; off at the beginning. Nothing is stored while it is off.
     *
     * @param on whether to count
     */
    public void collectStats(boolean on) {
        pages.collect(on);
    }

    FileStats stats(PageFile file) {
        return stats(file, (int)
                pages.loaded().filter(id -> PageId.file(id) == file.number()).count());
    }

    private static FileStats stats(PageFile file, int resident) {
        return new FileStats(
                file.pages(), resident, file.counts().hits(), file.counts().misses());
    }

    /** {@return figures of each open file, in the order of their numbers; scans all frames, once for all files} */
    public Map<PagedFile, FileStats> fileStats() {
        checkOpen();
        Map<Integer, Integer> resident = new HashMap<>();
        pages.loaded().forEach(id -> resident.merge(PageId.file(id), 1, Integer::sum));
        Map<PagedFile, FileStats> byFile = new LinkedHashMap<>();
        for (PageFile file : files.open()) {
            byFile.put(new PagedFile(this, file), stats(file, resident.getOrDefault(file.number(), 0)));
        }
        return byFile;
    }

    /** {@return statistics; collecting them scans all frames, and plays samples that wait for an estimate} */
    public PoolStats stats() {
        PageCounters counted = pages.counters();
        return new PoolStats(
                counted.hits(),
                counted.misses(),
                counted.prefetches(),
                counted.reads(),
                counted.wastedReads(),
                counted.failedReads(),
                pages.evictions(),
                pages.searches(),
                pages.framesScanned(),
                pages.pinned(),
                pages.free(),
                frames(),
                writeStats(),
                memoryStats(),
                estimates());
    }

    /**
     * Starts the {@linkplain PoolTuning#advises estimates} of hit ratios anew, for example after the warm-up, or when
     * the load has changed: references so far no longer count. The models keep their contents.
     */
    public void resetEstimates() {
        if (pages.advice() != null) {
            pages.advice().reset();
        }
    }

    List<HitRatioEstimate> estimates() {
        return pages.advice() == null ? List.of() : pages.advice().estimates();
    }

    MemoryStats memoryStats() {
        PageMemory slabs = pages.memory().memory();
        return new MemoryStats(slabs.description(), slabs.bytes());
    }

    private WriteStats writeStats() {
        WriteCounters counted = pages.writer().counters();
        return new WriteStats(
                dirtyPages(),
                counted.pages(),
                counted.writes(),
                counted.batches(),
                counted.failedWrites(),
                counted.readStalls(),
                counted.readStallNanos(),
                counted.pacedChanges(),
                counted.logWaits(),
                counted.logWaitNanos(),
                counted.checkpoints(),
                counted.lastCheckpointNanos(),
                counted.lastCheckpointDistance());
    }

    String name() {
        return name;
    }

    FileTable files() {
        return files;
    }

    /**
     * Lists the pins of guards, and of optimistic readers that had to latch their page. A thread that is about to have
     * a page, since it reads it or waits for its latch, is not listed. Most expensive for pins that were not listed
     * before, whose stacks must be resolved.
     *
     * @return the pins, the oldest first
     * @throws IllegalStateException if this pool does not {@linkplain BufferPoolBuilder#detectLeaks detect leaks}, so
     *     that they are not known
     */
    public List<PinTrace> pins() {
        if (pinTracker == null) {
            throw new IllegalStateException("the pool does not record its pins: " + PinTracker.HINT);
        }
        return pinTracker.traces();
    }

    /**
     * Checks the invariants of a pool that no other thread uses at the moment; for tests. The pool's own threads pause
     * meanwhile, and prefetches that are in progress are cancelled.
     *
     * @throws IllegalStateException if one does not hold
     * @throws WaitTimeoutException if a prefetch did not end in time
     */
    public void checkIntegrity() {
        closing.lock();
        try {
            flusher.pause();
            try {
                prefetcher.pause();
                pages.checkIntegrity();
            } finally {
                prefetcher.resume();
                flusher.resume();
            }
        } finally {
            closing.unlock();
        }
    }

    /**
     * Closes the pool and its files, after it has written the pages that are dirty. Prefetches are cancelled, even if
     * the close is refused. Guards should be closed before; a fix that begins at the same time fails, or returns a
     * guard that should be closed. If guards are open nevertheless, perhaps since a program has failed and nobody has
     * them any more, the pool is closed all the same, so that its files can be opened again: updates that are in
     * progress may end within {@link BufferPoolBuilder#waitTimeout}, and their pages are written; other guards may be
     * closed within a second. Then guards can be closed still, but any other use of them is an {@link
     * IllegalStateException}, and no optimistic read validates. So a shutdown hook can close the pool beside threads
     * that use it: each of their fixes, and each begin of an update, is an {@code IllegalStateException} then. Native
     * memory is given back at once, if no guard is open, direct memory when the collector has found it unused. A pool
     * that is closed is left as it is.
     *
     * @throws IllegalStateException if guards were open; the message names their pages, and says how many of them have
     *     changes that were not written. The pool is closed nevertheless. If it detects leaks, the message has the
     *     oldest pins, and their stacks are suppressed exceptions of this one
     * @throws WaitTimeoutException if a page was being prefetched or created, or a file truncated, for too long; the
     *     pool stays open
     * @throws PoolFailedException if a force has failed before; the pool stays open: {@link #closeWithoutWriting}
     * @throws IOException if a page could not be written; the pool stays open. Or if a file could not be forced or
     *     closed; the pool is closed nevertheless
     */
    @Override
    public void close() throws IOException {
        closeAfterWrites();
    }

    /**
     * Fails the pool, as an error of the virtual machine in the middle of a step does: from now on every call but a
     * release throws a {@link PoolFailedException}, threads that wait get one, and no page is written. {@link
     * #closeWithoutWriting} ends the pool; then open it again, and redo from the last checkpoint. For an engine that
     * has lost guards, or no longer knows what its pages hold: after an {@link OutOfMemoryError} with the message
     * "failed reallocation of scalar replaced objects", for example, since HotSpot has run no {@code finally} block of
     * the frames that it has dropped then. A pool that has failed before stays as it is.
     *
     * @param cause why; the cause of each {@link PoolFailedException}
     */
    public void fail(Throwable cause) {
        failed.fail(Objects.requireNonNull(cause, "cause"));
    }

    /**
     * Closes the pool, but writes no page: changes that were not written before are lost, unless the engine's log has
     * them. For an engine that stops as if the machine had crashed, since pages cannot be written, or a guard was lost.
     * The pool is closed in any case, its files can be opened again, and its name is free: threads that are busy with
     * it are waited for, but not longer than {@link BufferPoolBuilder#waitTimeout}, and guards that are open are
     * abandoned: they can be closed, but any other use of them is an {@link IllegalStateException}, and no optimistic
     * read validates.
     *
     * @throws IllegalStateException if guards were open; the message names their pages. Not if the pool has failed:
     *     nobody knows then
     * @throws WaitTimeoutException if a thread was busy with the pool for too long, and the pool has not failed
     * @throws IOException if a file could not be closed
     */
    public void closeWithoutWriting() throws IOException {
        closing.lock();
        try {
            if (!isClosed()) {
                abandon();
            }
        } finally {
            closing.unlock();
        }
    }

    /** Each step even if those before fail: a closed pool cannot be closed again. */
    private void abandon() throws IOException {
        Throwable failure = failureOf(prefetcher::pause, null);
        failure = failureOf(flusher::pause, failure);
        fixer.setClosed(true);
        failure = failureOf(files::shut, failure);
        if (failed.hasFailed()) {
            failure = null; // what was waited for may never end, and frames be pinned though all guards are closed
        } else {
            failure = failureOf(this::throwIfGuardsAreOpen, failure);
        }
        failure = Failures.join(failureOf(() -> release(false), null), failure);
        if (failure instanceof Error e) {
            throw e;
        }
        if (failure instanceof IOException e) {
            throw e;
        }
        if (failure != null) {
            throw (RuntimeException) failure;
        }
    }

    /** Waits for the guards of threads that are busy with a page; {@return whether all were closed in time} */
    boolean awaitGuards(Duration time) {
        long deadline = System.nanoTime() + time.toNanos();
        boolean interrupted = false; // an interrupted thread cannot park
        try {
            while (pages.pinned() > 0) {
                if (System.nanoTime() - deadline >= 0) {
                    return false;
                }
                interrupted |= Thread.interrupted();
                LockSupport.parkNanos(PAUSE_NANOS);
            }
            return true;
        } finally {
            EngineCalls.end(interrupted);
        }
    }

    private void throwIfGuardsAreOpen() {
        IllegalStateException guards = openGuards(0);
        if (guards != null) {
            throw guards;
        }
    }

    /** {@return the first failure} */
    private static Throwable failureOf(Step step, Throwable before) {
        try {
            step.run();
            return before;
        } catch (Throwable e) {
            return Failures.join(before, e);
        }
    }

    private interface Step {
        void run() throws IOException;
    }

    private void closeAfterWrites() throws IOException {
        closing.lock();
        try {
            if (isClosed()) {
                return;
            }
            failed.check();
            checkpointer.checkNotFailed();
            flusher.writeAhead(0, Long.MAX_VALUE, DirtyPages.NONE); // its threads write nothing later
            boolean refused = true;
            IllegalStateException guards;
            try {
                prefetcher.pause(); // they pin pages
                flusher.pause();
                fixer.setClosed(true);
                files.shut();
                WaitTimeoutException late = completeCloses();
                int unwritten = pages.writer().flushWithin(waitTimeout.toNanos());
                if (awaitGuards(GRACE) && unwritten > 0) { // updates that have ended since
                    unwritten = pages.writer().flushWithin(waitTimeout.toNanos());
                }
                guards = openGuards(unwritten);
                if (guards == null && unwritten > 0) {
                    throw new IOException("changes of " + unwritten + " pages were not written: close the pool again");
                }
                if (guards == null && late != null) {
                    throw late; // its guard was closed meanwhile, and its changes may not be written
                }
                Failures.join(guards, late);
                failed.check(); // it may have failed meanwhile
                refused = false;
            } finally {
                if (refused) { // needs no memory
                    files.reopen(); // first: while files are shut the pool is closed
                    fixer.setClosed(false);
                    prefetcher.resume();
                    flusher.resume();
                }
            }
            try {
                release(true);
            } catch (Throwable e) { // also a checked exception of another language
                Failures.join(e, guards);
                throw e;
            }
            if (guards != null) {
                throw guards;
            }
        } finally {
            closing.unlock();
        }
    }

    /** {@return the exception of a wait for a guard of such a file, or null} */
    private WaitTimeoutException completeCloses() throws IOException {
        try {
            files.completeCloses(invalidation);
            return null;
        } catch (WaitTimeoutException e) {
            if (pages.pinned() == 0) {
                throw e;
            }
            return e;
        }
    }

    /** Each step even if the one before fails: a closed pool cannot be closed again. */
    private void release(boolean forces) throws IOException {
        try {
            files.close(forces);
        } finally {
            try {
                memory.end(pages.closeMemory());
            } finally {
                try {
                    prefetcher.stop();
                    flusher.stop();
                } finally {
                    watch.close();
                }
            }
        }
    }

    /**
     * {@return what a close throws if guards are open; else null}
     *
     * @param unwritten the number of pages whose changes they kept from being written
     */
    private IllegalStateException openGuards(int unwritten) {
        int pinned = pages.pinned();
        if (pinned == 0) {
            return null;
        }
        String message = "the pool was closed with guards open: " + pinned + " of its " + frames()
                + " frames are pinned (" + pages.describePinned(3) + ")";
        if (unwritten > 0) {
            message += ", and changes of " + unwritten + " pages were not written: redo them from the log";
        }
        message += "; close every guard first";
        return pinTracker == null
                ? new IllegalStateException(message + "; " + PinTracker.HINT)
                : pinTracker.openAtClose(message);
    }
}
