// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.internal.advice;

import java.lang.ref.WeakReference;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * Bounds the fraction of the time that recording takes: references are recorded in bursts, with pauses between them.
 *
 * <p>A burst ends when {@link #BURST} samples have been played. Its cost is the time of playing them, which is
 * measured, and {@link #RECORD_NANOS} for each reference, sampled or not. The pause lasts until the cost is the given
 * fraction of the time since the burst began; if it is less already, there is none. So references are recorded all the
 * time where threads do other work between them, and seldom where they do nothing else. The cost of all threads is
 * compared with the time of one, so a pause is rather too long; but none is longer than a minute, so a pool of millions
 * of frames, whose bursts are long, may exceed the fraction. Before the first pause, {@link #WARM_UP} samples for
 * each frame of the largest miniature are played, which fills it.
 *
 * <p>While recording pauses, no thread that finds a page executes code for it: the cache clears a flag that it tests
 * anyway. Hence no such thread can end the pause either; the JDK's thread for delayed tasks does.
 *
 * <p><b>Order.</b> A pause clears {@code recording}, then the flag, then schedules its end: an end that came before the
 * flag is cleared would leave the cache without records for ever. The end sets the flag, then {@code recording}. No
 * pause begins before {@code recording} is set, so the end of an earlier pause cannot set the flag during a later one.
 *
 * <h2>Words</h2>
 *
 * <ul>
 *   <li><i>recording</i>: volatile. Cleared by the thread that plays samples, set by the thread that ends the pause.
 *       A thread that has read the old value records a reference too many, or one too few.
 *   <li>all others are accessed under the lock of the miniatures, or before the first thread uses the cache. {@link
 *       #resume} writes {@code begin} without it: that happens before it sets {@code recording}, and is read by the
 *       thread that plays only after it has found {@code recording} set.
 * </ul>
 */
final class RecordingTime {
    /** Samples of a burst. */
    static final int BURST = 4_096;
    /** Samples before the first pause, for each frame of the largest miniature. */
    static final int WARM_UP = 20;

    /** About what the record of a reference that is not sampled takes longer than none. */
    private static final int RECORD_NANOS = 10;
    /** Of playing one queue: more than that is time in which the thread did not run. */
    private static final long MOST_PLAY_NANOS = 1_000_000;

    private static final long LEAST_PAUSE_NANOS = 1_000_000;
    private static final long MOST_PAUSE_NANOS = 60_000_000_000L;

    private final double fraction;
    private final LongSupplier clock;
    private final Delay delay;
    /** Switches the records of the cache. */
    private Consumer<Boolean> records = on -> {};

    private volatile boolean recording = true;
    private boolean warm;
    private long begin;
    private long left;
    private long nanos;
    private long seenBefore;

    /** Runs something later. */
    interface Delay {
        /**
         * Runs a task after a time, in another thread.
         *
         * @param nanos the time
         */
        void run(Runnable task, long nanos);
    }

    /**
     * Begins to record.
     *
     * @param fraction of the time, greater than 0; with 1 or more there are no pauses
     * @param mostFrames of the largest miniature
     */
    RecordingTime(double fraction, int mostFrames) {
        this(
                fraction,
                mostFrames,
                System::nanoTime,
                (task, nanos) -> CompletableFuture.delayedExecutor(nanos, TimeUnit.NANOSECONDS, Runnable::run)
                        .execute(task));
    }

    RecordingTime(double fraction, int mostFrames, LongSupplier clock, Delay delay) {
        this.fraction = fraction;
        this.clock = clock;
        this.delay = delay;
        this.left = (long) WARM_UP * mostFrames;
        this.begin = clock.getAsLong();
    }

    /** Switches the records of a cache from now on. Called once, before the cache is used by other threads. */
    void control(Consumer<Boolean> target) {
        records = target;
        target.accept(recording);
    }

    /** {@return whether references are recorded now} */
    boolean isRecording() {
        return recording;
    }

    /** {@return the time now} */
    long now() {
        return clock.getAsLong();
    }

    /**
     * Notes that samples were played, and may begin a pause. Throws nothing but the error of a stack that is used up.
     *
     * @param samples their number
     * @param since when it began
     * @param seen all references so far
     */
    void onPlayed(int samples, long since, LongSupplier seen) {
        long now = clock.getAsLong();
        nanos += Math.min(MOST_PLAY_NANOS, now - since);
        left -= samples;
        if (left > 0 || fraction >= 1 || !recording) {
            return;
        }
        long total = seen.getAsLong();
        double cost = nanos + RECORD_NANOS * (double) (total - seenBefore);
        long pause = warm ? (long) Math.min(MOST_PAUSE_NANOS, cost / fraction - (now - begin)) : 0;
        warm = true;
        begin = now;
        left = BURST;
        nanos = 0;
        seenBefore = total;
        if (pause >= LEAST_PAUSE_NANOS) {
            pause(pause);
        }
    }

    private void pause(long time) {
        try {
            recording = false;
            records.accept(false);
            WeakReference<RecordingTime> self = new WeakReference<>(this); // a pause does not keep a pool in memory
            delay.run(() -> resume(self.get()), time);
        } catch (Throwable failure) { // no memory or stack for a pause: the cost is not bounded meanwhile
            resume(this);
        }
    }

    private static void resume(RecordingTime paused) {
        if (paused != null) {
            try {
                paused.begin = paused.clock.getAsLong();
                paused.records.accept(true); // first: the next pause clears it after it has seen recording
            } finally {
                paused.recording = true; // in any case, or no later burst could begin a pause
            }
        }
    }
}
