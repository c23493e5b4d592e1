// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.internal.flush;

import io.clockhand.internal.metrics.FlightEvents;
import io.clockhand.internal.metrics.FlusherPassEvent;
import io.clockhand.internal.pool.FramePool;
import io.clockhand.internal.pool.PoolOptions;
import io.clockhand.wal.WriteAheadLog;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The threads that write dirty pages in the background. They write after
 * <ul>
 * <li><i>a nudge</i>: a search for a victim has met dirty pages, which are in the write-back queue; these come first;
 * <li><i>the share of dirty frames</i>: from a half on, pages are written in the order of their ids, those that are
 * next to each other in one call, until fewer are dirty;
 * <li><i>time</i>: after each interval, pages that have been dirty for longer than one, so that redo after a crash
 * does not begin too far back.
 * </ul>
 *
 * <p>From four fifths on, a thread that wants to change a page writes up to 16 pages first ({@link #pace}). So changes
 * slow down to the speed of the device before no clean frame is left.
 *
 * <p><b>Failures.</b> A page that could not be written stays dirty. The thread pauses for a while and tries again. A
 * caller that asks for a page to be written (a flush, a checkpoint, a miss without a clean frame) gets the exception.
 *
 * <p><b>Shared words.</b> {@code round}, {@code intervalEnd} and {@code nextInterval}, all volatile, are written by the
 * one thread that has set {@code collecting} by CAS, and {@code round} by threads that flush, too; a round that is lost
 * so is collected anew. Threads share a round by its atomic {@code next}. A page in two
 * rounds is written once, since its mark goes. {@link FlusherThreads} has those of the threads.
 *
 * <p>Thread-safe.
 */
public final class Flusher {
    /** The greatest number of pages that a thread writes before it may change one; it waits for these writes. */
    private static final int PACED_PAGES = 16;
    /** The number of threads that write what has time, or what a store prefers to get in large batches. */
    private static final int FEW_THREADS = 4;

    private final FramePool<IOException> pool;
    private final PageWriter writer;
    private final DirtyPages dirty;
    private final WriteAheadLog log;
    private final PoolOptions options;
    private final long interval;
    private final int begin;
    private final int end;
    private final int crowded;

    private final int mostThreads;
    private final FlusherThreads threads;
    private final AtomicInteger collecting = new AtomicInteger();
    private volatile Round round;
    /** The end of the log when the last interval ended, and that moment; written by the collecting thread. */
    private volatile long intervalEnd;

    private volatile long nextInterval = System.nanoTime();

    /** Why the pages of a round are written. */
    private enum Reason {
        SHARE,
        INTERVAL,
        FLUSH
    }

    /** Pages to be written by all threads together, in the order of their ids. */
    private static final class Round {
        private final long[] ids;
        private final Reason reason;
        private final AtomicInteger next = new AtomicInteger();
        private final AtomicInteger written = new AtomicInteger();

        Round(long[] ids, Reason reason) {
            this.ids = ids;
            this.reason = reason;
        }

        int left() {
            return Math.max(0, ids.length - next.get());
        }
    }

    /**
     * Creates a flusher, without any thread yet.
     *
     * @param pool has the frames
     * @param writer writes the pages
     * @param dirty the dirty page table
     * @param log the log of the engine
     * @param options sizes and waits
     * @param threads the greatest number of threads; 0 leaves all writing to checkpoints, and to threads that need frames
     * @param interval the longest time that a page is left dirty, about
     */
    public Flusher(
            FramePool<IOException> pool,
            PageWriter writer,
            DirtyPages dirty,
            WriteAheadLog log,
            PoolOptions options,
            int threads,
            Duration interval) {
        int frames = options.softFrames();
        this.pool = pool;
        this.writer = writer;
        this.dirty = dirty;
        this.log = log;
        this.options = options;
        this.interval = interval.toNanos();
        this.begin = Math.max(1, frames / 2);
        this.end = frames / 2 - frames / 10;
        this.crowded = Math.max(1, frames - frames / 5);
        this.mostThreads = Math.max(1, threads);
        this.threads = new FlusherThreads(new Steps(), options, threads, this.interval);
    }

    // --- what other threads call -------------------------------------------------------------------------------------

    /** A page has become dirty: starts threads if none run. Never throws. */
    public void onDirty() {
        threads.start();
        if (dirty.count() >= begin) {
            nudge();
        }
    }

    /** There is something to write, in the queue or in a round. Never throws, allocates nothing. */
    public void nudge() {
        threads.nudge();
    }

    /**
     * Lets the calling thread, which is about to change a page, write some pages first if most frames are dirty.
     *
     * @throws IOException if a page could not be written
     */
    public void pace() throws IOException {
        if (dirty.count() < crowded) {
            return;
        }
        FlusherPassEvent event = FlightEvents.flusherPass(dirty.count());
        try {
            writeByShare(event, "change", Math.min(PACED_PAGES, writer.fewPages()));
        } finally {
            record(event);
        }
    }

    /**
     * Writes pages together with the threads of the flusher, before a flush writes the rest: pages that are latched, or
     * could not be written, are left to it, and so are those that other threads still write at the end.
     *
     * @param first the least id
     * @param last the greatest id
     * @param before only pages that need a lesser position of the log; {@link DirtyPages#NONE} for all
     * @return the number of pages written so far
     */
    public int writeAhead(long first, long last, long before) {
        if (mostThreads <= FEW_THREADS) {
            return 0;
        }
        Round flush = new Round(writer.dirtyIds(first, last, before), Reason.FLUSH);
        if (flush.left() > FEW_THREADS) {
            round = flush;
            nudge();
            try {
                while (flush.left() > 0) {
                    writeRound(null, null, flush, roundPages(flush));
                }
            } catch (IOException | RuntimeException e) {
                // those pages are dirty still, and the flush that follows reports its own failure
            }
        }
        return flush.written.get();
    }

    /** Waits until no thread of the flusher writes, and keeps them from it. Other threads may write. */
    public void pause() {
        threads.pause();
    }

    /** Ends a pause. Needs no memory. */
    public void resume() {
        threads.resume();
    }

    /** Ends all threads, also during a pause. */
    public void stop() {
        threads.stop();
    }

    // --- the threads -------------------------------------------------------------------------------------------------

    private final class Steps implements FlusherThreads.Work {
        @Override
        public boolean isLeft() {
            return dirty.count() > 0;
        }

        @Override
        public int wanted() {
            return Flusher.this.wanted();
        }

        @Override
        public boolean step() throws IOException {
            return Flusher.this.step();
        }

        /** The pages are dirty; a thread that needs one of them, or a frame, writes it itself. */
        @Override
        public void onFailure() {
            pool.wakeWaitingMiss();
        }
    }

    /** {@return whether something was written} */
    private boolean step() throws IOException {
        FlusherPassEvent event = FlightEvents.flusherPass(dirty.count());
        try {
            return step(event);
        } finally {
            record(event);
        }
    }

    private boolean step(FlusherPassEvent event) throws IOException {
        begin(event, "queue");
        int queued = writer.writeQueued(queuePages());
        end(event, queued);
        if (queued > 0) {
            return true;
        }
        if (dirty.count() >= begin || isByShare()) {
            return writeByShare(event, "share", 0);
        }
        Round present = round;
        if (System.nanoTime() - nextInterval >= 0 && (present == null || present.left() == 0)) {
            collect(Reason.INTERVAL);
            present = round;
        }
        if (present == null) {
            return false;
        }
        String reason = present.reason == Reason.FLUSH ? "flush" : "interval";
        return writeRound(event, reason, present, roundPages(present));
    }

    /**
     * As many as half of the pages that wait, so that writes in flight follow the backlog: with a small fixed number
     * the pool would fill with dirty pages as soon as a device needs more. A round for the interval has time, and one for
     * a flush leaves most of the device to misses.
     */
    private int wanted() {
        int backlog = writer.backlog();
        if (dirty.count() >= begin || isByShare()) {
            backlog = Math.max(backlog, dirty.count() - end);
        }
        int wanted = Math.min(backlog, Math.max(FEW_THREADS, backlog / 2));
        Round present = round;
        if (present != null) {
            int most = present.reason == Reason.FLUSH ? mostThreads / 4 : FEW_THREADS;
            wanted = Math.max(wanted, Math.min(present.left(), Math.max(FEW_THREADS, most)));
        }
        return writer.prefersBatches() ? Math.min(FEW_THREADS, wanted) : wanted;
    }

    /** {@return how many pages of the queue a thread writes} As few as leave none for which there is no thread. */
    private int queuePages() {
        return writer.prefersBatches() ? writer.batchPages() : share(writer.backlog());
    }

    private int roundPages(Round present) {
        return writer.prefersBatches() || present.reason == Reason.INTERVAL
                ? writer.batchPages()
                : share(present.left());
    }

    private int share(int pages) {
        return Math.max(1, Math.min(writer.fewPages(), pages / mostThreads));
    }

    private boolean isByShare() {
        Round present = round;
        return present != null && present.reason == Reason.SHARE && dirty.count() > end;
    }

    /** At most so many pages; 0 for as many as leave some for each thread. */
    private boolean writeByShare(FlusherPassEvent event, String reason, int most) throws IOException {
        Round present = round;
        if (present == null || present.left() == 0) {
            collect(Reason.SHARE);
            present = round;
        }
        if (present == null) {
            return false;
        }
        return writeRound(event, reason, present, most == 0 ? roundPages(present) : most);
    }

    /** Collects the pages of the next round, unless another thread does. */
    private void collect(Reason reason) {
        if (!collecting.compareAndSet(0, 1)) {
            return;
        }
        try {
            long logEnd = log.end();
            long before = reason == Reason.SHARE || logEnd == 0 ? DirtyPages.NONE : intervalEnd;
            round = new Round(writer.dirtyIds(0, Long.MAX_VALUE, before), reason);
            if (reason == Reason.INTERVAL) {
                intervalEnd = logEnd;
                nextInterval = System.nanoTime() + interval;
            }
        } finally {
            collecting.set(0);
        }
    }

    private boolean writeRound(FlusherPassEvent event, String reason, Round present, int most) throws IOException {
        if (present.left() == 0) { // or the sum would overflow in the end
            return false;
        }
        int from = present.next.getAndAdd(most);
        if (from >= present.ids.length) {
            return false;
        }
        int to = Math.min(present.ids.length, from + most);
        begin(event, reason);
        int written = writer.write(present.ids, from, to);
        present.written.getAndAdd(written);
        end(event, written);
        return written > 0 || to < present.ids.length;
    }

    // --- events ------------------------------------------------------------------------------------------------------

    private static void begin(FlusherPassEvent event, String reason) {
        if (event != null) {
            event.writes(reason);
        }
    }

    private static void end(FlusherPassEvent event, int written) {
        if (event != null) {
            event.wrote(written);
        }
    }

    private void record(FlusherPassEvent event) {
        if (event == null) {
            return;
        }
        try {
            if (event.isWanted()) {
                event.record(options.name());
            }
        } catch (Throwable failure) {
            // the event is lost
        }
    }
}
