// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.page;

import io.clockhand.LatchMode;
import io.clockhand.NoSuchPageException;
import io.clockhand.PoolExhaustedException;
import io.clockhand.WaitTimeoutException;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * A page that is fixed exclusively: no other thread reads or writes it, and optimistic reads of it do not validate.
 *
 * <p><b>Bytes cannot be changed through it yet.</b> Methods that write come together with the write-ahead log, whose
 * rules they must keep. Until then it is what {@link PagedFile#create} returns, a page of zeros, and what an engine
 * latches to keep others out.
 *
 * <p>An object from {@link BufferPool#newWritablePage} is owned by its caller, who fixes one page after another with
 * it: that allocates nothing. Closing it twice is an {@link IllegalStateException}. See {@link PageGuard} for how a
 * page is passed on.
 */
public final class WritablePage extends PageView implements AutoCloseable {
    private final PageFixer fixer;
    private long id = -1;
    private int frame;

    WritablePage(PageFixer fixer) {
        super(fixer.memory());
        this.fixer = fixer;
    }

    /**
     * Fixes a page exclusively.
     *
     * @param pageId the page
     * @return this
     * @throws IOException if the page had to be read and could not; the next fix tries again
     * @throws NoSuchPageException if there is no such page
     * @throws IllegalStateException if this has a page already, or the pool is closed
     * @throws PoolExhaustedException if every frame was pinned for too long
     * @throws WaitTimeoutException if another thread had the latch, or was busy with the page, for too long
     */
    public WritablePage fix(long pageId) throws IOException {
        checkFree();
        take(fixer.fix(pageId, LatchMode.EXCLUSIVE, this), pageId);
        return this;
    }

    /**
     * Fixes a page exclusively if it is in memory and its latch is free; see {@link PageGuard#tryFix}.
     *
     * @param pageId the page
     * @return whether this has the page; false also if there is no such page
     * @throws IllegalStateException if this has a page already, or the pool is closed
     */
    public boolean tryFix(long pageId) {
        checkFree();
        int fixed = fixer.tryFix(pageId, LatchMode.EXCLUSIVE, this);
        if (fixed == PageFixer.NONE) {
            return false;
        }
        take(fixed, pageId);
        return true;
    }

    /** Takes over a page that is pinned and latched exclusively. */
    void take(int fixed, long pageId) {
        frame = fixed;
        id = pageId;
        show(fixer.buffer(fixed));
    }

    void checkCanTake(PageFixer other) {
        checkFree();
        checkSamePool(fixer, other);
    }

    /**
     * Lets other readers in, and passes the page on to a new guard, which has it in shared mode. No writer comes in
     * between. This has no page afterwards.
     *
     * @return the guard, to be closed
     */
    public PageGuard downgrade() {
        PageGuard downgraded = new PageGuard(fixer);
        downgrade(downgraded);
        return downgraded;
    }

    /**
     * As {@link #downgrade()}, and passes the page on to a guard of the caller's, which allocates nothing.
     *
     * @param target gets the page
     * @throws IllegalStateException if the target has a page already
     * @throws IllegalArgumentException if the target belongs to another pool
     */
    public void downgrade(PageGuard target) {
        checkUserToEnd();
        target.checkCanTake(fixer);
        passTracking(target, reference(target), LatchMode.SHARED);
        pass();
        fixer.downgrade(frame, target.shared());
        target.takeShared(id);
    }

    @Override
    public long id() {
        checkUser();
        return id;
    }

    /** {@return the whole page, read-only, as a new view, which must not be used after this is closed} */
    public ByteBuffer bytes() {
        return view();
    }

    /**
     * Unfixes the page. Does nothing if the page was passed on.
     *
     * @throws IllegalStateException if this was closed already, or is used by another thread than the one that has
     *     fixed the page
     */
    @Override
    public void close() {
        if (!beginClose()) {
            return;
        }
        fixer.unfix(frame, LatchMode.EXCLUSIVE);
        endTracking();
    }

    @Override
    public String toString() {
        return "the writable page: " + fixer.describe(id);
    }
}
