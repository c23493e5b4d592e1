// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.internal.file;

import io.clockhand.internal.page.PagePool;
import io.clockhand.internal.pool.BoundedWait;
import io.clockhand.internal.pool.PoolOptions;
import io.clockhand.internal.pool.PoolThreads;
import java.time.Duration;
import java.util.Arrays;
import java.util.Set;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * The threads that prefetch, and their tasks. A thread ends when it has been idle for a while. A task that does not fit
 * into the queue is dropped.
 *
 * <p><i>Register, then check.</i> A prefetch registers in {@code active}, then checks for a pause; a pause sets its
 * flag, which is volatile, then scans the registrations. So no prefetch runs that the pause does not wait for.
 */
public final class Prefetcher {
    private static final int QUEUED_RUNS = 256;
    private static final long IDLE_SECONDS = 10;

    private final PoolOptions options;
    private final PagePool pool;
    private final int threads;
    private final ThreadPoolExecutor executor;
    private final Set<PrefetchTask> active = ConcurrentHashMap.newKeySet();
    private volatile boolean paused;

    /** The part of one thread in a task. */
    private record Part(PrefetchTask whole) implements Runnable {
        @Override
        public void run() {
            whole.run();
        }
    }

    public Prefetcher(PoolOptions options, PagePool pool, int threads) {
        this.options = options;
        this.pool = pool;
        this.threads = threads;
        this.executor = new ThreadPoolExecutor(
                Math.max(1, threads),
                Math.max(1, threads),
                IDLE_SECONDS,
                TimeUnit.SECONDS,
                new ArrayBlockingQueue<>(QUEUED_RUNS),
                work -> PoolThreads.create("clockhand-prefetch", work, options.failure()),
                (part, full) -> ((Part) part).whole().endOne());
        executor.allowCoreThreadTimeOut(true);
    }

    /** Begins to read pages of a file, possibly none. */
    public PrefetchTask start(PageFile file, long first, int pages) {
        return start(new PrefetchTask.Range(file, first, pages));
    }

    /**
     * Begins to read pages of any files, possibly none, sorted by file and number: so reads of neighbours follow each
     * other.
     *
     * @param ids the pages; the caller leaves them to this. Each is read once
     * @param most the greatest number of pages to read; the others, last in this order, are left out
     */
    public PrefetchTask start(long[] ids, int most) {
        Arrays.sort(ids);
        int distinct = 0;
        for (int i = 0; i < ids.length; i++) {
            if (i == 0 || ids[i] != ids[i - 1]) {
                ids[distinct++] = ids[i];
            }
        }
        int count = Math.min(distinct, most);
        return start(new PrefetchTask.Scattered(Arrays.copyOf(ids, count)));
    }

    /**
     * Begins to read adjacent pages, with one thread. Does nothing if all are busy, since the pages would come too
     * late, or if there is no memory for it.
     *
     * @param first the first page
     * @param pages the number of pages
     */
    public void startRun(long first, int pages) {
        if (executor.getActiveCount() >= threads) {
            return;
        }
        try {
            start(new PrefetchTask.Adjacent(first, pages), 1);
        } catch (OutOfMemoryError e) {
            options.failure().failIfFramesWereDropped(e); // the page is read all the same
        }
    }

    private PrefetchTask start(PrefetchTask.Pages pages) {
        return start(pages, pages.count());
    }

    private PrefetchTask start(PrefetchTask.Pages pages, int most) {
        int runs = Math.min(threads, most);
        PrefetchTask started = new PrefetchTask(pool, options.failure(), pages, runs, active::remove);
        int begun = 0;
        try {
            if (runs > 0) {
                active.add(started);
            }
            if (paused) {
                started.cancel();
            }
            for (; begun < runs; begun++) {
                executor.execute(new Part(started));
            }
        } finally {
            if (begun < runs) { // there is no memory for it, or for a thread
                // first: the part that has failed may be in the queue, and must not read when nobody expects it
                started.cancel();
                for (; begun < runs; begun++) {
                    started.endOne();
                }
            }
        }
        return started;
    }

    /** Cancels all tasks, blocks new ones, and waits for the reads in progress. */
    public void pause() {
        paused = true;
        for (PrefetchTask running : active) {
            running.cancel();
        }
        endQueued();
        if (!active.isEmpty()) {
            BoundedWait.begin(options, "prefetches", () -> null).until(this::awaitAll, this::describeActive);
        }
    }

    /** Ends the parts that no thread has begun: there may be no thread left, nor memory for one. */
    private void endQueued() {
        for (Runnable queued = executor.getQueue().poll();
                queued != null;
                queued = executor.getQueue().poll()) {
            ((Part) queued).whole().endOne();
        }
    }

    private boolean awaitAll(long nanos) {
        long deadline = System.nanoTime() + nanos;
        for (PrefetchTask running : active) {
            if (!running.await(Duration.ofNanos(deadline - System.nanoTime()))) {
                return false;
            }
        }
        return true;
    }

    private String describeActive() {
        return active.stream().map(running -> "a " + running).findFirst().orElse("a prefetch");
    }

    /** Ends a pause. */
    public void resume() {
        paused = false;
    }

    /** Ends the threads; no task can be started any more. */
    public void stop() {
        executor.shutdown();
    }
}
