// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.internal.flush;

import io.clockhand.internal.frame.BufferWord;
import io.clockhand.internal.frame.FrameMemory;
import io.clockhand.internal.frame.FrameState;
import io.clockhand.internal.frame.FrameStates;
import io.clockhand.internal.metrics.BatchWriteEvent;
import io.clockhand.internal.metrics.FlightEvents;
import io.clockhand.internal.metrics.WaitEvent;
import io.clockhand.internal.pool.CleanedFrames;
import io.clockhand.internal.pool.Failures;
import io.clockhand.internal.pool.FramePool;
import io.clockhand.internal.pool.PoolOptions;
import io.clockhand.internal.table.PageTable;
import io.clockhand.wal.WriteAheadLog;
import java.io.IOException;

/**
 * The steps of one batch of {@link PageWriter}: copy, make the log durable, write, release. Thread-safe; a batch is
 * used by one thread at a time.
 */
final class BatchWriter {
    private final FramePool pool;
    private final CleanedFrames cleaned;
    private final FrameStates states;
    private final CopyLatches latches;
    private final FrameMemory memory;
    private final PageTable table;
    private final PageTarget target;
    private final WriteAheadLog log;
    /** Where the LSN of a page lies that is updated concurrently; negative if not known. */
    private final int lsnOffset;

    private final DirtyPages dirty;
    private final WriteCounters counters;
    /** The name of the pool, for events. */
    private final String name;

    BatchWriter(
            FramePool pool,
            CleanedFrames cleaned,
            PoolOptions options,
            CopyLatches latches,
            FrameMemory memory,
            PageTable table,
            PageTarget target,
            WriteAheadLog log,
            int lsnOffset,
            DirtyPages dirty,
            WriteCounters counters) {
        this.pool = pool;
        this.cleaned = cleaned;
        this.states = pool.states();
        this.latches = latches;
        this.memory = memory;
        this.table = table;
        this.target = target;
        this.log = log;
        this.lsnOffset = lsnOffset;
        this.dirty = dirty;
        this.counters = counters;
        this.name = options.name();
    }

    /**
     * Copies and writes the pages of a range of {@code ids}. {@return how many pages are still to be written, since
     * other threads write or change them; their ids are at the beginning of the range} Calls {@code taken} before it
     * writes; that must not throw.
     */
    int write(WriteBatch batch, long[] ids, int from, int to, Runnable taken) throws IOException {
        pool.enter();
        batch.clear();
        int left = 0;
        Throwable failure = null;
        BatchWriteEvent event = FlightEvents.batchWrite();
        try {
            for (int i = from; i < to; i++) {
                if (!copy(batch, ids[i])) {
                    ids[from + left++] = ids[i];
                }
            }
            if (batch.count() > 0) {
                taken.run();
                makeDurable(batch);
                failure = writeCopies(batch);
            }
        } finally {
            release(batch, batch.released(), batch.count(), false);
            end(batch, event);
        }
        if (failure instanceof IOException e) {
            throw e;
        }
        if (failure != null) {
            throw (RuntimeException) failure;
        }
        return left;
    }

    /** {@return whether nothing is left to do for the page: it was copied, is clean, or is gone} */
    private boolean copy(WriteBatch batch, long id) {
        int frame = table.find(id);
        if (frame == PageTable.NONE) {
            return true;
        }
        if (!states.tryPinToWrite(frame)) {
            long state = states.state(frame);
            return states.identity(frame) != id || !(FrameState.isDirty(state) || FrameState.isWriting(state));
        }
        boolean copied = false;
        boolean gone = true;
        try {
            gone = states.identity(frame) != id || !target.exists(id);
            boolean exclusive = !gone && latches.isExclusive(id);
            if (!gone && latches.tryAcquire(frame, exclusive)) {
                copyLatched(batch, frame, id, exclusive);
                copied = true;
            }
        } finally {
            if (!copied) {
                endWrite(frame);
            }
        }
        return copied || gone;
    }

    private void copyLatched(WriteBatch batch, int frame, long id, boolean exclusive) {
        try {
            add(batch, frame, id, lsn(frame, exclusive));
        } finally {
            latches.release(frame, exclusive);
        }
    }

    /**
     * Copies a page that the caller has pinned, marked as being written and latched, and releases the latch.
     *
     * @param lsn what {@link #lsn} returned
     */
    void copyLatched(WriteBatch batch, int frame, long id, boolean exclusive, long lsn) {
        try {
            add(batch, frame, id, lsn);
        } finally {
            latches.release(frame, exclusive);
        }
    }

    private void add(WriteBatch batch, int frame, long id, long lsn) {
        try {
            long pageLsn = Math.max(lsn, dirty.beginCopy(frame));
            batch.add(frame, id, pageLsn, memory, BufferWord.buffer(states.buffer(frame)));
        } catch (VirtualMachineError e) { // the page may be marked as clean, and is not copied
            throw pool.failure().fail(e);
        }
    }

    /**
     * {@return the LSN in a page, to be called before its copy; 0 if the dirty page table has it} Concurrent updates
     * raise only that in the page: one line fewer that they all write to.
     *
     * @param exclusive whether the page can be updated concurrently, and the caller has latched it exclusively
     */
    long lsn(int frame, boolean exclusive) {
        if (!exclusive || lsnOffset < 0) {
            return 0;
        }
        return Math.min(memory.getLong(BufferWord.buffer(states.buffer(frame)), lsnOffset), log.end());
    }

    /**
     * Writes all copies, and releases their pages. A store that prefers that gets all pages of a file in one call. If
     * that fails they are written run by run, and if a run fails, page by page: a page that cannot be written keeps
     * only itself dirty.
     *
     * @return the first failure of a page, with those of others as suppressed exceptions, or null
     */
    private Throwable writeCopies(WriteBatch batch) {
        Throwable failure = null;
        int end; // of the pages that one call can write
        for (int begin = 0; begin < batch.count(); begin = end) {
            end = endOfTogether(batch, begin);
            if (end <= endOfRun(batch, begin) || !writeTogether(batch, begin, end)) {
                failure = writeRuns(batch, begin, end, failure);
            }
        }
        return failure;
    }

    private int endOfTogether(WriteBatch batch, int begin) {
        int end = begin + 1;
        while (end < batch.count() && target.writesTogether(batch.id(begin), batch.id(end))) {
            end++;
        }
        return end == begin + 1 ? endOfRun(batch, begin) : end;
    }

    /** {@return whether the pages were written} If not, they are not released either. */
    private boolean writeTogether(WriteBatch batch, int begin, int end) {
        boolean written = false;
        try {
            for (int i = begin; i < end; i++) {
                batch.numbers[i] = target.page(batch.id(i));
            }
            target.writeBatch(batch.id(begin), batch.numbers, begin, end, batch.bytes(begin, end));
            written = true;
        } catch (IOException | RuntimeException e) {
            // each run is written by itself, and reports its failure
        } finally {
            count(end - begin, written);
            if (written) {
                release(batch, begin, end, true);
            }
        }
        return written;
    }

    private Throwable writeRuns(WriteBatch batch, int begin, int end, Throwable before) {
        Throwable failure = before;
        int endOfRun;
        for (int at = begin; at < end; at = endOfRun) {
            endOfRun = endOfRun(batch, at);
            failure = writeRun(batch, at, endOfRun, failure);
        }
        return failure;
    }

    private int endOfRun(WriteBatch batch, int begin) {
        int end = begin + 1;
        while (end < batch.count() && target.isNext(batch.id(end - 1), batch.id(end))) {
            end++;
        }
        return end;
    }

    /** {@return the failures up to now, which keep no other page from being written} */
    private Throwable writeRun(WriteBatch batch, int begin, int end, Throwable before) {
        if (end == begin + 1) {
            return writePage(batch, begin, before);
        }
        if (tryWriteRun(batch, begin, end)) {
            return before;
        }
        Throwable failure = before;
        for (int i = begin; i < end; i++) {
            failure = writePage(batch, i, failure);
        }
        return failure;
    }

    /** {@return whether the pages were written} If not, they are not released either. */
    private boolean tryWriteRun(WriteBatch batch, int begin, int end) {
        boolean written = false;
        try {
            target.write(batch.id(begin), batch.bytes(begin, end));
            written = true;
        } catch (IOException | RuntimeException e) {
            // each page is written by itself, and reports its failure
        } finally {
            count(end - begin, written);
            if (written) {
                release(batch, begin, end, true);
            }
        }
        return written;
    }

    private Throwable writePage(WriteBatch batch, int at, Throwable before) {
        boolean written = false;
        try {
            target.write(batch.id(at), batch.bytes(at, at + 1));
            written = true;
            return before;
        } catch (IOException | RuntimeException e) {
            return Failures.join(before, e);
        } finally {
            count(1, written);
            release(batch, at, at + 1, written);
        }
    }

    private void count(int pages, boolean written) {
        if (written) {
            counters.onWrite(pages);
        } else {
            counters.onFailedWrite();
        }
    }

    private void release(WriteBatch batch, int begin, int end, boolean written) {
        batch.releasedUpTo(end);
        try {
            for (int i = begin; i < end; i++) {
                if (written) {
                    batch.countWritten();
                }
                end(batch.frame(i), written);
                endWrite(batch.frame(i));
            }
        } catch (VirtualMachineError e) {
            throw pool.failure().fail(e);
        }
    }

    private void end(int frame, boolean written) {
        if (written) {
            dirty.written(frame);
        } else {
            dirty.failed(frame);
        }
    }

    private void endClaimed(int frame, boolean written) {
        try {
            end(frame, written);
            pool.endWriting(frame);
        } catch (VirtualMachineError e) {
            throw pool.failure().fail(e);
        }
    }

    private void endWrite(int frame) {
        long before = pool.endWritingAndUnpin(frame);
        if (FrameState.isQueued(before) && pool.weightCap() > 0) { // other policies put such frames back themselves
            cleaned.add(frame, FrameState.generation(before));
        }
    }

    /** Writes the only copy of a batch, and releases its frame. */
    void writeOnly(WriteBatch batch) throws IOException {
        boolean written = false;
        BatchWriteEvent event = null;
        try {
            event = FlightEvents.batchWrite();
            makeDurable(batch);
            target.write(batch.id(0), batch.bytes(0, 1));
            written = true;
        } finally {
            count(1, written);
            release(batch, 0, 1, written);
            end(batch, event);
        }
    }

    /** Writes the page of a frame that the caller has claimed. */
    void writeClaimed(WriteBatch batch, int frame, long id) throws IOException {
        batch.clear();
        BatchWriteEvent event = FlightEvents.batchWrite();
        pool.beginOwnedWriting(frame);
        boolean written = false;
        try {
            add(batch, frame, id, lsn(frame, latches.isExclusive(id)));
            makeDurable(batch);
            target.write(id, batch.bytes(0, 1));
            written = true;
        } finally {
            count(1, written);
            if (written) {
                batch.countWritten();
            }
            endClaimed(frame, written);
            end(batch, event);
        }
    }

    // --- figures -----------------------------------------------------------------------------------------------------

    /** Makes the log durable up to the greatest pageLSN of a batch; the time is counted, and recorded as a wait. */
    @SuppressWarnings("ReferenceEquality") // the very log
    private void makeDurable(WriteBatch batch) throws IOException {
        if (log == WriteAheadLog.NONE) {
            return;
        }
        WaitEvent event = FlightEvents.waiting();
        long begin = System.nanoTime();
        boolean durable = false;
        try {
            log.makeDurable(batch.lsn());
            durable = true;
        } finally {
            batch.logWaited(System.nanoTime() - begin);
            counters.onLogWait(batch.logNanos());
            if (event != null) {
                event.waited(name, "the log to be durable", null, !durable);
                FlightEvents.finish(event);
            }
        }
    }

    /** Counts and records a batch whose pages were released. */
    private void end(WriteBatch batch, BatchWriteEvent event) {
        if (batch.written() > 0) {
            counters.onBatch();
        }
        if (event != null && batch.count() > 0) {
            event.wrote(batch.count(), batch.written(), batch.copiedBytes(), batch.writes(), batch.logNanos());
            event.batch(name, target, batch.id(0));
            FlightEvents.finish(event);
        }
    }
}
