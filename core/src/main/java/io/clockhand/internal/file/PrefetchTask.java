// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.internal.file;

import io.clockhand.NoSuchPageException;
import io.clockhand.PageId;
import io.clockhand.internal.frame.PoolFailure;
import io.clockhand.internal.page.PagePool;
import io.clockhand.internal.page.PageRun;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/**
 * Pages that threads of the pool read before they are fixed: a range of a file, or pages of any files. Best effort: a
 * page that cannot be read, or finds no frame at once, is left to the fix that needs it, which reports why. The removal
 * of the file cancels a range, and an error, such as memory that runs out, either. Pages of any files are looked up by
 * the numbers of their files: those that do not exist, or not any more, are skipped.
 *
 * <p>Thread-safe. The threads that read change the counters by atomic adds; {@code cancelled} is volatile, and set by
 * any thread. The count of the latch is the number of reading threads that have not ended.
 */
public final class PrefetchTask {
    private final PagePool pool;
    private final PoolFailure failure;
    private final Pages pages;
    private final CountDownLatch running;
    private final Consumer<PrefetchTask> onDone;
    private final AtomicInteger next = new AtomicInteger();
    private final AtomicInteger read = new AtomicInteger();
    private final AtomicInteger failed = new AtomicInteger();
    private volatile boolean cancelled;

    /** The pages of a task. */
    sealed interface Pages {
        int count();

        /** {@return the id of a page, 0 to {@code count() − 1}} */
        long id(int index);

        /** {@return how many pages, from one on, have adjacent ids, at most a number} */
        int adjacent(int index, int most);

        /** {@return whether none of them exists any more} */
        boolean areRemoved();

        /** {@return how a message names them} */
        String describe();
    }

    /** Adjacent pages of a file. */
    record Range(PageFile file, long first, int count) implements Pages {
        @Override
        public long id(int index) {
            return PageId.of(file.number(), first + index);
        }

        @Override
        public int adjacent(int index, int most) {
            return Math.min(most, count - index);
        }

        @Override
        public boolean areRemoved() {
            return file.isRemoved();
        }

        @Override
        public String describe() {
            return count + " pages of " + file.name();
        }
    }

    /** Adjacent pages of a file that may be closed meanwhile. */
    record Adjacent(long first, int count) implements Pages {
        @Override
        public long id(int index) {
            return first + index;
        }

        @Override
        public int adjacent(int index, int most) {
            return Math.min(most, count - index);
        }

        @Override
        public boolean areRemoved() {
            return false;
        }

        @Override
        public String describe() {
            return count + " pages of file " + PageId.file(first);
        }
    }

    /** Pages of any files, in the order of their reads. */
    static final class Scattered implements Pages {
        private final long[] ids;

        Scattered(long[] ids) {
            this.ids = ids;
        }

        @Override
        public int count() {
            return ids.length;
        }

        @Override
        public long id(int index) {
            return ids[index];
        }

        @Override
        public int adjacent(int index, int most) {
            int end = index + 1;
            while (end < ids.length && end - index < most && ids[end] == ids[end - 1] + 1) {
                end++;
            }
            return end - index;
        }

        @Override
        public boolean areRemoved() {
            return false;
        }

        @Override
        public String describe() {
            return ids.length + " scattered pages";
        }
    }

    /** To be run by a number of threads, each of which calls {@link #run} or {@link #endOne} once. */
    PrefetchTask(PagePool pool, PoolFailure failure, Pages pages, int threads, Consumer<PrefetchTask> onDone) {
        this.pool = pool;
        this.failure = failure;
        this.pages = pages;
        this.running = new CountDownLatch(threads);
        this.onDone = onDone;
    }

    /** Reads run after run, concurrently with other threads of this task. */
    void run() {
        try {
            PageRun run = new PageRun();
            for (int from = next.get(); from < pages.count() && !isCancelled(); from = next.get()) {
                int length = pool.run(pages.id(from), pages.adjacent(from, PageRun.MOST_PAGES));
                if (next.compareAndSet(from, from + length)) {
                    read(pages.id(from), length, run);
                }
            }
        } catch (OutOfMemoryError e) {
            cancelled = true; // before anything was read
        } finally {
            endOne();
        }
    }

    private boolean isCancelled() {
        return cancelled || pages.areRemoved();
    }

    private void read(long first, int count, PageRun run) {
        for (int done = 0; done < count && !isCancelled(); ) {
            try {
                int pagesDone = pool.prefetch(first + done, count - done, run);
                if (pagesDone == 0) {
                    cancelled = true;
                }
                done += pagesDone;
            } catch (NoSuchPageException e) {
                return; // truncated, or never written, as are those that follow: as if they had not been requested
            } catch (IOException | RuntimeException e) {
                failed.getAndIncrement(); // the fix of the page will report why
                done++;
            } catch (Error e) { // the thread goes on: others may wait for its part of another task
                failure.failIfFramesWereDropped(e);
                cancelled = true;
            }
            read.getAndAdd(run.read());
            failed.getAndAdd(run.failed());
        }
    }

    void endOne() {
        running.countDown();
        if (running.getCount() == 0) {
            onDone.accept(this); // may be called twice
        }
    }

    /** Stops the task: no further page is begun; reads in progress go on to their end. */
    public void cancel() {
        cancelled = true;
    }

    /** {@return how many pages it covers} */
    public int pages() {
        return pages.count();
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
     * Waits until every page was tried, or the task was cancelled, or ran out of frames. An interrupt does not end the
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
        return "prefetch of " + pages.describe() + ": " + read + " read, " + failed + " failed"
                + (isDone() ? ", done" : cancelled ? ", cancelled" : "");
    }
}
