// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.replay.driver;

import io.clockhand.io.PageStore;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/**
 * A store whose writes complete at a fixed rate, as those of a device that can do no more. Reads, and all else, are as
 * fast as those of the store behind it.
 *
 * <p>{@code free} is the moment at which the device has done all writes that were begun, in nanoseconds. A write moves
 * it on by the time of its pages, in one CAS, so writes are served in the order of their calls; then it waits for that
 * moment. A device that was idle has saved nothing up. The wait is as long as the writes in progress take: the pool has
 * few of them at a time, and of limited size. Thread-safe.
 */
final class Device implements PageStore {
    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

    private final PageStore store;
    private final long pagesPerSecond;
    private final AtomicLong free = new AtomicLong(System.nanoTime());

    Device(PageStore store, long pagesPerSecond) {
        this.store = store;
        this.pagesPerSecond = pagesPerSecond;
    }

    @Override
    public void write(long page, ByteBuffer source) throws IOException {
        long done = begin(1);
        store.write(page, source);
        awaitMoment(done);
    }

    @Override
    public void writeRun(long first, ByteBuffer source) throws IOException {
        long done = begin(source.remaining() / pageBytes());
        store.writeRun(first, source);
        awaitMoment(done);
    }

    @Override
    public void writeBatch(long[] pages, int from, int to, ByteBuffer source) throws IOException {
        long done = begin(to - from);
        store.writeBatch(pages, from, to, source);
        awaitMoment(done);
    }

    /** {@return when the device will have written that many pages} */
    private long begin(long pages) {
        long nanos = pages * SECOND / pagesPerSecond;
        while (true) {
            long before = free.get();
            long now = System.nanoTime();
            long done = (before - now > 0 ? before : now) + nanos;
            if (free.compareAndSet(before, done)) {
                return done;
            }
        }
    }

    /** An interrupt does not shorten the wait, and is kept. */
    private static void awaitMoment(long moment) {
        boolean interrupted = false;
        for (long left = moment - System.nanoTime(); left > 0; left = moment - System.nanoTime()) {
            LockSupport.parkNanos(left);
            interrupted |= Thread.interrupted();
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public String name() {
        return store.name();
    }

    @Override
    public int pageBytes() {
        return store.pageBytes();
    }

    @Override
    public boolean isReadOnly() {
        return store.isReadOnly();
    }

    @Override
    public boolean needsFirstWrite() {
        return store.needsFirstWrite();
    }

    @Override
    public boolean writesBatches() {
        return store.writesBatches();
    }

    @Override
    public long pages() throws IOException {
        return store.pages();
    }

    @Override
    public void read(long page, ByteBuffer target) throws IOException {
        store.read(page, target);
    }

    @Override
    public void extend(long pages) throws IOException {
        store.extend(pages);
    }

    @Override
    public void truncate(long pages) throws IOException {
        store.truncate(pages);
    }

    @Override
    public void delete() throws IOException {
        store.delete();
    }

    @Override
    public boolean tryOwn() {
        return store.tryOwn();
    }

    @Override
    public void force() throws IOException {
        store.force();
    }

    @Override
    public void close() throws IOException {
        store.close();
    }
}
