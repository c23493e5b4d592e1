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
 * one thread that has set {@code collecting} by CAS. Threads share a round by its atomic {@code next}. A page in two
 * rounds is written once, since its mark goes. {@link FlusherThreads} has those of the threads.
 *
 * <p>Thread-safe.
 */
public final class Flusher {
    /** The greatest number of pages that a thread writes before it may change one; it waits for these writes. */
    private static final int PACED_PAGES = 16;

    private final FramePool<IOException> pool;
    private final PageWriter writer;
    private final DirtyPages dirty;
    private final WriteAheadLog log;
    private final PoolOptions options;
    private final long interval;
    private final int begin;
    private final int end;
    private final int crowded;

    private final FlusherThreads threads;
    private final AtomicInteger collecting = new AtomicInteger();
    private volatile Round round;
    /** The end of the log when the last interval ended, and that moment; written by the collecting thread. */
    private volatile long intervalEnd;

    private volatile long nextInterval = System.nanoTime();

    /** Pages to be written by all threads together, in the order of their ids. */
    private static final class Round {
        private final long[] ids;
        private final boolean byShare;
        private final AtomicInteger next = new AtomicInteger();

        Round(long[] ids, boolean byShare) {
            this.ids = ids;
            this.byShare = byShare;
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
     * @param threads the number of threads; 0 leaves all writing to checkpoints, and to threads that need frames
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
            writeByShare(event, "change", Math.min(PACED_PAGES, writer.batchPages()));
        } finally {
            record(event);
        }
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
        int queued = writer.writeQueued();
        end(event, queued);
        if (queued > 0) {
            return true;
        }
        if (dirty.count() >= begin || isByShare()) {
            return writeByShare(event, "share", writer.batchPages());
        }
        long now = System.nanoTime();
        if (now - nextInterval >= 0) {
            collect(false);
        }
        return writeRound(event, "interval", writer.batchPages());
    }

    private boolean isByShare() {
        Round present = round;
        return present != null && present.byShare && dirty.count() > end;
    }

    private boolean writeByShare(FlusherPassEvent event, String reason, int most) throws IOException {
        Round present = round;
        if (present == null || present.next.get() >= present.ids.length) {
            collect(true);
        }
        return writeRound(event, reason, most);
    }

    /** Collects the pages of the next round, unless another thread does. */
    private void collect(boolean byShare) {
        if (!collecting.compareAndSet(0, 1)) {
            return;
        }
        try {
            long logEnd = log.end();
            long before = byShare || logEnd == 0 ? DirtyPages.NONE : intervalEnd;
            round = new Round(writer.dirtyIds(0, Long.MAX_VALUE, before), byShare);
            if (!byShare) {
                intervalEnd = logEnd;
                nextInterval = System.nanoTime() + interval;
            }
        } finally {
            collecting.set(0);
        }
    }

    private boolean writeRound(FlusherPassEvent event, String reason, int most) throws IOException {
        Round present = round;
        if (present == null) {
            return false;
        }
        if (present.next.get() >= present.ids.length) { // or the sum would overflow in the end
            return false;
        }
        int from = present.next.getAndAdd(most);
        if (from >= present.ids.length) {
            return false;
        }
        int to = Math.min(present.ids.length, from + most);
        begin(event, reason);
        int written = writer.write(present.ids, from, to);
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
