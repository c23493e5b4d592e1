// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.page;

import io.clockhand.LatchMode;
import io.clockhand.internal.file.FileTable;
import io.clockhand.internal.flush.Checkpointer;
import io.clockhand.internal.flush.Flusher;
import io.clockhand.internal.flush.SharedUpdates;
import io.clockhand.internal.frame.FrameMemory;
import io.clockhand.internal.frame.FrameRef;
import io.clockhand.internal.frame.Latches;
import io.clockhand.internal.frame.StackReserve;
import io.clockhand.internal.frame.WideLsnField;
import io.clockhand.internal.page.PagePool;
import io.clockhand.internal.pool.BoundedWait;
import io.clockhand.internal.pool.PoolOptions;
import io.clockhand.internal.pool.Spares;
import io.clockhand.wal.WriteAheadLog;
import java.io.IOException;

/**
 * Pins and latches pages for guards. A page that is read has a share in its latch and no pin; a page in another mode
 * has a pin and the latch.
 *
 * <p>Every method that waits or reads leaves neither pin nor latch behind when it fails. Thread-safe.
 *
 * <p><b>Stack.</b> A call that changes several words first checks the stack ({@link #enter}). The quickest fix, a hit
 * in shared mode in a pool that keeps no records, checks nothing, since that would take too long. Instead it calls
 * nothing between the CAS that takes the share and the store that shows the page in the guard. Likewise, the close of a
 * guard calls nothing between the atomic add that releases the share and the store that closes the guard.
 */
final class PageFixer {
    /** No frame. */
    static final int NONE = PagePool.NONE;

    private final PoolOptions options;
    private final PagePool pages;
    private final Latches latches;
    private final FileTable files;
    private final WriteAheadLog log;
    private final Flusher flusher;
    private final Checkpointer checkpointer;
    private final SharedUpdates sharedUpdates;
    private final Spares<PageUndo> undos;
    /** Null if leaks are not detected. */
    private final PinTracker pinTracker;

    PageFixer(
            PoolOptions options,
            PagePool pages,
            FileTable files,
            PinTracker pinTracker,
            WriteAheadLog log,
            Flusher flusher,
            Checkpointer checkpointer,
            SharedUpdates sharedUpdates) {
        this.sharedUpdates = sharedUpdates;
        this.log = log;
        this.flusher = flusher;
        this.checkpointer = checkpointer;
        int pageBytes = pages.memory().pageBytes();
        this.undos = new Spares<>(() -> new PageUndo(pageBytes));
        this.options = options;
        this.pages = pages;
        this.latches = pages.latches();
        this.files = files;
        this.pinTracker = pinTracker;
        pages.set(PagePool.TRACKS_PINS, pinTracker != null);
    }

    FrameRef newRef() {
        return pages.newRef();
    }

    FrameMemory memory() {
        return pages.memory();
    }

    /** {@return where guards note their pins, or null if leaks are not detected} */
    PinTracker pinTracker() {
        return pinTracker;
    }

    String describe(long id) {
        return id < 0 ? "no page yet" : files.describe(id);
    }

    boolean isClosed() {
        return pages.has(PagePool.CLOSED);
    }

    /** {@return whether the pool is closed or has failed: {@link #checkOpen} says which} */
    boolean isUnusable() {
        return pages.has(PagePool.CLOSED | PagePool.FAILED);
    }

    void setClosed(boolean closed) {
        pages.set(PagePool.CLOSED, closed);
    }

    /**
     * Precedes each call that changes several words. If the stack is nearly used up it throws, before anything has
     * changed; and if the pool has failed.
     */
    void enter() {
        StackReserve.check();
        options.failure().check();
    }

    /** Throws if the pool is closed, or has failed. */
    void checkOpen() {
        if (isUnusable()) {
            options.failure().check();
            throw new IllegalStateException("the pool is closed");
        }
    }

    /** Throws if the bytes of a page that is fixed are gone. While the pool is being closed an update may end. */
    void checkHasBytes(int buffer) {
        if (pages.memory().isClosed(buffer)) {
            checkOpen();
        }
    }

    // --- shares ------------------------------------------------------------------------------------------------------

    /**
     * Takes a share in the latch of a page, if that needs neither a wait nor anything else: a method of its own, and a
     * small one, so that the compiler makes it part of its callers. {@return the buffer of the page; or a negative
     * number if {@link #share} must be called}
     */
    int shareAtOnce(long id, FrameRef read) {
        return pages.shareAtOnce(id, read);
    }

    /** Finds a page or reads it in, takes a share in its latch, and notes the owner if leaks are detected. */
    void share(long id, FrameRef read, PageView owner) throws IOException {
        share(id, read, owner, LatchMode.SHARED);
    }

    /** As {@link #share(long, FrameRef, PageView)}, for a scan. */
    void shareForScan(long id, FrameRef read, PageView owner) throws IOException {
        checkOpen();
        completeShare(pages.shareForScan(id, read), id, read, LatchMode.SHARED);
        trackShare(id, read, owner, LatchMode.SHARED);
    }

    /** As {@link #share(long, FrameRef, PageView)}, in shared mode or to update rows. */
    void share(long id, FrameRef read, PageView owner, LatchMode mode) throws IOException {
        if (pages.isPlain()) {
            share(id, read, mode);
            return;
        }
        checkOpen();
        pages.noteReference(id);
        share(id, read, mode);
        trackShare(id, read, owner, mode);
    }

    private void share(long id, FrameRef read, LatchMode mode) throws IOException {
        completeShare(pages.share(id, read), id, read, mode);
    }

    /** Waits for the share, if the caller has a pin only. */
    private void completeShare(int frame, long id, FrameRef read, LatchMode mode) {
        if (frame == PagePool.SHARED) {
            return;
        }
        try {
            if (!latches.tryShared(frame)) {
                awaitLatch(frame, id, mode);
            }
            pages.beginShared(frame, read);
        } finally {
            pages.unpin(frame);
        }
    }

    /** Takes a share in the latch of a resident page; does not wait. */
    boolean tryShare(long id, FrameRef read, PageView owner, LatchMode mode) {
        enter();
        checkOpen();
        if (!pages.tryShare(id, read)) {
            return false;
        }
        trackShare(id, read, owner, mode);
        return true;
    }

    private void trackShare(long id, FrameRef read, PageView owner, LatchMode mode) {
        boolean tracked = false;
        try {
            owner.track(pinTracker, id, mode);
            tracked = true;
        } finally {
            if (!tracked) { // out of memory
                read.endShare();
            }
        }
    }

    // --- pins and latches --------------------------------------------------------------------------------------------

    /** Finds a page or reads it in, pins it, and latches it. {@return its frame} */
    int fix(long id, LatchMode mode, PageView owner) throws IOException {
        StackReserve.check();
        if (!pages.isPlain()) {
            checkOpen();
            pages.noteReference(id);
        }
        int frame = pages.pin(id);
        latchPinned(frame, id, mode, owner);
        return frame;
    }

    /** Latches a page that the caller has pinned; drops the pin if that fails. */
    void latchPinned(int frame, long id, LatchMode mode, PageView owner) {
        boolean latched = false;
        try {
            if (!tryLatch(frame, mode)) {
                awaitLatch(frame, id, mode);
            }
            latched = true;
        } finally {
            if (!latched) {
                pages.unpin(frame);
            }
        }
        trackFixed(frame, id, mode, owner);
    }

    /** Pins and latches a resident page; does not wait. {@return its frame, or NONE} */
    int tryFix(long id, LatchMode mode, PageView owner) {
        enter();
        checkOpen();
        int frame = pages.tryPin(id);
        if (frame == NONE) {
            return NONE;
        }
        if (!tryLatch(frame, mode)) {
            pages.unpin(frame);
            return NONE;
        }
        trackFixed(frame, id, mode, owner);
        return frame;
    }

    private void trackFixed(int frame, long id, LatchMode mode, PageView owner) {
        boolean tracked = false;
        try {
            owner.track(pinTracker, id, mode);
            tracked = true;
        } finally {
            if (!tracked) { // out of memory
                unfix(frame, mode);
            }
        }
    }

    // --- updates -----------------------------------------------------------------------------------------------------

    /** Lets a thread that is about to change a page wait if most frames are dirty. */
    void pace() throws IOException {
        checkOpen();
        flusher.pace();
    }

    /** {@return where the log ends} */
    long logEnd() {
        return log.end();
    }

    /**
     * Begins an update of a page that is latched exclusively: marks it as dirty from a position of the log on. {@return
     * the undo information, still empty; for the end of the update}
     */
    PageUndo beginUpdate(int frame, long id, long position) {
        StackReserve.check();
        checkpointer.checkNotFailed();
        files.checkWritable(id);
        long thread = Thread.currentThread().getId();
        PageUndo undo = undos.take(thread);
        boolean begun = false;
        try {
            pages.dirty().begin(frame, position);
            if (sharedUpdates.lsnOffset() >= 0 && sharedUpdates.allows(id)) { // the caller may overwrite it
                long lsn = pages.memory().getLong(pages.buffer(frame), sharedUpdates.lsnOffset());
                pages.dirty().raise(frame, Math.min(lsn, log.end()));
            }
            flusher.onDirty();
            checkOpen(); // after the mark: the close of the pool sees the mark, or this sees the close
            begun = true;
        } finally {
            if (!begun) {
                undos.putBack(thread, undo);
            }
        }
        return undo;
    }

    private void putBack(PageUndo undo) {
        undo.forget();
        undos.putBack(Thread.currentThread().getId(), undo);
    }

    /** Ends an update. */
    void endUpdate(int frame, PageUndo undo, long lsn) {
        try {
            int lsnOffset = sharedUpdates.lsnOffset();
            if (lsnOffset >= 0) {
                long before = pages.memory().getLong(pages.buffer(frame), lsnOffset);
                pages.memory().putLong(pages.buffer(frame), lsnOffset, Math.max(before, lsn));
            }
            pages.dirty().raise(frame, lsn);
        } finally {
            putBack(undo);
        }
    }

    /** {@return what is to be thrown} Fails the pool, since a step that changes several words has ended early. */
    VirtualMachineError fail(VirtualMachineError error) {
        return options.failure().fail(error);
    }

    /** Throws if a number is no LSN. */
    static void checkLsn(long lsn) {
        if (lsn < 0 || lsn == Long.MAX_VALUE) {
            throw new IllegalArgumentException(lsn + " is no LSN: it must not be negative, nor the greatest number");
        }
    }

    /** {@return the LSN that a page has} */
    long storedLsn(int frame) {
        int lsnOffset = sharedUpdates.lsnOffset();
        if (lsnOffset < 0) {
            throw new IllegalStateException(
                    "the pool stores no LSNs in pages, so it cannot tell whether one has a change: set lsnOffset");
        }
        return pages.memory().getLong(pages.buffer(frame), lsnOffset);
    }

    /** Throws if an LSN is that of no record: the page could not be written, and redo would skip later records. */
    void checkAppended(long lsn) {
        if (lsn > 0 && !WriteAheadLog.NONE.equals(log)) {
            long end = log.end();
            if (lsn > end) {
                throw new IllegalArgumentException("the LSN " + lsn + " lies behind the end of the log, " + end
                        + ": append the record before the update ends");
            }
        }
    }

    /** The same for redo: where pages keep no LSNs, the log of the engine may learn its end by it. */
    void checkRepeated(long lsn) {
        if (sharedUpdates.lsnOffset() >= 0) {
            checkAppended(lsn);
        }
    }

    /** Takes an update back: the bytes are as before, unless the pool was closed meanwhile and has none. */
    void undoUpdate(int frame, PageUndo undo) {
        try {
            int buffer = pages.buffer(frame);
            if (!pages.memory().isClosed(buffer)) {
                undo.undo(pages.memory(), buffer);
            }
            putBack(undo);
        } catch (VirtualMachineError e) {
            throw options.failure().fail(e);
        }
    }

    /** Raises an LSN of ten bytes. */
    void raise(int buffer, int offset, long position, int slot) {
        enter();
        WideLsnField.raise(pages.memory(), buffer, offset, position, slot);
    }

    /** Throws if rows of a page may change although it was read without a change of its version. */
    void checkReadsHold(long id) {
        if (sharedUpdates.allows(id)) {
            throw new IllegalStateException("rows of " + describe(id)
                    + " may have changed since it was read, as other threads update them: fix it, and read again");
        }
    }

    /**
     * {@return the latch mode of {@code fixUpgradable}} It is exclusive where other threads update rows in shared mode,
     * since a thread in upgradable mode relies on it that the page does not change.
     */
    LatchMode upgradableMode(long id) {
        return sharedUpdates.allows(id) ? LatchMode.EXCLUSIVE : LatchMode.UPGRADABLE;
    }

    // --- release -----------------------------------------------------------------------------------------------------

    /** Precedes the close of a page that is latched to upgrade or to write: the guard stays open if it throws. */
    void checkStack() {
        StackReserve.checkForRelease();
    }

    void unfix(int frame, LatchMode mode) {
        try {
            if (mode == LatchMode.UPGRADABLE) {
                latches.releaseUpgradable(frame);
            } else {
                latches.releaseExclusive(frame);
            }
            pages.unpin(frame);
        } catch (VirtualMachineError e) { // from a call itself: what is called fails the pool as well
            throw options.failure().fail(e);
        }
    }

    int buffer(int frame) {
        return pages.buffer(frame);
    }

    // --- changes of mode ---------------------------------------------------------------------------------------------

    /** Turns upgradable mode into exclusive mode; if that fails the page stays upgradable. */
    void upgrade(int frame, long id) {
        if (!latches.tryUpgrade(frame)) {
            await(frame, id, LatchMode.EXCLUSIVE, true);
        }
    }

    /** Turns exclusive mode and the pin into a share. Neither waits nor fails. */
    void downgrade(int frame, FrameRef read) {
        latches.downgrade(frame);
        pages.beginShared(frame, read);
        pages.unpin(frame);
    }

    /** Takes a share in the latch of a page that is read without one, if it is unchanged since the read began. */
    boolean tryPromote(FrameRef read, long id, PageView owner) {
        if (!read.tryShare()) {
            return false;
        }
        trackShare(id, read, owner, LatchMode.SHARED);
        return true;
    }

    /**
     * Pins and latches a page exclusively, if it is unchanged since the read began. Does not wait.
     *
     * @param shared whether the read has a share, which ends in any case
     * @return its frame, or NONE
     */
    int tryPromoteExclusive(FrameRef read, long id, boolean shared, PageView owner) {
        int frame = read.frame();
        boolean pinned = false;
        try {
            pinned = pages.tryPinReady(frame, id);
        } finally {
            if (shared) {
                read.endShare();
            }
        }
        if (!pinned) {
            return NONE;
        }
        if (!latches.tryExclusive(frame)) {
            pages.unpin(frame);
            return NONE;
        }
        if (!read.hasSameVersion()) {
            unfix(frame, LatchMode.EXCLUSIVE);
            return NONE;
        }
        trackFixed(frame, id, LatchMode.EXCLUSIVE, owner);
        return frame;
    }

    // --- waiting -----------------------------------------------------------------------------------------------------

    private boolean tryLatch(int frame, LatchMode mode) {
        return switch (mode) {
            case SHARED, SHARED_UPDATE -> latches.tryShared(frame);
            case UPGRADABLE -> latches.tryUpgradable(frame);
            case EXCLUSIVE -> latches.tryExclusive(frame);
        };
    }

    private void awaitLatch(int frame, long id, LatchMode mode) {
        await(frame, id, mode, false);
    }

    private void await(int frame, long id, LatchMode mode, boolean upgrade) {
        BoundedWait.begin(options, "latch " + mode.words(), () -> describe(id))
                .until(
                        nanos -> acquire(frame, mode, upgrade, nanos),
                        () -> "the latch of " + describe(id) + " " + mode.words() + "; it is " + latches.describe(frame)
                                + ": close that guard sooner, or raise waitTimeout");
    }

    private boolean acquire(int frame, LatchMode mode, boolean upgrade, long nanos) {
        return switch (mode) {
            case SHARED, SHARED_UPDATE -> latches.acquireShared(frame, nanos);
            case UPGRADABLE -> latches.acquireUpgradable(frame, nanos);
            case EXCLUSIVE -> upgrade ? latches.upgrade(frame, nanos) : latches.acquireExclusive(frame, nanos);
        };
    }
}
