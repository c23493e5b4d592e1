// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.internal.flush;

import io.clockhand.internal.frame.FrameMemory;
import io.clockhand.internal.frame.FrameState;
import io.clockhand.internal.frame.FrameStates;
import io.clockhand.internal.frame.Latches;
import io.clockhand.internal.pool.CleanedFrames;
import io.clockhand.internal.pool.FramePool;
import io.clockhand.internal.pool.PoolOptions;
import io.clockhand.internal.pool.WriteBackQueue;
import io.clockhand.internal.table.PageTable;
import io.clockhand.wal.WriteAheadLog;
import java.io.IOException;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongFunction;
import java.util.function.LongSupplier;

/**
 * The only writer of pages: flusher threads, checkpoints, the close of a file and misses that must help go through it.
 *
 * <p>A page is written from a copy:
 * <ol>
 * <li>pin it and mark it as being written, in one CAS; no other thread writes it then;
 * <li>check that it exists. A truncation first says that it does not, then waits for the pin;
 * <li>with a share in its latch, or, if its rows are updated under shares, with the latch alone ({@link CopyLatches}):
 * take the dirty mark off ({@link DirtyPages#beginCopy}), and copy the page into the {@linkplain WriteBatch batch}. A
 * change that comes later marks the page again;
 * <li>when the batch is full: make the log durable up to the greatest pageLSN of the copies, then write them: adjacent
 * pages in one call, or all pages of a file, if its store prefers that;
 * <li>end the mark and the pin. If the write has failed, the page is dirty again, with the recLSN that it had.
 * </ol>
 * So a page is written by one thread at a time, an older copy never lands after a newer one, no latch is held during
 * I/O, and a page that is written stays mapped: the pin keeps it.
 *
 * <p><b>Failures.</b> The pages that a batch has pinned and marked are released, whatever is thrown; those steps
 * neither allocate nor throw. If a run of pages cannot be written, the other runs of its batch are written all the
 * same; the first exception is thrown in the end. If a call with all pages of a file fails, they are written run by
 * run, and only failures of these runs are thrown.
 *
 * <p>Thread-safe.
 */
public final class PageWriter {
    /**
     * Of flushes, checkpoints, rounds of the flusher for many dirty frames or an interval, and of stores with batches.
     */
    private static final int LARGE_BATCHES = 4;

    /** A call gives up after this many failures, since the log or the device fails, and not a page. */
    private static final int MOST_FAILURES = 4;

    /** How long a round of the flusher keeps new users of a page out, to copy it when those that it has are gone. */
    private static final long PATIENCE_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

    private final FramePool pool;
    private final WriteBackQueue queue;
    private final FrameStates states;
    private final CopyLatches latches;
    private final FrameMemory memory;
    private final PageTable table;
    private final PageTarget target;
    private final DirtyPages dirty;
    private final WriteCounters counters = new WriteCounters();
    private final BatchWriter writer;
    private final WriteBuffers large;
    private final WriteBuffers small;
    /** Pages that were taken out of the queue, and are being written: changed by the threads that do so. */
    private final AtomicInteger queuedWrites = new AtomicInteger();

    private final OnePageWriter onePage;

    /**
     * Creates a writer.
     *
     * @param pool has the frames
     * @param queue has the dirty pages that were met as victims
     * @param cleaned takes those of them that were written
     * @param options bound the waits
     * @param latches the latches of the frames
     * @param memory the bytes of the pages
     * @param table finds the frame of a page
     * @param target takes the pages
     * @param log the log of the engine
     * @param sharedUpdates the pages that are updated concurrently
     * @param dirty the dirty page table
     * @param batches the number of batches of a few pages that can be written at a time
     * @param describe names a page for a message
     */
    public PageWriter(
            FramePool pool,
            WriteBackQueue queue,
            CleanedFrames cleaned,
            PoolOptions options,
            Latches latches,
            FrameMemory memory,
            PageTable table,
            PageTarget target,
            WriteAheadLog log,
            SharedUpdates sharedUpdates,
            DirtyPages dirty,
            int batches,
            LongFunction<String> describe) {
        this.pool = pool;
        this.queue = queue;
        this.states = pool.states();
        this.latches = new CopyLatches(latches, sharedUpdates);
        this.memory = memory;
        this.table = table;
        this.target = target;
        this.dirty = dirty;
        this.writer = new BatchWriter(
                pool,
                cleaned,
                options,
                this.latches,
                memory,
                table,
                target,
                log,
                sharedUpdates.lsnOffset(),
                dirty,
                counters);
        this.large = new WriteBuffers(options, memory.pageBytes(), WriteBuffers.LARGE, LARGE_BATCHES);
        this.small = new WriteBuffers(options, memory.pageBytes(), WriteBuffers.SMALL, batches);
        this.onePage = new OnePageWriter(pool, options, this.latches, table, target, writer, small, describe);
    }

    /**
     * {@return how many bytes of direct memory a writer takes}
     *
     * @param pageBytes the size of a page
     * @param batches the number of batches of a few pages that can be written at a time
     */
    public static long directBytes(int pageBytes, int batches) {
        return WriteBuffers.LARGE.directBytes(pageBytes, LARGE_BATCHES)
                + WriteBuffers.SMALL.directBytes(pageBytes, batches);
    }

    /** {@return what was written} */
    public WriteCounters counters() {
        return counters;
    }

    /** {@return how many pages are written at a time if they are sorted, or a store prefers large batches} */
    public int batchPages() {
        return WriteBuffers.LARGE.pages(memory.pageBytes());
    }

    /** {@return how many pages are written at a time if many threads write} */
    public int fewPages() {
        return WriteBuffers.SMALL.pages(memory.pageBytes());
    }

    /** {@return the dirty pages that were met as victims and wait to be written} */
    WriteBackQueue queue() {
        return queue;
    }

    /** {@return whether the store of any file prefers large batches} */
    boolean prefersBatches() {
        return target.writesBatches();
    }

    /** {@return how many pages are in the write-back queue, or were taken out of it and are being written} */
    int backlog() {
        int queued = queue.isEmpty() ? 0 : Math.max(1, queue.length());
        return queued + queuedWrites.get();
    }

    /** {@return whether pages that were taken out of the queue are being written, by any thread} */
    public boolean writesQueued() {
        return queuedWrites.get() > 0;
    }

    private WriteBuffers buffers(int pages) {
        return pages > fewPages() ? large : small;
    }

    // --- what is written ---------------------------------------------------------------------------------------------

    /**
     * Writes every page that is dirty at the call, and waits for those that other threads write. Waits for the latches
     * of pages that are being changed.
     *
     * @param first the least id
     * @param last the greatest id
     * @param before only pages that need a lesser position of the log; {@link DirtyPages#NONE} for all
     * @return the number of pages written
     * @throws IOException if the log or a page could not be written; that page is still dirty, as may be others
     */
    public int flush(long first, long last, long before) throws IOException {
        return writeAll(dirtyIds(0, pool.frames(), first, last, before), () -> OnePageWriter.AS_SET);
    }

    /**
     * Writes every page that is dirty at the call, as {@link #flush} does, but does not wait for ever for the latches
     * of pages whose guards may have been lost.
     *
     * @param nanos how long it waits for all latches together
     * @return how many pages are dirty still
     * @throws IOException as {@link #flush}
     */
    public int flushWithin(long nanos) throws IOException {
        long deadline = System.nanoTime() + nanos;
        writeAll(
                dirtyIds(0, Long.MAX_VALUE, DirtyPages.NONE),
                () -> Math.max(1, deadline - System.nanoTime())); // 0 would not even look whether the latch is free
        long[] left = dirtyIds(0, Long.MAX_VALUE, DirtyPages.NONE);
        return (int) Arrays.stream(left).filter(target::exists).count();
    }

    /**
     * Writes every page that is dirty at the call and in one of some frames, as {@link #flush} does.
     *
     * @param begin the first frame
     * @param end the frame behind the last
     * @throws IOException as {@link #flush}
     */
    public void flushFrames(int begin, int end) throws IOException {
        writeAll(dirtyIds(begin, end, 0, Long.MAX_VALUE, DirtyPages.NONE), () -> OnePageWriter.AS_SET);
    }

    private int writeAll(long[] ids, LongSupplier patience) throws IOException {
        int written = 0;
        int left = 0;
        for (int begin = 0, end; begin < ids.length; begin = end) {
            end = Math.min(ids.length, begin + batchPages());
            WriteBatch batch = large.take();
            try {
                int skipped = writer.write(batch, ids, begin, end, PageWriter::helpNobody);
                written += batch.written();
                System.arraycopy(ids, begin, ids, left, skipped);
                left += skipped;
            } finally {
                large.giveBack(batch);
            }
        }
        for (int i = 0; i < left; i++) {
            written += onePage.write(ids[i], patience.getAsLong()) ? 1 : 0;
        }
        return written;
    }

    /**
     * Collects the pages that are dirty, or being written.
     *
     * @param first the least id
     * @param last the greatest id
     * @param before only pages that need a lesser position of the log; {@link DirtyPages#NONE} for all
     * @return their ids, sorted: hints
     */
    public long[] dirtyIds(long first, long last, long before) {
        return dirtyIds(0, pool.frames(), first, last, before);
    }

    private long[] dirtyIds(int firstFrame, int endFrame, long first, long last, long before) {
        Ids ids = new Ids(Math.max(16, Math.min(pool.frames(), dirty.count() + 16)));
        if (PageTable.isFaster(first, last, endFrame - firstFrame)) {
            for (long id = first; id <= last; id++) {
                int frame = table.find(id);
                if (frame != PageTable.NONE && frame >= firstFrame && frame < endFrame) {
                    addIfDirty(ids, frame, id, id, before);
                }
            }
        } else {
            for (int frame = firstFrame; frame < endFrame; frame++) {
                addIfDirty(ids, frame, first, last, before);
            }
        }
        return ids.sorted();
    }

    private void addIfDirty(Ids ids, int frame, long first, long last, long before) {
        long state = states.state(frame);
        if (FrameState.isDirty(state) || FrameState.isWriting(state)) {
            long id = states.identity(frame);
            if (id >= first && id <= last && (before == DirtyPages.NONE || dirty.needed(frame) < before)) {
                ids.add(id);
            }
        }
    }

    /** An array that grows. */
    private static final class Ids {
        private long[] ids;
        private int count;

        Ids(int capacity) {
            ids = new long[capacity];
        }

        void add(long id) {
            ids = count < ids.length ? ids : Arrays.copyOf(ids, 2 * count);
            ids[count++] = id;
        }

        long[] sorted() {
            long[] exact = Arrays.copyOf(ids, count);
            Arrays.sort(exact);
            return exact;
        }
    }

    /**
     * Writes some pages that are dirty, if their latches are free; waits for latches for some milliseconds, and only of
     * pages whose rows are updated under shares.
     *
     * @param ids pages, sorted; changed by this call
     * @param from the first of them
     * @param to one behind the last; at most {@link #batchPages} more
     * @param taken called before the first write, if there is one; must not throw
     * @return the number of pages written
     * @throws IOException as {@link #flush}
     */
    int write(long[] ids, int from, int to, Runnable taken) throws IOException {
        WriteBuffers buffers = buffers(to - from);
        WriteBatch batch = buffers.take();
        int left;
        int written;
        try {
            left = writer.write(batch, ids, from, to, taken);
            written = batch.written();
        } finally {
            buffers.giveBack(batch);
        }
        for (int i = from; i < from + left; i++) {
            if (latches.isExclusive(ids[i])) { // it may never be free, so this waits in the latch's line
                written += onePage.write(ids[i], PATIENCE_NANOS) ? 1 : 0;
            }
        }
        return written;
    }

    /**
     * Writes pages out of the write-back queue, which have waited longest. If none of these can be written, others are
     * tried: a page that cannot be written must not fail a miss that can have the frame of another.
     *
     * @param most how many; from two on more if each is next to the one before
     * @return the number of pages written; 0 if the queue is empty now
     * @throws IOException if nothing was written, and the log could not be made durable, or a page not written
     */
    public int writeQueued(int most) throws IOException {
        return writeQueued(most, PageWriter::helpNobody);
    }

    /** Of a thread that writes for itself. */
    private static void helpNobody() {}

    /** As {@link #writeQueued(int)}; {@code taken} is called before each write, and must not throw. */
    int writeQueued(int most, Runnable taken) throws IOException {
        pool.enter();
        if (queue.isEmpty()) {
            return 0;
        }
        WriteBuffers buffers = buffers(most);
        WriteBatch batch = buffers.take();
        try {
            int written = 0;
            int tried = most;
            int failures = 0;
            Exception failure = null;
            int left = Math.max(1, queue.length());
            for (; written == 0 && left > 0 && failures < MOST_FAILURES; left -= tried) {
                try {
                    int polled = writePolled(batch, tried, taken);
                    if (polled == 0) {
                        break;
                    }
                } catch (IOException | RuntimeException e) {
                    failure = failure == null ? e : failure;
                    failures++;
                    tried = batch.pages();
                }
                written = batch.written();
            }
            if (written == 0 && failure instanceof IOException e) {
                throw e;
            }
            if (written == 0 && failure != null) {
                throw (RuntimeException) failure;
            }
            return written;
        } finally {
            buffers.giveBack(batch);
        }
    }

    /**
     * Takes the mark off a frame that is in use, so that a later search finds it again. A page that is about to be
     * removed keeps it, until it is claimed: it would be queued again at once, and cannot be written.
     */
    private void endQueueing(int frame) {
        if (!FrameState.isDirty(states.state(frame)) || table.find(states.identity(frame)) == frame) {
            pool.clearQueued(frame);
        }
    }

    /** {@return the number of pages taken out of the queue} */
    private int writePolled(WriteBatch batch, int most, Runnable taken) throws IOException {
        int count = 0;
        batch.clear();
        try {
            while (count < most || (count < batch.pages() && endsAdjacent(batch, count))) {
                int frame = queue.poll();
                if (frame == WriteBackQueue.NONE) {
                    break;
                }
                if (isHot(frame)) {
                    endQueueing(frame);
                    continue;
                }
                batch.polled[count] = frame;
                batch.wanted[count++] = states.identity(frame);
                queuedWrites.getAndIncrement();
            }
            Arrays.sort(batch.wanted, 0, count);
            writer.write(batch, batch.wanted, 0, count, taken);
            return count;
        } finally {
            queuedWrites.getAndAdd(-count);
            for (int i = 0; i < count; i++) {
                endQueueing(batch.polled[i]);
            }
        }
    }

    /**
     * {@return whether a page need not be written, since it was used after it had come into the queue} A long queue, as
     * of a pool that was just filled, would otherwise keep the device from misses with writes that free no frame. While
     * a thread waits for a frame each page is written.
     */
    private boolean isHot(int frame) {
        return queue.wasUsedSinceAdded(frame) && pool.line().isEmpty();
    }

    private boolean endsAdjacent(WriteBatch batch, int count) {
        return count > 1 && target.isNext(batch.wanted[count - 2], batch.wanted[count - 1]);
    }

    /**
     * Writes the page of a claimed frame, whose file is being closed.
     *
     * @param frame a frame that the caller has claimed
     * @throws IOException if the log or the page could not be written; it is still dirty
     */
    public void writeClaimed(int frame) throws IOException {
        WriteBatch batch = small.take();
        try {
            writer.writeClaimed(batch, frame, states.identity(frame));
        } finally {
            small.giveBack(batch);
        }
    }
}
