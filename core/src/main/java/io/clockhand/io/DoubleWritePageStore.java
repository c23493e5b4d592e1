// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.io;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Keeps pages of another store whole through crashes: images of pages are forced to a journal before the pages are
 * overwritten in place, and {@link #open} writes them again.
 *
 * <p><b>Guarantee.</b> After a crash and {@link #open}, each page holds the image of the last write that returned. If a
 * write was under way, or had failed, the page may hold its image instead, and a run of pages ({@link #writeRun}) holds
 * its new images wholly or not at all; of a batch ({@link #writeBatch}) a part may have them. No page is torn. A
 * truncation, and pages that were extended and never written, are not in the journal: they need {@link #force}, as
 * those of any store. Until then a page that was truncated has its last image, or is zero, or is not there.
 *
 * <p><b>Assumptions.</b> A force that returns has brought all earlier writes to its store to the device. Writes that
 * were not forced are lost, wholly or in part, and in any order; bytes that were not written stay. The device keeps
 * the journal's bytes as they are. The two stores may fail at different times.
 *
 * <p><b>Order of writes and forces.</b>
 * <pre>
 * each write of a page, a run or a batch            when the journal is full
 *   1  append a batch to the journal                  4  force the store
 *   2  force the journal                              5  write a new beginning to journal page 0
 *   3  write the pages in place                       6  force the journal; use its pages again
 * </pre>
 *
 * <p><b>Proof.</b> A batch counts if its header and images agree with their checksums, and its number follows that of
 * the batch before it. {@code open} writes the images of all batches that count in their order, forces the store, and
 * clears the journal by steps 5 and 6. Consider where the crash happens:
 * <ul>
 * <li><em>Before 2 has returned</em>: the last batch is torn, and is ignored. Its pages were not overwritten, since
 * step 3 had not begun. Or it is whole, and is written in place as if the call had ended.
 * <li><em>After 2</em>: all batches since the last beginning are whole, so each of their pages gets its newest image,
 * whatever is in place. All other pages were forced by the last step 4, and not written since.
 * <li><em>After 4 and before 6 has returned</em>: the journal has its former beginning, and all batches behind it are
 * whole, as nothing but page 0 was written. Their images are those that step 4 has forced. Or the beginning is new or
 * torn, and no batch counts.
 * <li><em>After 6</em>: batches behind the new beginning are older, so their numbers are lower and do not follow it.
 * If 6 were left out, a batch could overwrite the last batches of the former journal while its first ones still
 * counted, and {@code open} would replace newer images by these.
 * <li><em>During {@code open}</em>: the batches that are found are written and forced once more, before an image is
 * written in place: a process that was killed may have left them in the operating system's cache only. Then the journal
 * is not changed before the store is forced, so the next {@code open} does the same.
 * <li><em>While the journal is made</em>: it has no images, and is made again. A mark distinguishes it from other
 * files, which is forced before the first beginning is written over it; if the mark is torn, all other bytes are zero.
 * </ul>
 *
 * <p><b>Threads.</b> Images of concurrent calls may go to the journal as one batch, by one of their threads. Each call
 * does step 3 after step 2 of its own batch, at the same time as other calls, and also while a later batch is appended.
 * A page is in at most one batch that is not in place yet, so its newest image in the journal is the last one that is
 * written in place. Step 4 waits until no page is being written in place. So the proof holds for each page of a batch,
 * whichever call has brought it.
 *
 * <p><b>Failures.</b> If the journal cannot be written, the pages in place are not touched. If pages in place cannot be
 * written or forced, the journal keeps their images; the newest one of each page is written once more before the next
 * force of the store, and so are the zeros of pages by which it was extended since the last force that has succeeded.
 * So a force that returns after one that failed has lost nothing. Until that succeeds the journal is not cleared, and
 * writes fail when it is full. A read meanwhile may find a page torn whose own write has failed. It finds the last
 * image of any other page, even if it was written once more and that has failed half-way; but after a failed force only
 * as long as the operating system still shows what it could not bring to the device.
 *
 * <p><b>Use.</b> The journal belongs to one store, and is opened with it each time. {@code open} refuses a journal that
 * has images of another store, of an older copy of the store, or of the store as it was before it was written without
 * its journal; it knows them by the checksums of some pages and by the names of the stores. Where the store writes
 * bytes of its own into its pages, only those tell that were not written since it was opened. So a store that may not
 * have been closed is copied, moved and restored together with its journal. {@link #close} leaves the journal empty,
 * and an empty journal fits any store. A {@link ChecksummedPageStore} is put on top of this store, not below it, so
 * that the journal holds the checksums of the pages. Until a write returns another thread may read the bytes that are
 * to be written, and the list of pages: a buffer that only its own thread may read will not do. New pages are best made
 * by {@link #extend} and a force. If a crash leaves the last page of a {@link FilePageStore} incomplete it can be
 * opened with {@link FileOption#CUT_INCOMPLETE_PAGE} only.
 *
 * <p><b>Cost.</b> Each page is written twice, and each call waits for a force of the journal; so write batches, not
 * pages. A batch is divided if it is longer than the journal, or than the list for which a page of it has space: 507
 * numbers in 4 KiB. The store is forced once for each journal that was filled. Of concurrent calls one writes to the
 * journal; those that come during that share the next force. Reads wait for no write, except while images are written
 * in place once more after a failure. Thread-safe.
 */
public final class DoubleWritePageStore extends ForwardingPageStore {
    /** The size of a journal if none is given, in bytes. */
    private static final int DEFAULT_JOURNAL_BYTES = 8 << 20;

    private static final long LEAST_JOURNAL_PAGES = 3;
    private static final int ALL = Integer.MAX_VALUE;

    private final PageStore journalStore;
    private final PageJournal journal;
    private final JournalWriters writers;
    /**
     * A read takes one permit, a thread that writes images in place once more takes all. Fair, so that reads do not
     * keep that thread out. A {@code ReentrantReadWriteLock} allocates after it has counted a reader; if there is no
     * memory then, that reader counts for ever.
     */
    private final Semaphore repeating = new Semaphore(ALL, true);

    private final long restoredPages;
    private final AtomicBoolean owned = new AtomicBoolean();
    /**
     * Whether a write or a force of the store has failed since the images in the journal were last in place. Set by
     * threads that write in place, before they say that they have ended; read and cleared while there are none.
     */
    private boolean uncertain;
    /** Whether the store was truncated, perhaps without success, and not forced since. */
    private boolean truncated;
    /** The first page by which the store was extended since it was forced, if it is less than {@code extendedTo}. */
    private long extendedFrom = Long.MAX_VALUE;
    /** One behind the last page by which it was extended since it was forced, and which it has still. */
    private long extendedTo;
    /**
     * The least number of pages to which the store was truncated since the journal was last cleared: the images of
     * pages behind it are of pages that have gone.
     */
    private long cutTo = Long.MAX_VALUE;

    private boolean deleted;
    private boolean closed;

    private DoubleWritePageStore(PageStore store, PageStore journalStore, long journalPages, boolean checks)
            throws IOException {
        super(store);
        this.journalStore = journalStore;
        this.journal = new PageJournal(journalStore, store, journalPages);
        this.writers = new JournalWriters(journal.mostInBatch());
        this.restoredPages = journal.recover(checks);
    }

    /**
     * Opens a store with a journal of 8 MiB.
     *
     * @param store has the pages
     * @param journal has the images
     * @return the store
     * @throws IOException as {@link #open(PageStore, PageStore, long)}
     */
    public static DoubleWritePageStore open(PageStore store, PageStore journal) throws IOException {
        return open(store, journal, Math.max(LEAST_JOURNAL_PAGES, DEFAULT_JOURNAL_BYTES / store.pageBytes()));
    }

    /**
     * Opens a store, and writes those images in the journal to it that a crash may have kept from it. If that fails,
     * the caller closes the two stores, and may open them again.
     *
     * @param store has the pages; closed and deleted with the returned store
     * @param journal has the images: a store for this purpose only, empty at first, with pages of the same size; closed
     *     and deleted with the returned store
     * @param journalPages the number of pages to which the journal is extended, 3 or more: each write needs one more
     *     page than it writes; a longer run extends the journal
     * @return the store
     * @throws IOException if a page could not be read from the journal or written to the store; if the journal could
     *     not be extended; if one of the two stores has an owner already, such as another journal; if the journal has
     *     images of another store, or is none: then both stay as they are
     * @throws IllegalArgumentException if the pages differ in size, there are too few for a journal, the stores are the
     *     same, or one is read-only
     */
    public static DoubleWritePageStore open(PageStore store, PageStore journal, long journalPages) throws IOException {
        return open(store, journal, journalPages, true);
    }

    /**
     * Opens a store as {@link #open(PageStore, PageStore, long)} does, and writes the images in the journal to it
     * without a check that they belong to it. If they do not, pages are lost. So this is only for a store that was
     * copied or moved with its journal, and that {@code open} refuses since it has another name and no page that tells;
     * or one of which a device has changed a page since.
     *
     * @param store has the pages
     * @param journal has the images
     * @param journalPages the number of pages to which the journal is extended
     * @return the store
     * @throws IOException as {@code open}, but not if the images belong to another store
     * @throws IllegalArgumentException as {@code open}
     */
    public static DoubleWritePageStore openUnchecked(PageStore store, PageStore journal, long journalPages)
            throws IOException {
        return open(store, journal, journalPages, false);
    }

    private static DoubleWritePageStore open(PageStore store, PageStore journal, long journalPages, boolean checks)
            throws IOException {
        Objects.requireNonNull(store);
        if (store instanceof EncryptedPageStore) {
            throw new IllegalArgumentException(
                    "the journal of " + store.name() + " would have the plaintext of its pages:"
                            + " encrypt a DoubleWritePageStore, so that the journal lies below");
        }
        if (journal.equals(store)) {
            throw new IllegalArgumentException(store.name() + " cannot be its own journal");
        }
        if (journal.pageBytes() != store.pageBytes()) {
            throw new IllegalArgumentException("the pages of the journal " + journal.name() + " have "
                    + journal.pageBytes() + " bytes, those of " + store.name() + " have " + store.pageBytes());
        }
        if (journalPages < LEAST_JOURNAL_PAGES) {
            throw new IllegalArgumentException("the journal " + journal.name() + " would have " + journalPages
                    + " pages; it needs " + LEAST_JOURNAL_PAGES + " or more");
        }
        if (store.isReadOnly() || journal.isReadOnly()) {
            throw new IllegalArgumentException(store.name() + " and its journal " + journal.name()
                    + " must be writable, so that pages can be" + " restored after a crash");
        }
        if (!store.tryOwn()) {
            throw new IOException(store.name() + " is in use by a pool, or has a journal already: " + journal.name()
                    + " cannot become its journal");
        }
        if (!journal.tryOwn()) {
            throw new IOException("the journal " + journal.name() + " is in use by another store than " + store.name()
                    + ", or by a pool");
        }
        try {
            return new DoubleWritePageStore(store, journal, journalPages, checks);
        } catch (IOException e) {
            throw new IOException(
                    "cannot restore pages of " + store.name() + " from the journal " + journal.name() + ": "
                            + e.getMessage(),
                    e);
        }
    }

    /** {@return the number of images that were written when the store was opened} */
    public long restoredPages() {
        return restoredPages;
    }

    @Override
    public void read(long page, ByteBuffer target) throws IOException {
        repeating.acquireUninterruptibly();
        try {
            store.read(page, target);
        } finally {
            repeating.release();
        }
    }

    @Override
    public void readRun(long first, ByteBuffer[] targets, int count) throws IOException {
        repeating.acquireUninterruptibly();
        try {
            store.readRun(first, targets, count);
        } finally {
            repeating.release();
        }
    }

    @Override
    public void write(long page, ByteBuffer source) throws IOException {
        FilePageStore.checkTransfer(page, source, pageBytes(), name());
        writeTwice(PageImages.ofRun(page, 1, source));
    }

    /** Writes adjacent pages as one batch: after a crash, either all of them have their new images or none. */
    @Override
    public void writeRun(long first, ByteBuffer source) throws IOException {
        FilePageStore.checkRun(first, source, pageBytes(), name());
        writeTwice(PageImages.ofRun(first, source.remaining() / pageBytes(), source));
    }

    @Override
    public boolean readsRuns() {
        return store.readsRuns();
    }

    @Override
    public boolean writesBatches() {
        return true;
    }

    /** Writes pages with one force of the journal, or with a few if there are many. */
    @Override
    public void writeBatch(long[] pages, int from, int to, ByteBuffer source) throws IOException {
        PageBatch.check(pages, from, to, source, pageBytes(), name());
        int limit = source.limit();
        try {
            for (int begin = from, end; begin < to; begin = end) {
                end = Math.min(to, begin + journal.mostInBatch());
                source.limit(source.position() + (end - begin) * pageBytes());
                writeTwice(PageImages.listed(pages, begin, end, source));
            }
        } finally {
            source.limit(limit);
        }
    }

    /** Writes pages to the journal, together with those of threads that wait, then in place. */
    private void writeTwice(PageImages images) throws IOException {
        List<PageImages> group = writers.awaitJournal(images);
        if (group != null) {
            appendToJournal(group);
        }
        if (images.failure != null) {
            throw new IOException(
                    "cannot write " + images + " of " + name() + ", which "
                            + (images.count() == 1 ? "stays as it was" : "stay as they were") + ", since the journal "
                            + journal.name() + " cannot take its images: "
                            + (images.failure instanceof IOException e ? e.getMessage() : images.failure),
                    images.failure);
        }
        boolean written = false;
        try {
            images.writeTo(store);
            written = true;
        } finally {
            if (!written) {
                uncertain = true;
            }
            writers.endInPlace(images);
        }
    }

    /** Returns when the images are on the journal's device: only then may the pages be overwritten in place. */
    private void appendToJournal(List<PageImages> group) {
        Throwable failure = null;
        try {
            if (closed) {
                throw new IOException(name() + " is closed");
            }
            if (cutTo != Long.MAX_VALUE || !journal.fits(PageImages.count(group))) { // no image may lie behind the cut
                writers.awaitPagesInPlace();
                clearJournal();
            }
            journal.append(group);
        } catch (IOException e) {
            failure = e; // each thread of the group throws its own
        } catch (Throwable e) { // also a checked exception of another language: nothing may count as written
            failure = e;
            throw e;
        } finally {
            writers.endJournal(group, failure);
        }
    }

    private void clearJournal() throws IOException {
        forceInPlace();
        journal.clear();
        cutTo = Long.MAX_VALUE;
    }

    /** After a failure the operating system may have dropped what was not forced, so it is written once more. */
    private void forceInPlace() throws IOException {
        boolean forced = false;
        try {
            if (uncertain) {
                repeat(cutTo);
            }
            store.force();
            onForced();
            forced = true;
        } finally {
            uncertain = !forced;
        }
    }

    private void onForced() {
        truncated = false;
        extendedFrom = Long.MAX_VALUE;
        extendedTo = 0;
    }

    /**
     * Writes what is not on the device for certain once more, up to a page: images, and the zeros of an extension. No
     * page is read meanwhile, since a page that a failed write has torn is being made whole.
     */
    private void repeat(long end) throws IOException {
        repeating.acquireUninterruptibly(ALL);
        try {
            Set<Long> written = journal.repeat(end);
            if (extendedFrom < Math.min(end, extendedTo)) {
                repeatZeros(Math.min(end, extendedTo), written);
            }
        } finally {
            repeating.release(ALL);
        }
    }

    /** Writes zeros to the pages of the extension that have no image. */
    private void repeatZeros(long end, Set<Long> written) throws IOException {
        ByteBuffer zeros = StoreExtension.zeros();
        if (zeros.capacity() < pageBytes()) { // in a store of an engine's own
            zeros = ByteBuffer.allocate(pageBytes());
        }
        int most = zeros.capacity() / pageBytes();
        for (long page = extendedFrom, behind; page < end; page = Math.max(behind, page + 1)) {
            behind = page;
            while (behind < end && behind - page < most && !written.contains(behind)) {
                behind++;
            }
            if (behind > page) {
                store.writeRun(page, zeros.clear().limit((int) (behind - page) * pageBytes()));
            }
        }
    }

    /** Brings pages to the device, those of earlier forces that failed as well, as long as the journal has them. */
    @Override
    public void force() throws IOException {
        writers.enterExclusive(); // a failure must be known before the journal is cleared
        try {
            if (cutTo != Long.MAX_VALUE) {
                clearJournal(); // or a crash could bring back what was cut off
            } else {
                forceInPlace();
            }
        } finally {
            writers.exitExclusive();
        }
    }

    /** Passed on: an extension is not in the journal. */
    @Override
    public void extend(long pages) throws IOException {
        StoreExtension.checkPages(pages, pageBytes(), name());
        writers.enterExclusive();
        try {
            if (uncertain || cutTo != Long.MAX_VALUE || journal.mayHaveWrongBatch()) {
                clearJournal(); // an image behind the end must not be written later, over the zeros
            } else if (truncated) {
                forceInPlace(); // or zeros may be mixed with old bytes, if the truncation is lost and they are not
            }
            long before = store.pages();
            extendedFrom = Math.min(extendedFrom, before); // first: if it fails, pages of it may stay
            store.extend(pages);
            if (pages > before) {
                extendedTo = Math.max(extendedTo, pages);
            }
        } finally {
            writers.exitExclusive();
        }
    }

    /** Truncates the store when the journal has been cleared, so no image extends the store again after a crash. */
    @Override
    public void truncate(long pages) throws IOException {
        FilePageStore.checkPages(pages, pageBytes(), name());
        writers.enterExclusive();
        try {
            if (!journal.isUsed()) {
                truncateInPlace(pages);
            } else if (!uncertain) {
                clearJournal();
                truncateInPlace(pages);
            } else {
                truncateAfterFailure(pages);
            }
        } finally {
            writers.exitExclusive();
        }
    }

    private void truncateInPlace(long pages) throws IOException {
        truncated = true;
        store.truncate(pages);
        extendedTo = Math.min(extendedTo, pages);
        if (journal.isUsed()) {
            cutTo = Math.min(cutTo, pages);
        }
    }

    /**
     * A write has failed, perhaps since the disk has no space for a page that goes now. So its image is not written
     * once more, but stays in the journal until the truncation is on the device.
     */
    private void truncateAfterFailure(long pages) throws IOException {
        repeat(Math.min(cutTo, pages));
        truncateInPlace(pages);
        store.force();
        onForced();
        uncertain = false;
        journal.clear();
        cutTo = Long.MAX_VALUE;
    }

    @Override
    public boolean tryOwn() {
        return owned.compareAndSet(false, true);
    }

    /**
     * Forces the store, clears the journal, and closes both. If the force fails, both are closed nevertheless, and the
     * next {@link #open} writes the images in the journal.
     */
    @Override
    public void close() throws IOException {
        writers.enterExclusive();
        try {
            Throwable failure = null;
            if (!closed && journal.isUsed()) {
                failure = failureOf(this::clearJournal, null);
            }
            closed = true;
            failure = failureOf(store, failure);
            failure = failureOf(journalStore, failure);
            if (failure != null) {
                DoubleWritePageStore.<IOException>rethrow(failure);
            }
        } finally {
            writers.exitExclusive();
        }
    }

    /**
     * Clears the journal, deletes the store, then the journal: so a new store of the name gets no images of this. If a
     * write has failed the store is truncated before, since nobody needs the pages that it cannot take.
     */
    @Override
    public void delete() throws IOException {
        writers.enterExclusive();
        try {
            if (!deleted) {
                if (journal.isUsed() && uncertain) {
                    truncateAfterFailure(0);
                } else if (journal.isUsed()) {
                    clearJournal();
                }
                store.delete();
                deleted = true;
            }
            journalStore.delete();
            closed = true;
        } finally {
            writers.exitExclusive();
        }
    }

    @SuppressWarnings("ReferenceEquality") // the very failure
    private static Throwable failureOf(Closeable step, Throwable before) {
        try {
            step.close();
            return before;
        } catch (Throwable e) { // also a checked exception of another language
            if (before == null) {
                return e;
            }
            if (before != e) { // which a store may throw twice
                before.addSuppressed(e);
            }
            return before;
        }
    }

    @SuppressWarnings("unchecked")
    private static <E extends Throwable> void rethrow(Throwable failure) throws E {
        throw (E) failure;
    }
}
