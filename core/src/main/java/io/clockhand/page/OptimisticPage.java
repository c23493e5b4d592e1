// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.page;

import io.clockhand.NoSuchPageException;
import io.clockhand.PoolExhaustedException;
import io.clockhand.WaitTimeoutException;
import io.clockhand.internal.frame.FrameRef;
import io.clockhand.internal.page.PagePool;
import java.io.IOException;

/**
 * A page that is read without a latch or a pin, and checked afterwards.
 *
 * <pre>{@code
 * try (OptimisticPage page = pool.newOptimisticPage()) {
 *     long value;
 *     do {
 *         page.read(id);
 *         value = page.getLong(16);
 *     } while (!page.validate());
 * }
 * }</pre>
 *
 * <p>Nothing is stored to shared memory, so any number of threads read one page without holding each other up; but that a page
 * whose weight is below the policy's cap gets one added. What was read between {@link #read} and {@link #validate} may be anything
 * until that has returned true, the bytes of another page included: do nothing with it but compare, compute and copy. Reads are
 * checked against the page, so wrong offsets read from it are an {@link IndexOutOfBoundsException}; validate before you believe
 * one.
 *
 * <p>A page that is not in memory, or is being written, or did not validate eight times, is latched to read instead, until
 * {@code validate}, which is true then, or {@link #close}. So a loop as above ends.
 *
 * <p><b>Several pages.</b> To go from a parent to its child, read the parent, validate it, {@code read} the child with another
 * {@code OptimisticPage}, validate the child, and validate the parent again: then the child was the right one when its read began.
 * Validate or close the child in any case before the parent is read again: it may be latched, and whoever has the parent may wait for
 * it. Such a loop ends unless a writer, or an eviction, comes between each time.
 *
 * <p>Owned and reused by its caller; allocates nothing. Source: optimistic latches as in V. Leis, A. Alhomssi, T. Ziegler, Y. Loeck,
 * C. Dietrich: Virtual-Memory Assisted Buffer Management, SIGMOD 2023, §3.3.
 */
public final class OptimisticPage extends PageView implements AutoCloseable {
    /** After so many reads of a page that did not validate, it is latched once. */
    static final int TRIES = 8;

    private final BufferPool pool;
    private final PagePool pages;
    private final FrameRef unpinned = new FrameRef();
    private long id = -1;
    /** Of the page {@code id}. */
    private int failures;

    /** Whether the page is latched to read. */
    private boolean shared;

    OptimisticPage(BufferPool pool) {
        super(pool.pages().memory());
        this.pool = pool;
        this.pages = pool.pages();
    }

    /**
     * Begins to read a page, after any other that was read by this.
     *
     * @param pageId the page
     * @throws IOException if the page had to be read from its file and could not
     * @throws NoSuchPageException if there is no such page
     * @throws IllegalStateException if the pool is closed, or another thread is using this
     * @throws PoolExhaustedException if every frame was pinned for too long
     * @throws WaitTimeoutException if another thread had the latch, or was busy with the page, for too long
     */
    public void read(long pageId) throws IOException {
        if (shared) {
            endShare();
        } else if (isInUse()) {
            checkUser();
        }
        if (pool.isClosed()) {
            hide(); // there is nothing to be read any more
            pool.checkOpen();
        }
        if (pageId != id) {
            id = pageId;
            failures = 0;
        }
        if (failures >= TRIES || !readUnpinned(pageId)) {
            readShared(pageId);
        }
    }

    private boolean readUnpinned(long pageId) {
        if (!pages.beginUnpinned(pageId, unpinned)) {
            return false;
        }
        show(unpinned.buffer());
        return true;
    }

    private void readShared(long pageId) throws IOException {
        hide(); // nothing to be read if this fails
        pool.share(pageId, unpinned, this);
        failures = 0;
        shared = true;
        show(unpinned.buffer());
    }

    /**
     * Tells whether everything read since {@link #read} is right: the page was there all the time, and nobody wrote to it. May be
     * called again.
     *
     * @return false if the reads must be done again
     */
    public boolean validate() {
        checkUser();
        if (shared) {
            endShare(); // a latch that is kept without need would be one to wait for
            return true;
        }
        if (unpinned.isUnchanged()) {
            return true;
        }
        failures++;
        return false;
    }

    @Override
    public long id() {
        checkUser();
        return id;
    }

    /**
     * Ends the use of the page. May be called when there is none, and twice; afterwards {@link #read} begins anew, from any
     * thread.
     */
    @Override
    public void close() {
        if (isInUse()) {
            checkUser();
        }
        if (shared) {
            endShare();
        }
        hide();
    }

    private void endShare() {
        checkUserToEnd();
        shared = false;
        pages.endShare(unpinned);
        endTracking();
    }

    @Override
    public String toString() {
        return "the optimistic reader of " + (id < 0 ? "no page yet" : pool.describe(id));
    }
}
