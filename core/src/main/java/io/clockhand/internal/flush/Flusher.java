// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.internal.flush;

import io.clockhand.internal.frame.Parking;
import io.clockhand.internal.metrics.FlightEvents;
import io.clockhand.internal.metrics.FlusherPassEvent;
import io.clockhand.internal.pool.BoundedWait;
import io.clockhand.internal.pool.FramePool;
import io.clockhand.internal.pool.PoolOptions;
import io.clockhand.wal.WriteAheadLog;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.BooleanSupplier;

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
 * <p><b>Threads</b> are started by the first dirty page, and end when nothing has been dirty for a while. A thread
 * registers in {@code active}, then checks for a pause; a pause sets its flag, then waits until none is active. Both
 * are volatile. A thread that ends clears its slot, then looks for dirty pages once more; one that has made a page
 * dirty looks for an empty slot after that.
 *
 * <p><b>Failures.</b> A page that could not be written stays dirty. The thread pauses for a while and tries again. A
 * caller that asks for a page to be written (a flush, a checkpoint, a miss without a clean frame) gets the exception.
 *
 * <p><b>Shared words</b>, all volatile or changed by CAS. {@code nudged} is set by {@link #nudge}, by any thread,
 * before it unparks; cleared by a flusher thread before it looks for work, so that a later nudge is seen before it
 * parks. {@code paused} and {@code pausing} are written by the thread that closes or checks the pool. {@code round},
 * {@code intervalEnd} and {@code nextInterval} are written by the one thread that has set {@code collecting}. Threads
 * share a round by its atomic {@code next}. A page in two rounds is written once, since its mark goes.
 *
 * <p>Thread-safe.
 */
public final class Flusher {
    private static final long IDLE_NANOS = Duration.ofSeconds(5).toNanos();
    private static final long RETRY_NANOS = Duration.ofMillis(100).toNanos();
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

    private final AtomicReferenceArray<Thread> threads;
    private final AtomicInteger active = new AtomicInteger();
    private volatile boolean paused;
    private volatile boolean stopped;
    private volatile boolean nudged;
    /** Created once: a thread that parks may have no memory, and must not end for that. */
    private final BooleanSupplier untilStopped = this::isStopped;

    private final BooleanSupplier untilNudged = this::isNudged;
    /** The thread that waits for a pause, or null. */
    private volatile Thread pausing;

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
        this.threads = new AtomicReferenceArray<>(threads);
    }

    // --- what other threads call -------------------------------------------------------------------------------------

    /** A page has become dirty: starts threads if none run. Never throws. */
    public void onDirty() {
        for (int i = 0; i < threads.length(); i++) {
            if (threads.get(i) == null && !stopped) {
                start();
                break;
            }
        }
        if (dirty.count() >= begin) {
            nudge();
        }
    }

    private void start() {
        try {
            for (int i = 0; i < threads.length(); i++) {
                start(i);
            }
        } catch (Throwable failure) {
            // no memory for a thread: the next page that becomes dirty tries again
        }
    }

    private void start(int slot) {
        Thread thread = new Thread(() -> run(slot), "clockhand-flush");
        thread.setDaemon(true);
        if (threads.compareAndSet(slot, null, thread)) {
            boolean started = false;
            try {
                thread.start();
                started = true;
            } finally {
                if (!started) {
                    threads.set(slot, null);
                }
            }
        }
    }

    /** There is something to write, in the queue or in a round. Never throws, allocates nothing. */
    public void nudge() {
        if (!nudged) {
            nudged = true;
            for (int i = 0; i < threads.length(); i++) {
                Thread thread = threads.get(i);
                if (thread != null) {
                    Parking.unpark(thread);
                }
            }
        }
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

    /** Waits until no thread writes, and keeps them from it. */
    public void pause() {
        paused = true;
        boolean idle = false;
        try {
            pausing = Thread.currentThread();
            BooleanSupplier none = () -> active.get() == 0;
            if (!none.getAsBoolean()) {
                BoundedWait.begin(options, "the flusher", () -> null)
                        .until(
                                nanos -> Parking.parkUntil(none, System.nanoTime() + nanos),
                                () -> "the threads of the flusher, which write pages");
            }
            idle = true;
        } finally {
            pausing = null;
            paused = idle;
        }
    }

    /** Ends a pause. Needs no memory. */
    public void resume() {
        paused = false;
        nudge();
    }

    /** Ends all threads, also during a pause. */
    public void stop() {
        stopped = true;
        nudged = false;
        nudge();
    }

    // --- the threads -------------------------------------------------------------------------------------------------

    private void run(int slot) {
        try {
            long idleSince = System.nanoTime();
            while (!stopped && !(System.nanoTime() - idleSince > IDLE_NANOS && tryEnd(slot))) {
                boolean wrote = work();
                if (wrote || dirty.count() > 0) {
                    idleSince = System.nanoTime();
                }
            }
        } finally {
            threads.compareAndSet(slot, Thread.currentThread(), null);
        }
    }

    /** Writes something, or waits for a while; {@return whether it has written} */
    private boolean work() {
        boolean wrote = false;
        boolean failed = false;
        active.getAndIncrement();
        try {
            wrote = !paused && step();
        } catch (Throwable failure) {
            failed = true; // the pages are dirty; a thread that needs one of them, or a frame, writes it itself
            pool.wakeWaitingMiss();
        } finally {
            endStep();
        }
        if (!wrote) {
            park(failed ? RETRY_NANOS : Math.min(interval, IDLE_NANOS), failed);
        }
        return wrote;
    }

    private void endStep() {
        active.getAndDecrement();
        Thread waiting = pausing;
        if (waiting != null) {
            Parking.unpark(waiting);
        }
    }

    private void park(long nanos, boolean failed) {
        Parking.parkUntil(failed ? untilStopped : untilNudged, System.nanoTime() + nanos);
        nudged = false;
    }

    private boolean isStopped() {
        return stopped;
    }

    private boolean isNudged() {
        return stopped || nudged;
    }

    private boolean tryEnd(int slot) {
        Thread self = threads.get(slot);
        threads.set(slot, null);
        return dirty.count() == 0 || !threads.compareAndSet(slot, null, self);
    }

    /** {@return whether something was written} */
    private boolean step() throws IOException {
        nudged = false;
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
