// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.io;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;

/** Pages on the Java heap, for tests and for temporary data. Thread-safe; a page is read and written as a whole. */
public final class MemoryPageStore implements PageStore {
    private final String name;
    private final int pageBytes;
    private final ConcurrentHashMap<Long, byte[]> contents = new ConcurrentHashMap<>();
    private final AtomicLong pages = new AtomicLong();
    private final AtomicBoolean owned = new AtomicBoolean();
    private volatile boolean closed;

    /**
     * Makes an empty store.
     *
     * @param name what messages call it
     * @param pageBytes the size of a page: a power of two from 512 to 65,536
     */
    public MemoryPageStore(String name, int pageBytes) {
        FilePageStore.checkPageBytes(pageBytes);
        this.name = name;
        this.pageBytes = pageBytes;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public int pageBytes() {
        return pageBytes;
    }

    @Override
    public long pages() {
        return pages.get();
    }

    @Override
    public void read(long page, ByteBuffer target) throws IOException {
        checkTransfer(page, target);
        checkOpen(page);
        if (page >= pages.get()) {
            throw new EOFException("page " + page + " of " + name + " does not exist; it has " + pages + " pages");
        }
        byte[] bytes = contents.get(page);
        checkOpen(page); // or the page may be missing because the store was closed meanwhile
        target.put(bytes != null ? bytes : new byte[pageBytes]);
    }

    @Override
    public void write(long page, ByteBuffer source) throws IOException {
        checkTransfer(page, source);
        checkOpen(page);
        byte[] bytes = new byte[pageBytes];
        source.get(bytes);
        contents.put(page, bytes);
        pages.accumulateAndGet(page + 1, Math::max);
    }

    /** Takes no memory: pages that are not written are not stored. */
    @Override
    public void extend(long count) throws IOException {
        StoreExtension.checkPages(count, pageBytes, name);
        checkOpen(-1);
        pages.accumulateAndGet(count, Math::max);
    }

    @Override
    public void truncate(long count) throws IOException {
        FilePageStore.checkPages(count, pageBytes, name);
        checkOpen(-1);
        contents.keySet().removeIf(page -> page >= count);
        pages.accumulateAndGet(count, Math::min);
    }

    @Override
    public boolean tryOwn() {
        return owned.compareAndSet(false, true);
    }

    @Override
    public void force() throws IOException {
        checkOpen(-1);
    }

    @Override
    public void close() {
        closed = true;
        contents.clear();
    }

    private void checkTransfer(long page, ByteBuffer bytes) {
        FilePageStore.checkTransfer(page, bytes, pageBytes, name);
    }

    private void checkOpen(long page) throws IOException {
        if (closed) {
            throw new IOException(name + " is closed" + (page < 0 ? "" : ", so page " + page + " cannot be reached"));
        }
    }
}
