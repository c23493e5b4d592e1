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
import java.util.concurrent.atomic.AtomicReference;

/**
 * The threads that write dirty pages in the background. They write after
 * <ul>
 * <li><i>a nudge</i>: a search for a victim has met dirty pages, which are in the write-back queue; these come first,
 * and as many threads write as half of them, so that misses find clean frames whatever the device needs. A store that
 * prefers batches gets full ones;
 * <li><i>many dirty frames</i>: from three quarters on, a few threads write pages in the order of their ids,
 * those that are next to each other in one call, until fewer are dirty. More would write hot pages again and again,
 * while misses need the device;
 * <li><i>time</i>: after each interval, pages that have been dirty for longer than one, so that redo after a crash
 * does not begin too far back;
 * <li><i>a flush</i>: the thread that flushes writes with them ({@link #writeAhead}).
 * </ul>
 *
 * <p>While four fifths are dirty and many pages are in the queue, a thread that wants to change a page writes one first
 * ({@link #pace}). So changes slow down to the speed of the device before no clean frame is left.
 *
 * <p><b>Failures.</b> A page that could not be written stays dirty. The thread pauses for a while and tries again. A
 * caller that asks for a page to be written (a flush, a checkpoint, a miss without a clean frame) gets the exception.
 *
 * <p><b>Shared words.</b> {@code begin}, {@code end}, {@code crowded} and {@code few}, volatile, are written by the
 * thread that creates or resizes the pool; a thread that reads former ones writes somewhat earlier or later. {@code
 * round}, {@code intervalEnd} and {@code nextInterval}, all volatile, are written by the one thread that
 * has set {@code collecting} by CAS. {@code flushing} is set by a thread that flushes, and cleared by
 * that thread if no other has set it; a flush that finds its round replaced goes on by itself. Threads share a round
 * by its atomic {@code next}, and count in {@code written} and {@code unhurried}. A page in two rounds is written once,
 * since its mark goes. {@link FlusherThreads} has those of the threads.
 *
 * <p>Thread-safe.
 */
public final class Flusher {
    /** The greatest number of pages that a thread writes before it may change one, if there is no flusher. */
    private static final int PACED_PAGES = 16;
    /** The number of threads that write what has time, or what a store prefers to get in large batches. */
    private static final int FEW_THREADS = 4;

    /** The queue may hold one of this many frames before the flusher writes a batch. */
    private static final int FEW_DIVISOR = 32;

    private static final String MANY_DIRTY = "dirty";
    private static final String INTERVAL = "interval";
    private static final String FLUSH = "flush";
    private static final String CHANGE = "change";

    private final FramePool pool;
    private final PageWriter writer;
    private final DirtyPages dirty;
    private final WriteAheadLog log;
    private final PoolOptions options;
    private final long interval;
    private volatile int begin;
    private volatile int end;
    private volatile int crowded;
    private volatile int few;

    private final boolean hasThreads;
    private final int mostThreads;
    private final FlusherThreads threads;
    /** Called by a thread that has taken pages, before it writes them. */
    private final Runnable help;

    private final AtomicInteger collecting = new AtomicInteger();
    private volatile Round round;
    /** Of a flush that has begun, or null. */
    private final AtomicReference<Round> flushing = new AtomicReference<>();
    /** Threads that write for many dirty frames, an interval or a flush. */
    private final AtomicInteger unhurried = new AtomicInteger();
    /** The end of the log when the last interval ended, and that moment; written by the collecting thread. */
    private volatile long intervalEnd;

    private volatile long nextInterval;

    /** Pages to be written by all threads together, in the order of their ids. */
    private static final class Round {
        private final long[] ids;
        private final String reason;
        private final AtomicInteger next = new AtomicInteger();
        private final AtomicInteger written = new AtomicInteger();

        Round(long[] ids, String reason) {
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
     * @param threads the greatest number of threads; 0 leaves all writing to flushes, and to threads that need frames
     * @param interval the longest time that a page is left dirty, about
     */
    public Flusher(
            FramePool pool,
            PageWriter writer,
            DirtyPages dirty,
            WriteAheadLog log,
            PoolOptions options,
            int threads,
            Duration interval) {
        this(pool, writer, dirty, log, options, threads, interval, FlusherThreads.IDLE_NANOS);
    }

    /** For tests: with an idle time so long that a thread which nobody wakes never looks for work. */
    Flusher(
            FramePool pool,
            PageWriter writer,
            DirtyPages dirty,
            WriteAheadLog log,
            PoolOptions options,
            int threads,
            Duration interval,
            long idleNanos) {
        this.pool = pool;
        this.writer = writer;
        this.dirty = dirty;
        this.log = log;
        this.options = options;
        this.interval = interval.toNanos();
        this.nextInterval = System.nanoTime() + this.interval;
        this.hasThreads = threads > 0;
        this.mostThreads = Math.max(1, threads);
        this.threads = new FlusherThreads(new Steps(), options, threads, this.interval, idleNanos);
        this.help = this.threads::help;
        onCapacity(options.softFrames());
    }

    /**
     * Sets the numbers of dirty pages at which threads write, stop, and pace others, as fractions of the frames.
     *
     * @param frames the number of frames
     */
    public final void onCapacity(int frames) {
        int most = Math.max(1, frames - frames / 4);
        begin = most;
        end = most - frames / 10;
        crowded = Math.max(1, frames - frames / 5);
        few = Math.max(1, frames / FEW_DIVISOR);
    }

    // --- what other threads call -------------------------------------------------------------------------------------

    /** A page has become dirty: starts threads if none run. Never throws. */
    public void onDirty() {
        threads.start();
        if (dirty.count() >= begin) {
            threads.nudgeIfWanted();
        }
    }

    /** There is something to write, in the queue or in a round. Never throws, allocates nothing. */
    public void nudge() {
        threads.nudge();
    }

    /**
     * Lets the calling thread, which is about to change a page, write some pages first: if most frames are dirty, and
     * misses have met more of them than the flusher can write; or if there is no flusher.
     *
     * @throws IOException if a page could not be written
     */
    public void pace() throws IOException {
        if (dirty.count() < crowded || (hasThreads && !writer.queue().isLong())) {
            return;
        }
        writer.counters().onPacedChange();
        FlusherPassEvent event = FlightEvents.flusherPass(options.name(), dirty.count());
        try {
            if (hasThreads) {
                begin(event, CHANGE);
                end(event, writer.writeQueued(1));
            } else {
                writeForChange(event);
            }
        } finally {
            FlightEvents.finish(event);
        }
    }

    private void writeForChange(FlusherPassEvent event) throws IOException {
        Round present = round;
        if (present == null || present.left() == 0) {
            collect(MANY_DIRTY);
            present = round;
        }
        if (present != null) {
            write(event, CHANGE, present, PACED_PAGES);
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
     * @throws IOException as {@link PageWriter#flush}
     */
    public int writeAhead(long first, long last, long before) throws IOException {
        if (mostThreads <= FEW_THREADS) {
            return 0;
        }
        Round flush = new Round(writer.dirtyIds(first, last, before), FLUSH);
        if (flush.left() <= FEW_THREADS) {
            return 0;
        }
        flushing.set(flush);
        try {
            nudge();
            while (flush.left() > 0) {
                write(null, FLUSH, flush, roundPages(flush));
            }
        } finally {
            flushing.compareAndSet(flush, null);
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

    /** {@return the threads} For tests. */
    FlusherThreads threads() {
        return threads;
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
            pool.line().sweep(); // it must try to write one itself, or fail with the cause
        }
    }

    /** {@return whether something was written} */
    private boolean step() throws IOException {
        FlusherPassEvent event = FlightEvents.flusherPass(options.name(), dirty.count());
        try {
            return step(event);
        } finally {
            FlightEvents.finish(event);
        }
    }

    private boolean step(FlusherPassEvent event) throws IOException {
        begin(event, "queue");
        int queued = isWorthABatch() ? writer.writeQueued(queuePages(), help) : 0;
        end(event, queued);
        if (queued > 0) {
            return true;
        }
        Round present = unhurriedRound();
        return present != null && writeUnhurried(event, present);
    }

    /** {@return the round from which pages are to be written: of a flush first; null if there is none} */
    private Round unhurriedRound() {
        Round flush = flushing.get();
        if (flush != null && flush.left() > 0) {
            return flush;
        }
        Round present = round;
        if (present == null || present.left() == 0) {
            if (dirty.count() >= begin || isManyDirtyRound()) {
                collect(MANY_DIRTY);
            } else if (System.nanoTime() - nextInterval >= 0) {
                collect(INTERVAL);
            }
            present = round;
        }
        return present;
    }

    /**
     * As many threads as half of the pages that wait or are being written for misses, so that writes in flight follow
     * the backlog: with a small fixed number the pool would fill with dirty pages as soon as a device needs more. With
     * them those that write what has time.
     */
    private int wanted() {
        int backlog = writer.backlog();
        int hurried = isWorthABatch() ? Math.min(backlog, Math.max(FEW_THREADS, backlog / 2)) : 0;
        Round flush = flushing.get();
        Round present = flush == null || flush.left() == 0 ? round : flush;
        int left = present == null ? 0 : present.left();
        if (left == 0 && (dirty.count() >= begin || isManyDirtyRound())) {
            left = 1; // for a thread that collects a round
        }
        int others = left == 0 ? 0 : Math.min(left, mostUnhurried(present));
        int wanted = hurried + Math.max(others, unhurried.get());
        return writer.prefersBatches() ? Math.min(FEW_THREADS, wanted) : wanted;
    }

    /** All rounds but a flush get half of the threads at most; a flush gets more, and leaves most of the device. */
    private int mostUnhurried(Round present) {
        if (present != null && present.reason.equals(FLUSH)) {
            return Math.max(FEW_THREADS, mostThreads / 4);
        }
        int threads = writer.prefersBatches() ? Math.min(FEW_THREADS, mostThreads) : mostThreads;
        return Math.max(1, Math.min(FEW_THREADS, threads / 2));
    }

    /** Writes pages of a round unless enough threads do: a thread that does is lost for the queue until it returns. */
    private boolean writeUnhurried(FlusherPassEvent event, Round present) throws IOException {
        boolean mayWrite = unhurried.getAndIncrement() < mostUnhurried(present);
        try {
            return mayWrite && write(event, present.reason, present, roundPages(present));
        } finally {
            unhurried.getAndDecrement();
        }
    }

    /**
     * {@return whether the queue is to be worked off} A store that prefers batches gets full ones, since each call may
     * force a journal, or small ones if the pool is small: frames in the queue are no victims. While a thread waits for
     * a frame nothing waits for a batch.
     */
    private boolean isWorthABatch() {
        if (!writer.prefersBatches() || !pool.line().isEmpty()) {
            return true;
        }
        return writer.queue().length() >= Math.min(writer.batchPages(), few)
                || writer.queue().hasOverflowed();
    }

    /** {@return how many pages of the queue a thread writes} As few as leave none for which there is no thread. */
    private int queuePages() {
        return writer.prefersBatches() ? writer.batchPages() : portion(writer.backlog());
    }

    private int roundPages(Round present) {
        return writer.prefersBatches() || !present.reason.equals(FLUSH) ? writer.batchPages() : portion(present.left());
    }

    private int portion(int pages) {
        int most = mostThreads > FEW_THREADS ? writer.fewPages() : writer.batchPages();
        return Math.max(1, Math.min(most, pages / mostThreads));
    }

    private boolean isManyDirtyRound() {
        Round present = round;
        return present != null && present.reason.equals(MANY_DIRTY) && dirty.count() > end;
    }

    /** Collects the pages of the next round, unless another thread does. */
    private void collect(String reason) {
        if (!collecting.compareAndSet(0, 1)) {
            return;
        }
        try {
            long logEnd = log.end();
            long before = reason.equals(MANY_DIRTY) || logEnd == 0 ? DirtyPages.NONE : intervalEnd;
            round = new Round(writer.dirtyIds(0, Long.MAX_VALUE, before), reason);
            if (reason.equals(INTERVAL)) {
                intervalEnd = logEnd;
                nextInterval = System.nanoTime() + interval;
            }
        } finally {
            collecting.set(0);
        }
    }

    private boolean write(FlusherPassEvent event, String reason, Round present, int most) throws IOException {
        if (present.left() == 0) { // or the sum would overflow in the end
            return false;
        }
        int from = present.next.getAndAdd(most);
        if (from >= present.ids.length) {
            return false;
        }
        int to = Math.min(present.ids.length, from + most);
        begin(event, reason);
        int written = writer.write(present.ids, from, to, help);
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
}
