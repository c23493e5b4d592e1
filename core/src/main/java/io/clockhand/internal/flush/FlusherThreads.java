// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.internal.flush;

import io.clockhand.internal.frame.Parking;
import io.clockhand.internal.pool.BoundedWait;
import io.clockhand.internal.pool.PoolOptions;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.BooleanSupplier;

/**
 * The threads of the flusher: when they start, work, park, pause and end.
 *
 * <p><b>Start and end.</b> Threads are started by the first dirty page, and end when nothing has been dirty for a
 * while. A thread that ends clears its slot, then looks for dirty pages once more. One that has made a page dirty looks
 * for an empty slot after that. So no page stays dirty without a thread.
 *
 * <p><b>Nudge.</b> A thread sets {@code nudged} and unparks the threads, after it has added work. A flusher thread
 * clears it before it looks for work, and parks only while it is clear. So no nudge is lost.
 *
 * <p><b>Pause.</b> A thread registers in {@code active}, then checks {@code paused}, before each step. A pause sets
 * {@code paused}, then waits until none is active. So no step is under way during a pause.
 *
 * <p><b>Shared words</b>, all volatile or changed by CAS. {@code nudged} is set by any thread, and cleared by flusher
 * threads. {@code paused} and {@code pausing} are written by the thread that closes or checks the pool, {@code stopped}
 * by the one that closes it. A slot of {@code threads} is set by CAS from null by any thread, and cleared by the thread
 * in it, or by the one that could not start it.
 *
 * <p>Thread-safe.
 */
final class FlusherThreads {
    private static final long IDLE_NANOS = Duration.ofSeconds(5).toNanos();
    private static final long RETRY_NANOS = Duration.ofMillis(100).toNanos();

    private final Work work;
    private final PoolOptions options;
    private final long interval;

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

    /** The work of the threads. */
    interface Work {
        /** {@return whether there may be something to do, now or later} */
        boolean isLeft();

        /** Does something; {@return false if there is nothing to do now} */
        boolean step() throws IOException;

        /** A step has thrown; the thread waits for a while. */
        void onFailure();
    }

    /**
     * Creates no thread yet.
     *
     * @param work what the threads do
     * @param options bounds the wait for a pause
     * @param threads their number
     * @param interval nanoseconds after which a thread looks for work without a nudge
     */
    FlusherThreads(Work work, PoolOptions options, int threads, long interval) {
        this.work = work;
        this.options = options;
        this.interval = interval;
        this.threads = new AtomicReferenceArray<>(threads);
    }

    // --- what other threads call -------------------------------------------------------------------------------------

    /** Starts threads in the empty slots, if there is one; called after work was added. Never throws. */
    void start() {
        for (int i = 0; i < threads.length(); i++) {
            if (threads.get(i) == null && !stopped) {
                startAll();
                break;
            }
        }
    }

    private void startAll() {
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
        if (tryEnter(slot, thread)) {
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

    /** Takes a slot for a thread if it is empty. */
    boolean tryEnter(int slot, Thread thread) {
        return threads.compareAndSet(slot, null, thread);
    }

    /** There is something to do. Never throws, allocates nothing. */
    void nudge() {
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

    /** Waits until no step is under way, and keeps the threads from it. */
    void pause() {
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
            if (!idle) {
                nudge(); // for those that have found the pause and parked
            }
        }
    }

    /** Ends a pause. Needs no memory. */
    void resume() {
        paused = false;
        nudge();
    }

    /** Ends all threads, also during a pause. */
    void stop() {
        stopped = true;
        nudged = false;
        nudge();
    }

    // --- the threads -------------------------------------------------------------------------------------------------

    private void run(int slot) {
        try {
            long idleSince = System.nanoTime();
            while (!stopped && !(System.nanoTime() - idleSince > IDLE_NANOS && tryEnd(slot))) {
                boolean worked = work();
                if (worked || work.isLeft()) {
                    idleSince = System.nanoTime();
                }
            }
        } finally {
            threads.compareAndSet(slot, Thread.currentThread(), null);
        }
    }

    /** Does a step, or waits for a while; {@return whether it has done something} */
    boolean work() {
        boolean worked = false;
        boolean failed = false;
        nudged = false;
        active.getAndIncrement();
        try {
            worked = !paused && work.step();
        } catch (Throwable failure) {
            failed = true;
            work.onFailure();
        } finally {
            endStep();
        }
        if (!worked) {
            park(failed);
        }
        return worked;
    }

    private void endStep() {
        active.getAndDecrement();
        Thread waiting = pausing;
        if (waiting != null) {
            Parking.unpark(waiting);
        }
    }

    private void park(boolean failed) {
        long nanos = failed ? RETRY_NANOS : Math.min(interval, IDLE_NANOS);
        Parking.parkUntil(failed ? untilStopped : untilNudged, System.nanoTime() + nanos);
    }

    private boolean isStopped() {
        return stopped;
    }

    private boolean isNudged() {
        return stopped || nudged;
    }

    /** Leaves the slot; {@return whether the thread must end} It goes on if work is left and no other has the slot. */
    boolean tryEnd(int slot) {
        Thread self = threads.get(slot);
        threads.set(slot, null);
        return !work.isLeft() || !tryEnter(slot, self);
    }
}
