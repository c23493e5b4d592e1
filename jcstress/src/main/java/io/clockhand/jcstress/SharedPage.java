// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.jcstress;

import io.clockhand.internal.flush.DirtyPages;
import io.clockhand.internal.flush.UpdateContext;
import io.clockhand.internal.frame.FrameStates;
import io.clockhand.internal.frame.Latches;
import io.clockhand.wal.WriteAheadLog;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A page with an LSN and two rows that are updated under shares in its latch, its file, a log and the device behind
 * the file. A row has the LSN of its last record. The steps of an update, a write and a checkpoint are those of the
 * pool, on its own classes; a broken variant overrides one of them.
 */
class SharedPage {
    /** The rows, by their place in the page. */
    static final int LEFT = 8;

    static final int RIGHT = 16;
    private static final int FRAME = 0;

    final FrameStates states = Frames.loadedPage();
    final Latches latches = new Latches(states, 1);
    final DirtyPages dirty = new DirtyPages(states, 1, true);

    private final SharedBytes bytes;
    private final Log log = new Log();

    private volatile long fileLsn;
    private volatile long fileLeft;
    private volatile long fileRight;
    private volatile long deviceLeft;
    private volatile long deviceRight;

    /** Its end, and the last record that survives a crash. */
    private static final class Log implements WriteAheadLog {
        private final AtomicLong end = new AtomicLong(1);
        private volatile long durable;

        @Override
        public long end() {
            return end.get();
        }

        @Override
        public void makeDurable(long lsn) {
            durable = Math.max(durable, lsn);
        }
    }

    SharedPage() {
        this(new SharedBytes());
    }

    SharedPage(SharedBytes bytes) {
        this.bytes = bytes;
    }

    /** A page that was changed and not written. */
    static SharedPage changed(SharedPage page) {
        page.update(RIGHT);
        return page;
    }

    // --- update ------------------------------------------------------------------------------------------------------

    /** Updates a row; {@return the LSN of the record} */
    final long update(int row) {
        share();
        UpdateContext counted = begin();
        long lsn = append();
        bytes.setRow(row, lsn);
        raise(lsn);
        if (counted != null) {
            contribute(counted, lsn);
        }
        latches.releaseShared(FRAME);
        return lsn;
    }

    final void share() {
        while (!latches.tryShared(FRAME)) {
            Thread.onSpinWait();
        }
    }

    UpdateContext begin() {
        return dirty.isPrepared(FRAME) ? null : dirty.prepare(FRAME, log);
    }

    long append() {
        return log.end.getAndIncrement();
    }

    void contribute(UpdateContext counted, long lsn) {
        dirty.contribute(counted, lsn);
    }

    /** The pool raises one of the two. */
    final void raise(long lsn) {
        bytes.raise(lsn);
        dirty.raise(FRAME, lsn);
    }

    // --- write -------------------------------------------------------------------------------------------------------

    /** Writes the page, if it is dirty and no thread writes it. */
    final void write() {
        if (!states.tryPinToWrite(FRAME)) {
            return;
        }
        freeze();
        long lsn = lsnOfCopy();
        dirty.beginCopy(FRAME);
        long copyOfLeft = bytes.getLong(LEFT);
        long copyOfRight = bytes.getLong(RIGHT);
        long copyOfLsn = pageLsn();
        unfreeze();
        log.makeDurable(lsn);
        fileLsn = copyOfLsn;
        fileLeft = copyOfLeft;
        fileRight = copyOfRight;
        dirty.written(FRAME);
        states.endWriting(FRAME);
        states.unpin(FRAME);
    }

    void freeze() {
        while (!latches.tryExclusive(FRAME)) {
            Thread.onSpinWait();
        }
    }

    void unfreeze() {
        latches.releaseUnchanged(FRAME);
    }

    long lsnOfCopy() {
        return pageLsn();
    }

    final long pageLsn() {
        return bytes.getLong(0);
    }

    /** {@return the LSN in the dirty page table, at the begin of a copy} */
    final long tableLsn() {
        share();
        states.markDirty(FRAME);
        latches.releaseShared(FRAME);
        states.tryPinToWrite(FRAME);
        return dirty.beginCopy(FRAME);
    }

    // --- checkpoint --------------------------------------------------------------------------------------------------

    /** Makes a checkpoint; {@return where redo begins} */
    final long checkpoint() {
        long redo = dirty.oldest(log.end());
        deviceLeft = fileLeft;
        deviceRight = fileRight;
        return redo;
    }

    // --- what is left ------------------------------------------------------------------------------------------------

    /** {@return whether redo from a position misses the update of a row} */
    final boolean isLost(long redo, int row, long lsn) {
        return redo > lsn && (row == LEFT ? deviceLeft : deviceRight) < lsn;
    }

    /** {@return in words whether the image in the file has the updates up to its LSN, and only durable ones} */
    final String image(long left, long right) {
        if (Math.max(fileLeft, fileRight) > log.durable) {
            return "beyond the durable log";
        }
        boolean lacks = (left <= fileLsn && fileLeft < left) || (right <= fileLsn && fileRight < right);
        boolean has = Math.max(fileLeft, fileRight) <= fileLsn;
        return lacks ? "lacks a record" : has ? "exact" : "beyond its LSN";
    }
}
