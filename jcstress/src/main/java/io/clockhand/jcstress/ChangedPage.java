// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.jcstress;

import io.clockhand.internal.flush.DirtyPages;
import io.clockhand.internal.frame.FrameState;
import io.clockhand.internal.frame.FrameStates;
import io.clockhand.internal.frame.Latches;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A page of two numbers, its file, a log and the device behind the file. The steps of an update, a write and a
 * checkpoint are those of the pool, on its own classes; a broken variant overrides one of them.
 */
class ChangedPage {
    private static final int FRAME = 0;

    final FrameStates states = new FrameStates(1, true);
    final Latches latches = new Latches(states, 1);
    final DirtyPages dirty = new DirtyPages(states, 1, false);
    final AtomicLong logEnd = new AtomicLong(1);

    /** The bytes of the page; plain, since the latch orders them. */
    long left;

    long right;
    volatile long fileLeft;
    volatile long fileRight;
    private volatile long device;

    ChangedPage() {
        states.tryTakeFree(FRAME);
        states.publishPinned(FRAME, 0);
        states.ready(FRAME);
        states.unpin(FRAME);
    }

    /** A page that was changed and not written. */
    static <T extends ChangedPage> T changed(T page) {
        page.update(1);
        return page;
    }

    // --- update ------------------------------------------------------------------------------------------------------

    /** Changes the page; {@return the LSN of the record; 0 if the page was evicted} */
    long update(long value) {
        if (states.tryPin(FRAME, 0) == FrameStates.NOT_PINNED) {
            return 0;
        }
        while (!latches.tryExclusive(FRAME)) {
            Thread.onSpinWait();
        }
        long lsn = markAndLog();
        left = value;
        right = value;
        dirty.raise(FRAME, lsn);
        latches.releaseExclusive(FRAME);
        states.unpin(FRAME);
        return lsn;
    }

    long markAndLog() {
        mark(logEnd.get());
        return append();
    }

    final void mark(long end) {
        dirty.begin(FRAME, end);
    }

    final long append() {
        return logEnd.getAndIncrement();
    }

    // --- write -------------------------------------------------------------------------------------------------------

    /** Writes the page, if it is dirty and no thread writes it. */
    void write() {
        if (!tryBeginWrite()) {
            return;
        }
        if (!tryFreeze()) {
            endWrite();
            return;
        }
        beginCopy();
        long copyOfLeft = left;
        long copyOfRight = right;
        unfreeze();
        fileLeft = copyOfLeft;
        fileRight = copyOfRight;
        written();
        endWrite();
    }

    boolean tryBeginWrite() {
        return states.tryPinToWrite(FRAME);
    }

    boolean tryFreeze() {
        return latches.tryShared(FRAME);
    }

    void unfreeze() {
        latches.releaseShared(FRAME);
    }

    void beginCopy() {
        dirty.beginCopy(FRAME);
    }

    void written() {
        dirty.written(FRAME);
    }

    void endWrite() {
        states.endWriting(FRAME);
        states.unpin(FRAME);
    }

    // --- checkpoint, eviction ----------------------------------------------------------------------------------------

    /** Makes a checkpoint; {@return where redo begins} */
    long checkpoint() {
        long end = logEnd.get();
        long redo = dirty.oldest(end);
        force();
        return redo;
    }

    final void force() {
        device = fileLeft;
    }

    /** {@return whether the page could be claimed as a victim} */
    boolean claim() {
        return states.tryClaim(FRAME);
    }

    // --- what is left ------------------------------------------------------------------------------------------------

    /** {@return whether redo from a position misses a change of the page to {@code value}} */
    final boolean isLost(long redo, long lsn, long value) {
        return redo > lsn && device < value;
    }

    /** {@return in words whether the changes are in the file, or the page is dirty} */
    final String outcome() {
        return isDirty() ? "dirty" : fileLeft == left ? "written" : "clean, but not written";
    }

    final boolean isDirty() {
        return FrameState.isDirty(states.state(FRAME));
    }
}
