// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.page;

import io.clockhand.PageId;
import io.clockhand.internal.file.FileTable;
import io.clockhand.internal.file.PageFile;
import io.clockhand.internal.flush.Checkpointer;
import io.clockhand.internal.flush.DirtyPages;
import io.clockhand.internal.flush.Flusher;
import io.clockhand.internal.flush.SharedUpdates;
import io.clockhand.internal.flush.UpdateContext;
import io.clockhand.internal.frame.FrameMemory;
import io.clockhand.internal.page.PagePool;
import io.clockhand.io.ByteRange;
import io.clockhand.wal.WriteAheadLog;
import java.util.List;

/**
 * Begins and ends updates of rows, for {@link SharedUpdatePage}. Thread-safe.
 *
 * <p><b>Rows are whole.</b> A row of 1, 2, 4 or 8 bytes lies at a multiple of its size. It is written by one store, or
 * by CAS on the eight bytes around it, and read by one load. A JVM for processors with 64 bits does not divide such
 * accesses. A store of a byte and a CAS on the eight bytes around it do not undo each other, since a CAS fails if any
 * of them has changed. The Java memory model says this of elements of arrays, and nothing of accesses of several sizes;
 * the stress test {@code SharedRowsTest} tests it.
 *
 * <p>A method that throws leaves nothing behind but the dirty mark of the page. The end of an update neither allocates
 * nor throws.
 */
final class RowUpdates {
    private final FrameMemory memory;
    private final DirtyPages dirty;
    private final FileTable files;
    private final WriteAheadLog log;
    private final Flusher flusher;
    private final Checkpointer checkpointer;
    private final SharedUpdates shared;
    private final PageFixer fixer;

    RowUpdates(
            PagePool pages,
            FileTable files,
            WriteAheadLog log,
            Flusher flusher,
            Checkpointer checkpointer,
            SharedUpdates shared,
            PageFixer fixer) {
        this.memory = pages.memory();
        this.dirty = pages.dirty();
        this.files = files;
        this.log = log;
        this.flusher = flusher;
        this.checkpointer = checkpointer;
        this.shared = shared;
        this.fixer = fixer;
    }

    /** {@return whether many threads may update rows of a page at the same time} */
    boolean areShared(long id) {
        return shared.allows(id);
    }

    /** {@return where the pool stores the LSN of a page; negative if it does not} */
    int lsnOffset() {
        return shared.lsnOffset();
    }

    /** {@return the bytes that the store of a page writes by itself} */
    List<ByteRange> ownBytes(long id) {
        PageFile file = files.find(PageId.file(id));
        return file == null ? List.of() : file.ownBytes();
    }

    /** Begins an update of a page that is latched exclusively. */
    void beginExclusive(int frame, long id) {
        fixer.enter();
        checkpointer.checkNotFailed();
        files.checkWritable(id);
        dirty.begin(frame, log.end());
        flusher.onDirty();
        fixer.checkOpen(); // after the mark: the close of the pool sees the mark, or this sees the close
    }

    /**
     * Begins an update of a page in whose latch the caller has a share. If its context is dirty already, all that has
     * been done since the page was copied: the mark stays until it is copied again, and that waits for the share.
     *
     * @return what counts the update, or null
     */
    UpdateContext begin(int frame, long id) {
        checkpointer.checkNotFailed();
        if (dirty.isPrepared(frame)) {
            fixer.checkOpen();
            return null;
        }
        fixer.enter();
        files.checkWritable(id);
        UpdateContext counted = dirty.prepare(frame, log);
        boolean begun = false;
        try {
            flusher.onDirty();
            fixer.checkOpen(); // after the mark, as above
            begun = true;
        } finally {
            if (!begun) {
                cancel(counted);
            }
        }
        return counted;
    }

    void endExclusive(int frame, int buffer, long lsn) {
        int offset = shared.lsnOffset();
        if (offset >= 0) {
            memory.putLong(buffer, offset, Math.max(memory.getLong(buffer, offset), lsn));
        }
        dirty.raise(frame, lsn);
    }

    /** Ends an update under a share: raises the LSN in the page, or else in the dirty page table. */
    void end(int frame, int buffer, UpdateContext counted, long firstLsn, long lastLsn) {
        if (shared.lsnOffset() >= 0) {
            memory.raiseLong(buffer, shared.lsnOffset(), lastLsn);
        } else {
            dirty.raise(frame, lastLsn);
        }
        if (counted != null) {
            dirty.contribute(counted, firstLsn);
        }
    }

    /** Ends an update that has changed nothing. */
    void cancel(UpdateContext counted) {
        if (counted != null) {
            dirty.cancel(counted);
        }
    }
}
