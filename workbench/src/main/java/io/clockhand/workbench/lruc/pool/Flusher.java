// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.lruc.pool;

import java.io.IOException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/**
 * The background thread that writes dirty pages of the tail or of the dirty region, and frees their frames. Its writes
 * are asynchronous: it submits a batch and goes on. A page that could not be written goes to the head of the list, and
 * is dirty still; a reader that has to write it, or the close of the pool, reports the failure.
 */
final class Flusher {
    private static final long RECHECK_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    private final Frames frames;
    private final FrameLists lists;
    private final Scheme scheme;
    private final FrameWriter writer;
    private final AsyncWrites writes;
    private final Counters counters;
    /** Null if there is none. */
    private final WriteBuffer buffer;

    private final AtomicInteger inFlight = new AtomicInteger();
    private final Thread thread = new Thread(this::run, "list pool flusher");
    private VictimSearch victims;
    private volatile boolean stopped;
    private volatile Throwable failure;

    Flusher(
            Frames frames,
            FrameLists lists,
            Scheme scheme,
            FrameWriter writer,
            AsyncWrites writes,
            Counters counters,
            WriteBuffer buffer) {
        this.frames = frames;
        this.lists = lists;
        this.scheme = scheme;
        this.writer = writer;
        this.writes = writes;
        this.counters = counters;
        this.buffer = buffer;
        thread.setDaemon(true);
        thread.setUncaughtExceptionHandler((t, e) -> failure = e);
    }

    void start(VictimSearch search) {
        victims = search;
        thread.start();
    }

    /** The region is not empty any more. Does not wait. */
    void wake() {
        if (scheme.flush() == Scheme.Flush.WHOLE_REGION) {
            LockSupport.unpark(thread);
        }
    }

    /** Ends the thread; its writes go on. */
    void stop() throws IOException {
        stopped = true;
        LockSupport.unpark(thread);
        BoundedWaits.get(nanos -> {
            thread.join(Math.max(1, TimeUnit.NANOSECONDS.toMillis(nanos)));
            return 1;
        });
        if (failure != null) {
            throw new IOException("the flusher has failed", failure);
        }
    }

    private void run() {
        if (scheme.flush() == Scheme.Flush.WHOLE_REGION) {
            flushRegions();
        } else {
            flushPeriodically();
        }
    }

    private void flushPeriodically() {
        int[] batch = new int[Math.min(frames.count, scheme.pagesPerPeriod())];
        long due = System.nanoTime() + scheme.periodNanos();
        while (awaitMoment(due)) {
            due = Math.max(due + scheme.periodNanos(), System.nanoTime());
            if (buffer != null) {
                buffer.retryAll();
            }
            int needed = batch.length - frames.free.size() - inFlight.get();
            submit(batch, victims.collect(needed, batch));
        }
    }

    /** {@return whether the thread is to go on} */
    private boolean awaitMoment(long moment) {
        for (long left = moment - System.nanoTime(); left > 0 && !stopped; left = moment - System.nanoTime()) {
            LockSupport.parkNanos(this, left);
        }
        return !stopped;
    }

    private void flushRegions() {
        int[] batch = new int[frames.count];
        long due = System.nanoTime();
        while (awaitMoment(due)) {
            if (lists.isRegionEmpty()) {
                LockSupport.parkNanos(this, RECHECK_NANOS);
            } else {
                due = System.nanoTime() + scheme.periodNanos();
                submit(batch, victims.collect(batch.length, batch));
            }
        }
    }

    private void submit(int[] batch, int pages) {
        if (pages == 0) {
            return;
        }
        counters.batches.increment();
        counters.batchPages.add(pages);
        inFlight.addAndGet(pages);
        for (int i = 0; i < pages; i++) {
            int frame = batch[i];
            writes.submit(copy -> {
                try {
                    writer.write(frame, copy);
                    if (lists.evictWritten(frame, true)) {
                        frames.free.add(frame);
                    }
                } catch (IOException e) {
                    lists.moveToHead(frame);
                } finally {
                    inFlight.decrementAndGet();
                }
            });
        }
    }
}
