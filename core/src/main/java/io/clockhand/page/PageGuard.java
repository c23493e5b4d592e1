// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.page;

import io.clockhand.LatchMode;
import io.clockhand.NoSuchPageException;
import io.clockhand.PoolExhaustedException;
import io.clockhand.WaitTimeoutException;
import io.clockhand.internal.frame.FrameRef;
import java.io.IOException;
import java.lang.ref.WeakReference;
import java.nio.ByteBuffer;

/**
 * A page that is fixed for reading: it stays in memory, and no thread writes to it, except that rows may change of a
 * page that allows {@linkplain SharedUpdatePage updates in shared mode}. A page that was fixed by {@link
 * #fixUpgradable} can be {@linkplain #upgrade() upgraded} to a {@link WritablePage}; only one thread at a time has a
 * page so.
 *
 * <pre>{@code
 * try (PageGuard page = pool.fix(id)) {
 *     long value = page.getLong(16);
 * }
 * }</pre>
 *
 * <p>A guard from {@link BufferPool#newGuard} is owned by its caller, who fixes one page after another with it: that
 * allocates nothing. Closing a guard twice is an {@link IllegalStateException}, since the second close may meet the
 * next use of the guard.
 *
 * <p><b>Passing a page on.</b> {@link #upgrade()}, {@link WritablePage#downgrade()} and {@link
 * OptimisticPage#promote(PageGuard)} pass the page from one object to another without releasing it. The object that had
 * it may then be closed once, which does nothing, so that it can stand in a try statement; or it can be used for
 * another page.
 */
public final class PageGuard extends PageView implements AutoCloseable {
    private final PageFixer fixer;
    /** Of a page that is fixed in shared mode. */
    private final FrameRef shared;

    private long id = -1;
    /** How the page is latched, unless it is {@link #shareOnly}. */
    private LatchMode held = LatchMode.SHARED;
    /**
     * Whether the page was fixed by {@link PageFixer#shareAtOnce}: then it is latched in shared mode and nothing was
     * noted, so close has one field to test.
     */
    private boolean shareOnly;
    /** The frame of a page that is latched in another mode than {@link LatchMode#SHARED}. */
    private int frame;

    PageGuard(PageFixer fixer) {
        super(fixer.memory(), fixer.pinTracker() != null);
        this.fixer = fixer;
        this.shared = fixer.newRef();
    }

    /**
     * Fixes a page in shared mode: other threads may read it at the same time.
     *
     * @param pageId the page
     * @return this guard
     * @throws IOException if the page had to be read and could not; the next fix tries again
     * @throws NoSuchPageException if there is no such page
     * @throws IllegalStateException if the guard has a page already, or the pool is closed
     * @throws PoolExhaustedException if every frame was pinned for too long
     * @throws WaitTimeoutException if another thread had the latch, or was busy with the page, for too long
     */
    public PageGuard fix(long pageId) throws IOException {
        checkFree();
        long thread = threadId();
        int found = fixer.shareAtOnce(pageId, shared);
        if (found >= 0) { // nothing is called any more, which might overflow the stack
            shareOnly = true;
            id = pageId;
            buffer = found;
            slab = found >> slabShift;
            base = (found & (1 << slabShift) - 1) << pageShift;
            limit = open;
            owner = thread;
        } else {
            fixer.share(pageId, shared, this);
            showShared(pageId, thread);
        }
        return this;
    }

    /**
     * Fixes a page in shared mode for a scan, which reads many pages once: a merge, a backup, the check of a checksum.
     * A page that is in memory stays as hot or cold as it is. One that has to be read in leaves again after some more
     * pages of scans, unless it is in use or dirty then; under a policy of the clock family with weights, as the
     * default is, not if somebody has used it meanwhile. So a scan, however long, takes less than a hundredth of the
     * frames from the other pages, whatever the replacement policy. For pages that one goes back to, use {@link #fix}.
     *
     * @param pageId the page
     * @return this guard
     * @throws IOException as {@link #fix}
     */
    public PageGuard fixForScan(long pageId) throws IOException {
        checkFree();
        long thread = threadId();
        fixer.shareForScan(pageId, shared, this);
        showShared(pageId, thread);
        return this;
    }

    /**
     * Fixes a page in upgradable mode: other threads may read it at the same time, but no other thread can have it in
     * upgradable mode. A page whose rows may be {@linkplain BufferPoolBuilder#sharedUpdates updated in shared mode} is
     * latched exclusively.
     *
     * @param pageId the page
     * @return this guard
     * @throws IOException as {@link #fix}
     */
    public PageGuard fixUpgradable(long pageId) throws IOException {
        checkFree();
        fixer.pace();
        LatchMode mode = fixer.upgradableMode(pageId);
        showPinned(fixer.fix(pageId, mode, this), pageId, mode);
        return this;
    }

    /**
     * Fixes a page in shared mode if it is in memory and its latch is free. Never waits for a user of the page and
     * never does I/O; a policy that records each access under a lock takes that lock.
     *
     * @param pageId the page
     * @return whether this guard has the page; false also if there is no such page
     * @throws IllegalStateException if the guard has a page already, or the pool is closed
     */
    public boolean tryFix(long pageId) {
        checkFree();
        long thread = threadId();
        if (!fixer.tryShare(pageId, shared, this, LatchMode.SHARED)) {
            return false;
        }
        showShared(pageId, thread);
        return true;
    }

    /**
     * Fixes a page in upgradable mode if it is in memory and its latch is free; see {@link #tryFix}.
     *
     * @param pageId the page
     * @return whether this guard has the page
     * @throws IllegalStateException if the guard has a page already, or the pool is closed
     */
    public boolean tryFixUpgradable(long pageId) {
        checkFree();
        LatchMode mode = fixer.upgradableMode(pageId);
        int fixed = fixer.tryFix(pageId, mode, this);
        if (fixed == PageFixer.NONE) {
            return false;
        }
        showPinned(fixed, pageId, mode);
        return true;
    }

    private void showShared(long pageId, long thread) {
        shareOnly = false;
        id = pageId;
        if (held != LatchMode.SHARED) { // the collector's barrier of a store can cost more than the rest of a hit
            held = LatchMode.SHARED;
        }
        show(shared.buffer(), thread);
    }

    private void showPinned(int pinned, long pageId, LatchMode mode) {
        shareOnly = false;
        frame = pinned;
        id = pageId;
        held = mode;
        show(fixer.buffer(pinned));
    }

    /**
     * Upgrades a page that is fixed upgradable: waits until no other thread reads it, and passes it on to a new {@link
     * WritablePage}. This guard has no page afterwards.
     *
     * @return the page, to be closed
     * @throws IllegalStateException if the page is fixed in shared mode
     * @throws WaitTimeoutException if others read the page for too long; this guard still has it upgradable
     */
    public WritablePage upgrade() {
        WritablePage upgraded = new WritablePage(fixer);
        upgrade(upgraded);
        return upgraded;
    }

    /**
     * As {@link #upgrade()}, and passes the page on to an object of the caller's, which allocates nothing.
     *
     * @param target gets the page
     * @throws IllegalStateException as {@link #upgrade()}, or if the target has a page already
     * @throws IllegalArgumentException if the target belongs to another pool
     * @throws WaitTimeoutException as {@link #upgrade()}
     */
    public void upgrade(WritablePage target) {
        checkUser();
        target.checkCanTake(fixer);
        if (mode() == LatchMode.SHARED) {
            throw new IllegalStateException(
                    this + " is latched to read and cannot be upgraded: fix the page with fixUpgradable");
        }
        fixer.enter();
        WeakReference<PageView> owner = reference(target);
        if (held == LatchMode.UPGRADABLE) {
            fixer.upgrade(frame, id);
        }
        passTracking(target, owner, LatchMode.EXCLUSIVE);
        pass();
        target.take(frame, id);
    }

    void checkCanTake(PageFixer other) {
        checkFree();
        checkSamePool(fixer, other);
    }

    /** {@return where the share of a page lies that is passed on to this} */
    FrameRef shared() {
        return shared;
    }

    /** Takes over a page; {@link #shared} has a share in its latch. */
    void takeShared(long pageId) {
        showShared(pageId, threadId());
    }

    @Override
    public long id() {
        checkUser();
        return id;
    }

    /**
     * {@return {@link LatchMode#SHARED} or {@link LatchMode#UPGRADABLE}; or {@link LatchMode#EXCLUSIVE}, if the page
     * was fixed by {@link #fixUpgradable}, and is one of those whose rows are updated in shared mode}
     */
    public LatchMode mode() {
        checkUser();
        return shareOnly ? LatchMode.SHARED : held;
    }

    /** {@return the whole page, read-only, as a new view, which must not be used after this guard is closed} */
    public ByteBuffer bytes() {
        return view();
    }

    /**
     * Unfixes the page. Does nothing if the page was passed on.
     *
     * @throws IllegalStateException if this guard was closed already, or is used by another thread than the one that
     *     has fixed the page
     */
    @Override
    public void close() {
        if (shareOnly && isUsedByCaller()) {
            endShare();
        } else {
            closeWithCare();
        }
    }

    private void closeWithCare() {
        fixer.checkStack();
        if (held == LatchMode.SHARED && isUsedByCaller()) {
            endShare();
        } else if (beginClose()) {
            fixer.unfix(frame, held);
        } else {
            return;
        }
        endTracking();
    }

    private void endShare() {
        long before = shared.release(); // if the stack overflows here, this is open still
        limit = 0;
        owner = FREE;
        if (shared.isIncomplete(before)) {
            shared.completeRelease(before);
        }
    }

    @Override
    public String toString() {
        return "the guard of " + fixer.describe(id);
    }
}
