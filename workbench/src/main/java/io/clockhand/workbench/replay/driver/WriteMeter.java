// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.replay.driver;

import io.clockhand.page.BufferPool;
import io.clockhand.page.WriteStats;
import io.clockhand.workbench.pages.driver.Players;
import io.clockhand.workbench.replay.driver.Written.Moment;
import io.clockhand.workbench.replay.driver.Written.Writes;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;

/**
 * Reads the counters of a pool and its log, in the measured interval once a second.
 *
 * <p>{@code ended} is written by the measuring thread, which then joins the thread of the meter; all else is used by
 * one of the two at a time.
 */
final class WriteMeter implements Players.Interval {
    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);
    private static final double NANOS = SECOND;

    private final BufferPool pool;
    private final WaitingLog log;
    private final LongSupplier played;
    private final List<Moment> moments = new ArrayList<>();
    private Thread thread;
    private volatile boolean ended;

    private long begin;
    private long lastNanos;
    private long lastPlayed;
    private Writes last;

    /**
     * Makes a meter.
     *
     * @param played the number of references played so far
     */
    WriteMeter(BufferPool pool, WaitingLog log, LongSupplier played) {
        this.pool = pool;
        this.log = log;
        this.played = played;
    }

    /** Since the pool was made. */
    Writes now() {
        WriteStats stats = pool.stats().writing();
        return new Writes(
                stats.pagesWritten(),
                stats.writes(),
                log.batches(),
                stats.readStalls(),
                log.waits(),
                stats.dirtyPages());
    }

    @Override
    public void begins() {
        begin = System.nanoTime();
        lastNanos = 0;
        lastPlayed = played.getAsLong();
        last = now();
        thread = new Thread(this::watch, "write meter");
        thread.setDaemon(true);
        thread.start();
    }

    private void watch() {
        for (long due = SECOND; !ended; due += SECOND) {
            for (long left = due - elapsed(); left > 0 && !ended; left = due - elapsed()) {
                LockSupport.parkNanos(this, left);
            }
            if (!ended) {
                add();
                due = Math.max(due, lastNanos - lastNanos % SECOND); // after a stall: no moment shorter than a second
            }
        }
    }

    private long elapsed() {
        return System.nanoTime() - begin;
    }

    private void add() {
        Writes writes = now();
        long accesses = played.getAsLong();
        long nanos = elapsed();
        Writes own = writes.since(last);
        double seconds = (nanos - lastNanos) / NANOS;
        moments.add(new Moment(
                nanos / NANOS,
                (accesses - lastPlayed) / seconds,
                own.pages() / seconds,
                own.batches() / seconds,
                own.batches() == 0 ? null : (double) own.pages() / own.batches(),
                own.readStalls() / seconds,
                own.logWaits() / seconds,
                own.dirtyPages()));
        last = writes;
        lastPlayed = accesses;
        lastNanos = nanos;
    }

    /** Adds the last second, unless it has just begun. */
    @Override
    public void ends() {
        ended = true;
        LockSupport.unpark(thread);
        boolean interrupted = false;
        while (true) {
            try {
                thread.join();
                break;
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (elapsed() - lastNanos >= SECOND / 2) {
            add();
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    List<Moment> moments() {
        return moments;
    }
}
