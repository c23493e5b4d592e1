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
import java.nio.ByteBuffer;
import java.util.Objects;

/**
 * A page that is fixed: it stays in memory, and it is latched, so that its bytes are what the {@link LatchMode} promises.
 *
 * <pre>{@code
 * try (PageGuard page = pool.fix(id, LatchMode.SHARED)) {
 *     long value = page.getLong(16);
 * }
 * }</pre>
 *
 * <p>A guard from {@link BufferPool#newGuard} belongs to its caller, who fixes page after page with it: that allocates nothing.
 * To close a guard twice is an {@link IllegalStateException}, since the second close may meet the next use of the guard.
 */
public final class PageGuard extends PageView implements AutoCloseable {
    private final BufferPool pool;
    private final PagePool pages;
    /** Of a page that is latched to read. */
    private final FrameRef shared = new FrameRef();

    private long id = -1;
    private LatchMode mode;
    /** Of a page that is latched in another mode, and pinned. */
    private int frame;

    PageGuard(BufferPool pool) {
        super(pool.pages().memory());
        this.pool = pool;
        this.pages = pool.pages();
    }

    /**
     * Fixes a page with this guard.
     *
     * @param pageId the page
     * @param latchMode how it is latched
     * @return this guard
     * @throws IOException if the page had to be read and could not; the next fix tries again
     * @throws NoSuchPageException if there is no such page
     * @throws IllegalStateException if the guard has a page already, or the pool is closed
     * @throws PoolExhaustedException if every frame was pinned for too long
     * @throws WaitTimeoutException if another thread had the latch, or was busy with the page, for too long
     */
    public PageGuard fix(long pageId, LatchMode latchMode) throws IOException {
        checkFree();
        if (latchMode == LatchMode.SHARED) {
            pool.share(pageId, shared, this);
            hold(pageId, latchMode, shared.buffer());
        } else {
            Objects.requireNonNull(latchMode, "latchMode");
            hold(pool.pin(pageId), pageId, latchMode);
        }
        return this;
    }

    private void hold(long pageId, LatchMode latchMode, int buffer) {
        id = pageId;
        if (mode != latchMode) {
            mode = latchMode;
        }
        show(buffer);
    }

    private void trackOrClose() {
        boolean tracked = false;
        try {
            track(pool.pinTracker(), id, mode);
            tracked = true;
        } finally {
            if (!tracked) { // for want of memory
                close();
            }
        }
    }

    void checkFree() {
        if (isInUse()) {
            throw new IllegalStateException(this + " has a page already: close it first, or use another guard");
        }
    }

    /** Latches a page that the caller has pinned, for update or to write; drops the pin if that fails. */
    void hold(int pinned, long pageId, LatchMode latchMode) {
        boolean latched = false;
        try {
            pool.latch(pinned, pageId, latchMode);
            latched = true;
        } finally {
            if (!latched) {
                pool.unpin(pinned);
            }
        }
        frame = pinned;
        hold(pageId, latchMode, pages.buffer(pinned));
        if (pool.pinTracker() != null) {
            trackOrClose(); // a share is noted by the pool
        }
    }

    @Override
    public long id() {
        checkUser();
        return id;
    }

    /** {@return how the page is latched} */
    public LatchMode mode() {
        checkUser();
        return mode;
    }

    /** {@return the whole page, read-only, as a new view; good until this guard is closed, not to be used afterwards} */
    public ByteBuffer bytes() {
        return view();
    }

    /**
     * Goes from {@link LatchMode#UPDATE} to {@link LatchMode#EXCLUSIVE}, as soon as no other thread reads the page.
     *
     * @throws IllegalStateException if the page is latched in another mode
     * @throws WaitTimeoutException if others went on reading for too long; the page stays latched for update
     */
    public void upgrade() {
        checkUser();
        if (mode != LatchMode.UPDATE) {
            throw new IllegalStateException(
                    this + " is latched " + mode.words() + "; only update mode can be upgraded");
        }
        pool.upgrade(frame, id);
        mode = LatchMode.EXCLUSIVE;
        trackUpgrade();
    }

    /**
     * Unfixes the page.
     *
     * @throws IllegalStateException if it was done already, or by another thread than the one that has fixed the page
     */
    @Override
    public void close() {
        checkUserToEnd();
        hide();
        if (mode == LatchMode.SHARED) {
            pages.endShare(shared);
        } else {
            pool.unlatch(frame, mode);
            pool.unpin(frame);
        }
        endTracking();
    }

    @Override
    public String toString() {
        return "the guard of " + (id < 0 ? "no page yet" : pool.describe(id));
    }
}
