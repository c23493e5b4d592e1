// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand;

import io.clockhand.internal.pool.PageSource;
import io.clockhand.io.PageStore;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The stores of a pool by file number, and how many pages each has. The array grows by copying, under the lock, and is read
 * with volatile order; numbers are never used again.
 */
final class PageFiles implements PageSource {
    private final int pageBytes;
    private final long waitNanos;
    private final ByteBuffer zeros;
    private final ReentrantLock lock = new ReentrantLock();
    private boolean closed;
    private volatile PageFile[] files = new PageFile[0];

    /** A store and its length, which is raised, under the lock, when a page behind its end has been written. */
    private static final class PageFile {
        final PageStore store;
        final ReentrantLock growing = new ReentrantLock();
        volatile long pages;

        PageFile(PageStore store) throws IOException {
            this.store = store;
            this.pages = store.pages();
        }
    }

    PageFiles(int pageBytes, long waitNanos) {
        this.pageBytes = pageBytes;
        this.waitNanos = waitNanos;
        this.zeros = ByteBuffer.allocateDirect(pageBytes).asReadOnlyBuffer();
    }

    int add(PageStore store) throws IOException {
        if (store.pageBytes() != pageBytes) {
            throw new IllegalArgumentException(store.name() + " has pages of " + store.pageBytes()
                    + " bytes, but those of this pool have " + pageBytes);
        }
        PageFile file = new PageFile(store);
        lock.lock();
        try {
            if (closed) {
                throw new IllegalStateException("the pool is closed");
            }
            PageFile[] old = files;
            if (old.length > PageId.GREATEST_FILE) {
                throw new IllegalStateException("a pool can have " + old.length + " files, and has them");
            }
            if (!store.tryOwn()) {
                throw new IllegalArgumentException(store.name() + " is in a pool already, this one or another");
            }
            PageFile[] grown = Arrays.copyOf(old, old.length + 1);
            grown[old.length] = file;
            files = grown;
            return old.length;
        } finally {
            lock.unlock();
        }
    }

    private PageFile file(int number) {
        PageFile[] all = files;
        if (number < 0 || number >= all.length) {
            throw new IllegalArgumentException("there is no file " + number + " in this pool; it has " + all.length);
        }
        return all[number];
    }

    long pages(int number) {
        return file(number).pages;
    }

    /** Writes a page of zeros behind the last one, and then says that it exists; {@return its id} */
    @SuppressWarnings("NonAtomicVolatileUpdate") // under the lock
    long append(int number) throws IOException {
        PageFile file = file(number);
        lockToGrow(file);
        try {
            long page = file.pages;
            long id = PageId.of(number, page);
            boolean written = false;
            try {
                file.store.write(page, zeros.duplicate());
                written = true;
            } catch (IOException failure) {
                cutOff(file.store, page, failure);
                throw failure;
            } finally {
                if (written) {
                    file.pages = page + 1;
                }
            }
            return id;
        } finally {
            file.growing.unlock();
        }
    }

    /** A part of the page may have been written, for lack of room: a file whose end is torn could not be opened again. */
    private static void cutOff(PageStore store, long pages, IOException failure) {
        try {
            store.truncate(pages);
        } catch (IOException e) {
            failure.addSuppressed(e);
        }
    }

    private void lockToGrow(PageFile file) {
        boolean interrupted = Thread.interrupted();
        long deadline = System.nanoTime() + waitNanos;
        try {
            for (; ; ) {
                try {
                    if (file.growing.tryLock(deadline - System.nanoTime(), TimeUnit.NANOSECONDS)) {
                        return;
                    }
                    throw new WaitTimeoutException("waited " + TimeUnit.NANOSECONDS.toMillis(waitNanos)
                            + " ms for another thread that creates a page of " + file.store.name());
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
    public void check(long id) {
        if (id < 0) {
            throw new IllegalArgumentException(id + " is not the id of a page, which is never negative");
        }
        PageFile file = file(PageId.file(id));
        long pages = file.pages;
        if (PageId.page(id) >= pages) {
            throw new IllegalArgumentException("there is no " + describe(id) + ": it has " + pages + " pages, from 0");
        }
    }

    @Override
    public void read(long id, ByteBuffer target) throws IOException {
        PageStore store = file(PageId.file(id)).store;
        store.read(PageId.page(id), target);
        if (target.hasRemaining()) {
            throw new IOException(describe(id) + " was read short: " + target.remaining() + " of " + pageBytes
                    + " bytes are missing");
        }
    }

    @Override
    public String describe(long id) {
        PageFile[] all = files;
        int number = PageId.file(id);
        String name = id >= 0 && number < all.length ? all[number].store.name() : "file " + number;
        return "page " + PageId.page(id) + " of " + name;
    }

    /** Closes every store, even if one fails. */
    void close() throws IOException {
        lock.lock();
        try {
            closed = true;
        } finally {
            lock.unlock();
        }
        IOException failure = null;
        for (PageFile file : files) {
            try {
                file.store.close();
            } catch (IOException | RuntimeException e) {
                IOException named =
                        e instanceof IOException io ? io : new IOException("cannot close " + file.store.name(), e);
                if (failure == null) {
                    failure = named;
                } else {
                    failure.addSuppressed(named);
                }
            }
        }
        if (failure != null) {
            throw failure;
        }
    }
}
