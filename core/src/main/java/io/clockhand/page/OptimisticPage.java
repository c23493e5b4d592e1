// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.page;

import io.clockhand.LatchMode;
import io.clockhand.NoSuchPageException;
import io.clockhand.PoolExhaustedException;
import io.clockhand.WaitTimeoutException;
import io.clockhand.internal.frame.FrameRef;
import io.clockhand.internal.page.PagePool;
import java.io.IOException;
import java.lang.ref.WeakReference;

/**
 * A page that is read without a latch or a pin, and validated afterwards.
 *
 * <pre>{@code
 * try (OptimisticPage page = pool.newOptimisticPage()) {
 *     long value;
 *     do {
 *         page.read(id);
 *         value = page.getLong(16);
 *     } while (!page.validateAndRelease());
 * }
 * }</pre>
 *
 * <p>Nothing is stored to shared memory, so any number of threads read one page without delaying each other; only a
 * page whose weight is below the policy's cap gets one added. Values read between {@link #read} and {@link #validate}
 * are undefined until that has returned true, and may be the bytes of another page: only compare them, compute with
 * them, and copy them. Reads are checked against the page, so an offset that is wrong for this reason is an {@link
 * IndexOutOfBoundsException}; validate before you trust one.
 *
 * <p>A page that is not in memory, is being written, or did not validate eight times, is latched for reading instead,
 * until {@link #validateAndRelease}, which is true then, {@link #close}, or the next {@code read}. So a loop as above
 * ends. Under a policy that records accesses ({@link io.clockhand.policy.ReplacementPolicy#tracksAccesses}: {@code
 * lru}, {@code 2q}, {@code lirs} and others) every page is latched so, except by {@link #readForScan}.
 *
 * <p><b>Several pages.</b> To go from a parent to its child, read the parent, validate it, read the child with another
 * {@code OptimisticPage}, validate the child, and validate the parent again: then the child was the right one when its
 * read began. Release or close the child before the parent is read again: it may be latched, and a thread that has the
 * parent may wait for it. Such a loop ends unless a writer or an eviction intervenes each time.
 *
 * <p><b>Promotion.</b> {@link #promote(PageGuard)} and {@link #promote(WritablePage)} turn the read into a guard, if
 * nothing has changed since it began.
 *
 * <p><b>Reading on.</b> After a validation that returned true one may read on, without {@link #read}: what is read then
 * is right if a later validation returns true. So a page that is used again and again is looked up once.
 *
 * <p><b>Threads.</b> One thread at a time. A reader that holds no latch, as after {@link #validateAndRelease}, belongs
 * to no thread: another one may use it if it gets it in a way that orders the two (a volatile field, a queue, a lock).
 * A use by another thread while it holds a latch is an {@link IllegalStateException}, as {@link PageView} says. A
 * reader without a latch that is never closed costs nothing.
 *
 * <p>Reused by its caller; allocates nothing. Source: optimistic latches as in V. Leis, A. Alhomssi, T.
 * Ziegler, Y. Loeck, C. Dietrich: Virtual-Memory Assisted Buffer Management, SIGMOD 2023, §3.3.
 */
public final class OptimisticPage extends PageView implements AutoCloseable {
    /** After this number of reads of a page that did not validate, it is latched once. */
    static final int TRIES = 8;

    private final PageFixer fixer;
    private final PagePool pages;
    private final FrameRef ref;
    private long id = -1;
    /** Of the page {@code id}. */
    private int failures;

    /** Whether the page is latched for reading. */
    private boolean shared;
    /**
     * Whether there is a page that is not latched, no read of which has failed: so a read that goes on to the next page
     * checks everything at once.
     */
    private boolean unlatched;

    OptimisticPage(PageFixer fixer, PagePool pages) {
        super(pages.memory(), false);
        this.fixer = fixer;
        this.pages = pages;
        this.ref = fixer.newRef();
    }

    /**
     * Begins to read a page, and ends the read of any other.
     *
     * @param pageId the page
     * @throws IOException if the page had to be read from its file and could not
     * @throws NoSuchPageException if there is no such page
     * @throws IllegalStateException if the pool is closed, or another thread has this with a latch
     * @throws PoolExhaustedException if every frame was pinned for too long
     * @throws WaitTimeoutException if another thread had the latch, or was busy with the page, for too long
     */
    public void read(long pageId) throws IOException {
        if (unlatched && pages.tryBeginUnpinned(pageId, ref)) {
            id = pageId;
            showNext(ref.buffer());
        } else {
            readWithCare(pageId, false);
        }
    }

    /**
     * As {@link #read(long)}, for a scan; see {@link PageGuard#fixForScan}. Under any policy a page that is in memory
     * is read without a latch.
     *
     * @param pageId the page
     * @throws IOException as {@link #read(long)}
     */
    public void readForScan(long pageId) throws IOException {
        readWithCare(pageId, true);
    }

    /**
     * Reads a page by a function, again until what it has read is right; in the end under a latch, so that it ends. An
     * exception of the function counts only if the page was right: then the page is damaged, or the function is wrong.
     * If it was not, the function is called again. This holds no latch afterwards, and one may read on as after {@link
     * #validateAndRelease}.
     *
     * @param pageId the page
     * @param function reads the page, whose bytes may change meanwhile and be those of another page: it must end with
     *     any bytes, and must have no effect but its result
     * @param <R> the result
     * @param <E> what it throws
     * @return the result of the function
     * @throws IOException as {@link #read(long)}
     * @throws E what the function has thrown about a page that was right
     */
    public <R, E extends Exception> R read(long pageId, PageFunction<R, E> function) throws IOException, E {
        boolean done = false;
        try {
            while (true) {
                read(pageId);
                try {
                    R result = function.apply(this);
                    if (validateAndRelease()) {
                        done = true;
                        return result;
                    }
                } catch (Exception failure) {
                    if (validateAndRelease()) {
                        throw failure;
                    }
                }
            }
        } finally {
            if (!done) { // an error, of which nothing is known
                close();
            }
        }
    }

    private void readWithCare(long pageId, boolean scans) throws IOException {
        checkThread();
        if (shared) {
            endShare();
        }
        if (fixer.isUnusable()) {
            end(); // there is nothing to be read any more
            fixer.checkOpen();
        }
        if (pageId != id) {
            id = pageId;
            failures = 0;
        }
        if (failures >= TRIES || !readUnlatched(pageId, scans)) {
            readShared(pageId, scans);
        }
    }

    private boolean readUnlatched(long pageId, boolean scans) {
        if (!(scans ? pages.beginUnpinnedForScan(pageId, ref) : pages.beginUnpinned(pageId, ref))) {
            return false;
        }
        show(ref.buffer());
        unlatched = failures == 0;
        return true;
    }

    private void readShared(long pageId, boolean scans) throws IOException {
        end(); // nothing to be read if this fails
        long thread = threadId();
        if (scans) {
            fixer.shareForScan(pageId, ref, this);
        } else {
            fixer.share(pageId, ref, this);
        }
        failures = 0;
        shared = true;
        show(ref.buffer(), thread);
        if (fixer.pinTracker() != null) {
            limit = 0; // it detects leaks: every access checks the thread
        }
    }

    private void end() {
        unlatched = false;
        hide();
    }

    /**
     * Tells whether everything read since {@link #read} is right: the page was there all the time, and no thread wrote
     * to it, except that rows may have changed that are {@linkplain SharedUpdatePage updated in shared mode}. A latch
     * that the read had to take stays. May be called again, also to validate a parent after its child.
     *
     * @return false if the reads must be done again
     */
    public boolean validate() {
        return (unlatched && ref.isUnchanged()) || validateWithCare();
    }

    private boolean validateWithCare() {
        checkUser();
        if (shared || ref.isUnchanged()) {
            return true;
        }
        failures++;
        unlatched = false;
        return false;
    }

    /**
     * As {@link #validate}, and releases the latch if the read had to take one; so use this when the read is complete.
     * May be called again.
     *
     * @return false if the reads must be done again
     */
    public boolean validateAndRelease() {
        if (unlatched && ref.isUnchanged()) {
            return true;
        }
        boolean valid = validateWithCare();
        if (shared) {
            endShare();
        }
        return valid;
    }

    /**
     * Passes the page on to a guard, in shared mode, if everything read since {@link #read} is right. So what was read
     * stays right while the guard is open, except for such rows. Does not wait. This has no page afterwards, whatever
     * the result.
     *
     * @param target gets the page
     * @return whether the guard has the page; false if the page has changed, or a thread writes to it or waits to do
     *     so. Then read again, or fix the page
     * @throws IllegalStateException if the target has a page already, or the pool is closed
     * @throws IllegalArgumentException if the target belongs to another pool
     */
    public boolean promote(PageGuard target) {
        checkUser();
        target.checkCanTake(fixer);
        fixer.enter();
        fixer.checkOpen();
        WeakReference<PageView> owner = reference(target); // first, since it allocates
        end();
        if (shared) {
            passTracking(target, owner, LatchMode.SHARED);
            shared = false;
            target.shared().copyFrom(ref);
        } else {
            target.shared().copyFrom(ref);
            if (!fixer.tryPromote(target.shared(), id, target)) {
                failures++;
                return false;
            }
        }
        target.takeShared(id);
        return true;
    }

    /**
     * Passes the page on to a writable page, latched exclusively, if everything read since {@link #read} is right. Does
     * not wait. This has no page afterwards, whatever the result.
     *
     * @param target gets the page
     * @return whether the target has the page; false if the page has changed, or another thread reads it with a guard,
     *     writes to it, or waits to do so. Then read again, or fix the page
     * @throws IllegalStateException if the target has a page already, or the pool is closed; or if other threads may
     *     {@linkplain SharedUpdatePage update rows} of the page, whose changes this could not see
     * @throws IllegalArgumentException if the target belongs to another pool
     */
    public boolean promote(WritablePage target) {
        checkUser();
        target.checkCanTake(fixer);
        fixer.enter();
        fixer.checkOpen();
        fixer.checkReadsHold(id);
        end();
        boolean latched = shared;
        shared = false;
        int frame;
        try {
            frame = fixer.tryPromoteExclusive(ref, id, latched, target);
        } finally {
            endTracking();
        }
        if (frame == PageFixer.NONE) {
            failures++;
            return false;
        }
        target.take(frame, id);
        return true;
    }

    /** A reader without a latch belongs to no thread. */
    @Override
    void checkUser() {
        if (shared) {
            super.checkUser();
        } else if (!isInUse()) {
            throw misuse();
        }
    }

    @Override
    public long id() {
        checkUser();
        return id;
    }

    /**
     * Ends the use of the page. May be called when there is none, and twice; afterwards {@link #read} begins anew, from
     * any thread.
     */
    @Override
    public void close() {
        if (isInUse()) {
            checkUser();
        }
        if (shared) {
            endShare();
        }
        end();
    }

    /** {@return whether this has a latch} */
    boolean isLatched() {
        return shared;
    }

    private void endShare() {
        checkUser();
        long before = ref.release(); // if the stack overflows here, this has the share still
        shared = false;
        limit = open;
        if (ref.isIncomplete(before)) {
            ref.completeRelease(before);
        }
        endTracking();
    }

    @Override
    public String toString() {
        return "the optimistic reader of " + fixer.describe(id);
    }
}
