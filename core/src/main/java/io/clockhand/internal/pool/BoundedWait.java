// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.internal.pool;

import io.clockhand.internal.metrics.FlightEvents;
import io.clockhand.internal.metrics.WaitEvent;
import java.time.Duration;
import java.util.function.BiConsumer;
import java.util.function.Supplier;

/**
 * One wait of a thread for other threads: bounded, uninterruptible, and recorded by Flight Recorder. Used by one
 * thread, after its first attempt has failed.
 *
 * <p>There are two bounds. {@link #until} waits in turns of {@link PoolOptions#longWait} and calls the handler after
 * each turn that fails; the wait ends with the handler's exception if it throws. A search for a frame waits in a line
 * of its own and ends after {@link PoolOptions#exhaustedAfter}. An interrupt ends neither; {@link
 * io.clockhand.internal.frame.Parking} sets the flag again.
 *
 * <p><b>Leaps of time.</b> A process that is suspended goes on when the time of each wait is over. So a wait that ends
 * half a second late, or more, is tried once more, for a second at most, before it counts as too long.
 *
 * <p><b>Recording never throws.</b> A wait that has succeeded leaves the caller with a latch, a frame or a buffer. To
 * record the wait allocates, and memory may have run out: then the event is lost, not what the thread has waited for.
 *
 * <p><b>Why a wait is stored where another thread could read it.</b> The compiler replaces an object by its fields if
 * no other thread can see it. When HotSpot leaves compiled code it creates such objects again; if it finds no memory it
 * drops the frames of that code, and runs none of their {@code catch} and {@code finally} blocks ({@code
 * pop_frames_failed_reallocs}). A pin, a latch or a claim of these frames would never end. So no object of a waiting
 * thread may be one that the compiler can replace.
 */
public final class BoundedWait {
    /** The longest bound that a pool can be given: a century, which fits into nanoseconds. */
    private static final Duration GREATEST_BOUND = Duration.ofDays(36_525);

    /** A wait that overruns its deadline by more than this was suspended, with the whole process perhaps. */
    private static final long LEAP_NANOS = Duration.ofMillis(500).toNanos();
    /** How long it is tried once more: the threads that it waits for were suspended as well. */
    private static final long RETRY_NANOS = Duration.ofSeconds(1).toNanos();

    private final PoolOptions options;
    private final String what;
    /** Named at the beginning, since the frame may hold another content in the end; null while nothing is recorded. */
    private final String content;

    private final WaitEvent event;
    private final long begin = System.nanoTime();
    private Attempt attempt;
    private Supplier<String> subject;
    /** Some wait, or null. Read by no thread, but the compiler cannot know that. */
    @SuppressWarnings("UnusedVariable")
    private static volatile BoundedWait some;

    /** Waits until something has happened, or the time is over. */
    public interface Attempt {
        /**
         * Waits for a time.
         *
         * @param nanos the greatest time to wait; it may be shorter
         * @return whether the wait is over
         */
        boolean waitFor(long nanos);
    }

    private BoundedWait(PoolOptions options, String what, Supplier<String> content, WaitEvent event) {
        this.options = options;
        this.what = what;
        this.event = event;
        this.content = event == null ? null : content.get();
    }

    /**
     * Begins a wait.
     *
     * @param options names the pool, and bounds the wait
     * @param what names what the thread waits for
     * @param content names the page, the object or the file; gives null if any frame or buffer will do
     * @return the wait; {@link #until} ends it, or {@link #end}
     */
    public static BoundedWait begin(PoolOptions options, String what, Supplier<String> content) {
        return begin(options, what, content, FlightEvents.waiting());
    }

    /** For tests: with an event of their own, or null. */
    static BoundedWait begin(PoolOptions options, String what, Supplier<String> content, WaitEvent event) {
        return new BoundedWait(options, what, content, event);
    }

    /**
     * Checks a bound that an engine sets.
     *
     * @param bound how long threads are to wait
     * @param setting the name of the setting
     * @return the bound, which fits into nanoseconds
     * @throws IllegalArgumentException if it is zero, negative, or infinite; the message names the limits
     */
    public static Duration checkedBound(Duration bound, String setting) {
        if (bound.isNegative() || bound.isZero() || bound.compareTo(GREATEST_BOUND) > 0) {
            throw new IllegalArgumentException(setting + " is " + bound
                    + "; it must be longer than 0, and not longer than " + GREATEST_BOUND + " (a century)");
        }
        return bound;
    }

    /**
     * Waits until an attempt succeeds, and ends the wait.
     *
     * @param attempt waits for a turn
     * @param subject names what the thread waits for, in the message to the handler
     */
    public void until(Attempt attempt, Supplier<String> subject) {
        this.attempt = attempt;
        this.subject = subject;
        some = this;
        BiConsumer<String, Duration> onLongWait = options.onLongWait();
        boolean timedOut = true;
        try {
            long longWait = options.longWait().toNanos();
            long turn = begin;
            boolean leapt = false;
            while (!this.attempt.waitFor(turn + longWait - System.nanoTime())) {
                options.failure().check();
                long now = System.nanoTime();
                long late = now - turn - longWait;
                if (late > LEAP_NANOS && !leapt) {
                    leapt = true;
                    turn = now - longWait + RETRY_NANOS;
                } else if (late >= 0) {
                    leapt = false;
                    turn = now;
                    call(onLongWait, this.subject.get(), Duration.ofNanos(now - begin));
                }
            }
            timedOut = false;
        } finally {
            end(timedOut);
        }
    }

    private static void call(BiConsumer<String, Duration> onLongWait, String subject, Duration waited) {
        boolean interrupted = EngineCalls.begin();
        try {
            onLongWait.accept(subject, waited);
        } finally {
            EngineCalls.end(interrupted);
        }
    }

    /**
     * {@return the deadline of one more brief wait, if time has leapt past a deadline; else the deadline itself}
     *
     * @param deadline a {@link System#nanoTime} that is over
     */
    static long afterLeap(long deadline) {
        long now = System.nanoTime();
        return now - deadline > LEAP_NANOS ? now + RETRY_NANOS : deadline;
    }

    /**
     * {@return the {@link System#nanoTime} when the wait has lasted for a time}
     *
     * @param nanos the time
     */
    public long deadline(long nanos) {
        return begin + nanos;
    }

    /** {@return how long the wait has lasted, in nanoseconds} */
    public long waited() {
        return System.nanoTime() - begin;
    }

    /**
     * Ends the wait and records it. Never throws.
     *
     * @param timedOut whether the thread has given up
     */
    public void end(boolean timedOut) {
        some = null;
        if (event != null) {
            event.waited(options.name(), what, content, timedOut);
            FlightEvents.finish(event);
        }
    }
}
