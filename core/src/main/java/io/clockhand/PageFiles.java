// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand;

import io.clockhand.internal.pool.PageSource;
import io.clockhand.io.PageStore;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The stores of a pool by file number, and how many pages each has. The array grows by copying, under the lock, and is read
 * with volatile order; numbers are never used again.
 */
final class PageFiles implements PageSource {
    private final int pageBytes;
    private final ReentrantLock lock = new ReentrantLock();
    private volatile PageFile[] files = new PageFile[0];

    /** A store and its length, which is raised by an atomic add for each page that is created. */
    private static final class PageFile {
        final PageStore store;
        final AtomicLong pages;

        PageFile(PageStore store) throws IOException {
            this.store = store;
            this.pages = new AtomicLong(store.pages());
        }
    }

    PageFiles(int pageBytes) {
        this.pageBytes = pageBytes;
    }

    int add(PageStore store) throws IOException {
        if (store.pageBytes() != pageBytes) {
            throw new IllegalArgumentException(store.name() + " has pages of " + store.pageBytes()
                    + " bytes, but those of this pool have " + pageBytes);
        }
        PageFile file = new PageFile(store);
        lock.lock();
        try {
            PageFile[] old = files;
            for (PageFile other : old) {
                if (other.store == store) {
                    throw new IllegalArgumentException(store.name() + " is in this pool already");
                }
            }
            if (old.length > PageId.GREATEST_FILE) {
                throw new IllegalStateException("a pool can have " + old.length + " files, and has them");
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
        return file(number).pages.get();
    }

    /** Writes a page of zeros behind the last one; {@return its id} */
    long append(int number) throws IOException {
        PageFile file = file(number);
        long page = file.pages.getAndIncrement();
        boolean written = false;
        try {
            long id = PageId.of(number, page);
            file.store.write(page, ByteBuffer.allocate(pageBytes));
            written = true;
            return id;
        } finally {
            if (!written) {
                // unless another was created behind it: then it stays, and holds zeros if it can be read
                file.pages.compareAndSet(page + 1, page);
            }
        }
    }

    @Override
    public void check(long id) {
        if (id < 0) {
            throw new IllegalArgumentException(id + " is not the id of a page, which is never negative");
        }
        PageFile file = file(PageId.file(id));
        long pages = file.pages.get();
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
        IOException failure = null;
        for (PageFile file : files) {
            try {
                file.store.close();
            } catch (IOException e) {
                if (failure == null) {
                    failure = e;
                } else {
                    failure.addSuppressed(e);
                }
            }
        }
        if (failure != null) {
            throw failure;
        }
    }
}
