// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.internal.flush;

import io.clockhand.internal.frame.Parking;
import io.clockhand.internal.pool.BoundedWait;
import io.clockhand.internal.pool.PoolOptions;
import io.clockhand.internal.pool.PoolThreads;
import java.io.IOException;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.BooleanSupplier;

/**
 * The threads of the flusher: when they start, work, park, pause and end. As many run as there is {@linkplain
 * Work#wanted work} for.
 *
 * <p><b>Nudge.</b> A thread raises {@code nudges} after it has added work, and wakes a parked thread if fewer run than
 * are wanted. A flusher thread reads {@code nudges} before it looks for work. If it finds none it marks itself as
 * parked, and parks only if {@code nudges} is the same still. So no nudge is lost. A thread whose step has failed
 * waits for a while whatever comes: others would fail with it.
 *
 * <p><b>Help.</b> A thread that has taken work, and is about to write, wakes or starts another one if fewer run than
 * are wanted. So their number grows with the work, and the thread that nudges never starts one. A thread that has found
 * no work wakes nobody, or two such threads would wake each other for ever. One thread is kept parked for the next
 * nudge. A thread that finds more running than are wanted marks itself as parked, then compares again; so not all of
 * them stop.
 *
 * <p><b>Start and end.</b> The first slot gets a thread with the first dirty page. That thread ends when nothing has
 * been dirty for a while, others when they have been parked for a while. A thread that ends clears its slot, then looks
 * for work once more. One that has made a page dirty looks at the first slot after that. So no page stays dirty without
 * a thread.
 *
 * <p><b>Pause.</b> A thread registers in {@code active}, then checks {@code paused}, before each step. A pause sets
 * {@code paused}, then waits until none is active. So no step is under way during a pause.
 *
 * <p><b>Shared words</b>, all volatile or changed by atomic operations. {@code nudges} is raised by any thread. {@code
 * active} is changed by flusher threads. {@code paused} and {@code pausing} are written by the thread that closes or
 * checks the pool, {@code stopped} by the one that closes it, {@code startFailed} by a thread that could not start
 * another. A slot of {@code threads} is set by CAS from null by any thread, and cleared by the thread in it, or by the
 * one that could not start it; {@code entered} counts the slots with a thread. An element of {@code parked} is set by
 * the thread in that slot, and cleared by CAS: by that thread, or by the one that wakes it. {@code running} counts the
 * slots with a thread that is neither parked nor waits after a failure: raised after a slot was filled or an element
 * cleared, lowered before the opposite. So it is never more than their number, and a thread that reads too small a
 * number wakes one thread too many.
 *
 * <p>Thread-safe.
 */
final class FlusherThreads {
    /** How long a thread without work stays, and parks at most. */
    static final long IDLE_NANOS = Duration.ofSeconds(5).toNanos();

    private static final long RETRY_NANOS = Duration.ofMillis(100).toNanos();
    private static final int RUNNING = 0;
    private static final int PARKED = 1;

    private final Work work;
    private final PoolOptions options;
    private final long interval;
    private final long idleNanos;

    private final AtomicReferenceArray<Thread> threads;
    private final AtomicIntegerArray parked;
    private final AtomicInteger running = new AtomicInteger();
    private final AtomicInteger entered = new AtomicInteger();
    private final AtomicInteger active = new AtomicInteger();
    private volatile boolean paused;
    private volatile boolean stopped;
    private final AtomicInteger nudges = new AtomicInteger();
    /** When a thread could not be started, or long ago. */
    private volatile long startFailed = System.nanoTime() - RETRY_NANOS;
    /** Created once, as those of the slots: a thread that parks may have no memory, and must not end for that. */
    private final BooleanSupplier untilStopped = this::isStopped;

    private final BooleanSupplier[] untilWoken;
    /** The thread that waits for a pause, or null. */
    private volatile Thread pausing;

    /** The work of the threads. */
    interface Work {
        /** {@return whether there may be something to do, now or later} */
        boolean isLeft();

        /** {@return how many threads should run now} A hint. */
        int wanted();

        /** Takes work, calls {@link #help}, and does it; {@return false if there is nothing to do now} */
        boolean step() throws IOException;

        /** A step has thrown; the thread waits for a while. */
        void onFailure();
    }

    /**
     * Creates no thread yet.
     *
     * @param work what the threads do
     * @param options bounds the wait for a pause
     * @param threads their greatest number
     * @param interval nanoseconds after which a thread looks for work without a nudge
     */
    FlusherThreads(Work work, PoolOptions options, int threads, long interval) {
        this(work, options, threads, interval, IDLE_NANOS);
    }

    /** For tests: with an idle time so long that a thread which nobody wakes never looks for work. */
    FlusherThreads(Work work, PoolOptions options, int threads, long interval, long idleNanos) {
        this.work = work;
        this.options = options;
        this.interval = interval;
        this.idleNanos = idleNanos;
        this.threads = new AtomicReferenceArray<>(threads);
        this.parked = new AtomicIntegerArray(threads);
        this.untilWoken = new BooleanSupplier[threads];
        Arrays.setAll(untilWoken, slot -> () -> stopped || parked.get(slot) == RUNNING);
    }

    // --- what other threads call -------------------------------------------------------------------------------------

    /** Starts the first thread if there is none; called after work was added. Never throws. */
    void start() {
        if (threads.length() > 0 && threads.get(0) == null) {
            tryStart(0);
        }
    }

    /** There is something to do. Never throws, allocates nothing. */
    void nudge() {
        nudges.getAndIncrement();
        if (isWanted()) {
            wakeOne();
        }
    }

    /** Nudges a thread if fewer run than are wanted: for work that may wait for the interval, of which much comes. */
    void nudgeIfWanted() {
        if (isWanted()) {
            nudge();
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
        for (int slot = 0; slot < threads.length(); slot++) {
            Thread thread = threads.get(slot);
            if (thread != null) {
                Parking.unpark(thread);
            }
        }
    }

    // --- how many run ------------------------------------------------------------------------------------------------

    private boolean isWanted() {
        return !paused && running.get() < Math.min(threads.length(), work.wanted());
    }

    private boolean isSurplus() {
        return running.get() > work.wanted();
    }

    /** {@return whether a thread was parked} */
    private boolean wakeOne() {
        for (int slot = 0; slot < threads.length(); slot++) {
            if (parked.get(slot) == PARKED && parked.compareAndSet(slot, PARKED, RUNNING)) {
                running.getAndIncrement();
                Thread thread = threads.get(slot);
                if (thread != null) {
                    Parking.unpark(thread);
                }
                return true;
            }
        }
        return false;
    }

    /**
     * Lets another thread run if one is wanted; starts one if none is parked for the next nudge. Called by a thread
     * that has taken work. Never throws.
     */
    void help() {
        boolean wanted = isWanted();
        boolean woken = wanted && wakeOne();
        boolean mayStart = entered.get() < threads.length() && System.nanoTime() - startFailed >= RETRY_NANOS;
        if (!woken && mayStart && (wanted || entered.get() <= running.get())) {
            for (int slot = 0; slot < threads.length(); slot++) {
                if (threads.get(slot) == null) {
                    tryStart(slot);
                    return;
                }
            }
        }
    }

    /** Never throws. */
    private void tryStart(int slot) {
        try {
            if (!stopped) {
                start(slot);
            }
        } catch (Throwable failure) {
            // no memory for a thread: the next page that becomes dirty, or a step in a while, tries again
            options.failure().failIfFramesWereDropped(failure);
            startFailed = System.nanoTime();
        }
    }

    private void start(int slot) {
        Thread thread = PoolThreads.create("clockhand-flush", () -> run(slot), options.failure());
        if (tryEnter(slot, thread)) {
            boolean started = false;
            try {
                thread.start();
                started = true;
            } finally {
                if (!started) {
                    leave(slot);
                }
            }
        }
    }

    /** Takes a slot for a thread if it is empty. */
    boolean tryEnter(int slot, Thread thread) {
        if (!threads.compareAndSet(slot, null, thread)) {
            return false;
        }
        entered.getAndIncrement();
        running.getAndIncrement();
        return true;
    }

    private void leave(int slot) {
        running.getAndDecrement();
        entered.getAndDecrement();
        threads.set(slot, null);
    }

    /** Leaves the slot; {@return whether the thread must end} It goes on if work is left and no other has the slot. */
    boolean tryEnd(int slot) {
        Thread self = threads.get(slot);
        leave(slot);
        return !(slot == 0 ? work.isLeft() : isWanted()) || !tryEnter(slot, self);
    }

    // --- the threads -------------------------------------------------------------------------------------------------

    @SuppressWarnings("ReferenceEquality") // a thread equals itself alone
    private void run(int slot) {
        Thread self = Thread.currentThread();
        try {
            long idleSince = System.nanoTime();
            while (!stopped) {
                if (work(slot) || isKept(slot)) {
                    idleSince = System.nanoTime();
                } else if (System.nanoTime() - idleSince > idleNanos && tryEnd(slot)) {
                    break;
                }
            }
        } finally {
            if (threads.get(slot) == self) {
                leave(slot);
            }
        }
    }

    /** {@return whether an idle thread must stay} The first, while work is left; another one, if none but it idles. */
    private boolean isKept(int slot) {
        return work.isLeft() && (slot == 0 || entered.get() <= running.get());
    }

    /** Does a step, or parks for a while; {@return whether it has done something} */
    boolean work(int slot) {
        boolean worked = false;
        boolean failed = false;
        int seen = nudges.get();
        active.getAndIncrement();
        try {
            worked = !paused && work.step();
        } catch (Throwable failure) {
            failed = true;
            options.failure().failIfFramesWereDropped(failure);
            work.onFailure();
        } finally {
            endStep();
        }
        if (failed) {
            running.getAndDecrement();
            Parking.parkUntil(untilStopped, System.nanoTime() + RETRY_NANOS);
            running.getAndIncrement();
        } else if (!worked || isSurplus()) {
            park(slot, worked, seen);
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

    /**
     * Parks until the thread is woken, or for a while.
     *
     * @param surplus whether there is work, but enough other threads do it
     * @param seen the nudges that had come before the thread looked for work
     */
    private void park(int slot, boolean surplus, int seen) {
        if (surplus) {
            nudges.getAndIncrement(); // the work may be left to a thread that has just found none
        }
        running.getAndDecrement();
        parked.set(slot, PARKED);
        boolean mustRun = surplus ? isWanted() : nudges.get() != seen && !paused;
        if (!mustRun) {
            long nanos = slot == 0 ? Math.min(interval, idleNanos) : idleNanos;
            Parking.parkUntil(untilWoken[slot], System.nanoTime() + nanos);
        }
        if (parked.compareAndSet(slot, PARKED, RUNNING)) {
            running.getAndIncrement();
        }
    }

    /** {@return how many threads neither park nor wait after a failure} For tests. */
    int running() {
        return running.get();
    }

    private boolean isStopped() {
        return stopped;
    }
}
