// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.lucene;

import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A lock for each name of a file, which exists while a thread has it or waits for it. Threads with different names do
 * not wait for one another. Thread-safe.
 */
final class NameLocks {
    private final ConcurrentHashMap<String, NameLock> locks = new ConcurrentHashMap<>();

    /** The number of threads that have it or wait for it changes within {@code compute} only. */
    @SuppressWarnings("serial") // nobody writes it to a stream
    private static final class NameLock extends ReentrantLock {
        private int threads;
    }

    /** Waits while another thread has the lock; an interrupt does not end that. */
    void lock(String name) {
        NameLock lock = locks.compute(name, (key, former) -> {
            NameLock of = former == null ? new NameLock() : former;
            of.threads++;
            return of;
        });
        lock.lock(); // outside of compute, in which other names may have to wait
    }

    /** Releases the lock, which the calling thread has. */
    void unlock(String name) {
        locks.computeIfPresent(name, (key, lock) -> {
            lock.unlock();
            return --lock.threads == 0 ? null : lock;
        });
    }
}
