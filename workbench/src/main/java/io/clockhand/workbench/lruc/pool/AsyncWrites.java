// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.lruc.pool;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Writes that are in flight while the thread that submits them goes on, as with asynchronous I/O: a queue, and threads
 * that are started as they are needed and end when they have been idle for a while. Thread-safe.
 */
final class AsyncWrites {
    private static final long IDLE_NANOS = TimeUnit.SECONDS.toNanos(2);

    private final int limit;
    private final int pageBytes;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition work = lock.newCondition();
    private final Condition progress = lock.newCondition();
    private final ArrayDeque<Write> queue = new ArrayDeque<>();
    private int threads;
    private int idle;
    private int running;
    private long ended;
    private long started;
    private boolean closed;

    /** A write, with all that follows its end. */
    @FunctionalInterface
    interface Write {
        /**
         * Writes; reports failures itself.
         *
         * @param copy has space for a page, and is used by this write only meanwhile
         */
        void run(ByteBuffer copy);
    }

    /**
     * Has no threads yet.
     *
     * @param limit how many writes are in flight at most
     */
    AsyncWrites(int limit, int pageBytes) {
        this.limit = limit;
        this.pageBytes = pageBytes;
    }

    /** Does not wait, not for a thread either. */
    void submit(Write write) {
        lock.lock();
        try {
            if (closed) {
                throw new IllegalStateException("the pool is closed");
            }
            if (queue.size() < idle) {
                work.signal();
            } else if (threads < limit) {
                startThread();
            }
            queue.add(write);
        } finally {
            lock.unlock();
        }
    }

    private void startThread() {
        Thread thread = new Thread(this::work, "list pool write " + started++);
        thread.setDaemon(true);
        threads++;
        boolean hasStarted = false;
        try {
            thread.start();
            hasStarted = true;
        } finally {
            threads -= hasStarted ? 0 : 1;
        }
    }

    private void work() {
        ByteBuffer copy = PageBuffers.single(pageBytes);
        lock.lock();
        try {
            for (Write write = next(); write != null; write = next()) {
                running++;
                lock.unlock();
                try {
                    write.run(copy);
                } finally {
                    lock.lock();
                    running--;
                    ended++;
                    progress.signalAll();
                }
            }
        } finally {
            threads--;
            progress.signalAll();
            lock.unlock();
        }
    }

    /** {@return a write, or null if there was none for a while or the pool is closed} */
    private Write next() {
        if (queue.isEmpty() && !closed) {
            idle++;
            long end = System.nanoTime() + IDLE_NANOS;
            long left = IDLE_NANOS;
            while (queue.isEmpty() && !closed && left > 0) {
                BoundedWaits.get(work::awaitNanos, left);
                left = end - System.nanoTime();
            }
            idle--;
        }
        return queue.poll();
    }

    /** Waits until all writes have ended. Throws if none does for a minute. */
    void awaitAll() throws IOException {
        lock.lock();
        try {
            while (running > 0 || !queue.isEmpty()) {
                long before = ended;
                long end = System.nanoTime() + BoundedWaits.LONGEST_NANOS;
                while (ended == before && end - System.nanoTime() > 0) {
                    BoundedWaits.get(progress::awaitNanos, end - System.nanoTime());
                }
                if (ended == before) {
                    throw new IOException(
                            (running + queue.size()) + " writes in flight, of which none has ended for a minute");
                }
            }
        } finally {
            lock.unlock();
        }
    }

    /** Ends the threads, after the writes in the queue. */
    void close() {
        lock.lock();
        try {
            closed = true;
            work.signalAll();
            long end = System.nanoTime() + BoundedWaits.LONGEST_NANOS;
            while (threads > 0 && end - System.nanoTime() > 0) {
                BoundedWaits.get(progress::awaitNanos, end - System.nanoTime());
            }
        } finally {
            lock.unlock();
        }
    }
}
