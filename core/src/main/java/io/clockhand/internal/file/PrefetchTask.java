// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.internal.file;

import io.clockhand.NoSuchPageException;
import io.clockhand.internal.page.PagePool;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/**
 * A range of pages that threads of the pool bring in before anybody asks for them; see {@link BufferPool#prefetch}.
 *
 * <p>It is a hint: what cannot be read, or finds no frame at once, is left to the fix that needs it, which says why.
 *
 * <p>Thread-safe. The counters are changed by atomic adds of the threads that read; {@code cancelled} is set, with volatile order, by
 * anybody. The count of the latch is the number of those threads that have not come to an end.
 */
public final class PrefetchTask {
    private final PagePool pool;
    private final long first;
    private final int pages;
    private final CountDownLatch running;
    private final Consumer<PrefetchTask> onDone;
    private final AtomicInteger next = new AtomicInteger();
    private final AtomicInteger read = new AtomicInteger();
    private final AtomicInteger failed = new AtomicInteger();
    private volatile boolean cancelled;

    /** To be run by so many threads, each of which calls {@link #run} or {@link #endOne} once. */
    public PrefetchTask(PagePool pool, long first, int pages, int threads, Consumer<PrefetchTask> onDone) {
        this.pool = pool;
        this.first = first;
        this.pages = pages;
        this.running = new CountDownLatch(threads);
        this.onDone = onDone;
    }

    /** Reads page after page, beside other threads that do so. */
    public void run() {
        try {
            for (int page = next.getAndIncrement(); page < pages && !cancelled; page = next.getAndIncrement()) {
                read(first + page);
            }
        } finally {
            endOne();
        }
    }

    private void read(long id) {
        try {
            switch (pool.prefetch(id)) {
                case READ -> read.getAndIncrement();
                case ALREADY_RESIDENT -> {} // nothing to do
                case NO_FRAME -> cancelled = true;
            }
        } catch (NoSuchPageException e) {
            // it was cut off, or never written: as if it had not been asked for
        } catch (IOException | RuntimeException e) {
            failed.getAndIncrement(); // whoever fixes the page will see why
        }
    }

    public void endOne() {
        running.countDown();
        if (running.getCount() == 0) {
            onDone.accept(this); // twice, perhaps
        }
    }

    /** Begins no more pages; those that are being read are read to their end. */
    public void cancel() {
        cancelled = true;
    }

    /** {@return how many pages it has at most: fewer than were asked for if the file ends, or the pool is small} */
    public int pages() {
        return pages;
    }

    /** {@return how many pages were read so far} */
    public int pagesRead() {
        return read.get();
    }

    /** {@return how many pages could not be read so far} */
    public int pagesFailed() {
        return failed.get();
    }

    /** {@return whether no page is being read, and none will be} */
    public boolean isDone() {
        return running.getCount() == 0;
    }

    /**
     * Waits until it is done, because every page was tried, or it was cancelled, or no frame was to be had. An interrupt does not end the
     * wait, and is kept.
     *
     * @param wait the longest wait
     * @return whether it is done
     */
    public boolean await(Duration wait) {
        boolean interrupted = false;
        long deadline = System.nanoTime() + TimeUnit.NANOSECONDS.convert(wait);
        try {
            for (; ; ) {
                try {
                    return running.await(deadline - System.nanoTime(), TimeUnit.NANOSECONDS);
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    @Override
    public String toString() {
        return "prefetch of " + pages + " pages: " + read + " read, " + failed + " failed"
                + (isDone() ? ", done" : cancelled ? ", cancelled" : "");
    }
}
