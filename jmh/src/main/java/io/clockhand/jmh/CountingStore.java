// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.jmh;

import io.clockhand.io.PageStore;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicLong;

/** A store that counts the pages that were written to it, by one atomic addition for each write. Thread-safe. */
final class CountingStore implements PageStore {
    private final PageStore store;
    private final AtomicLong written;

    /** Adds to {@code written} what is written to {@code store}. */
    CountingStore(PageStore store, AtomicLong written) {
        this.store = store;
        this.written = written;
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
    public void write(long page, ByteBuffer source) throws IOException {
        store.write(page, source);
        written.getAndIncrement();
    }

    @Override
    public void writeRun(long first, ByteBuffer source) throws IOException {
        int pages = source.remaining() / pageBytes();
        store.writeRun(first, source);
        written.getAndAdd(pages);
    }

    @Override
    public void writeBatch(long[] pages, int from, int to, ByteBuffer source) throws IOException {
        store.writeBatch(pages, from, to, source);
        written.getAndAdd(to - from);
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

    @Override
    public void delete() throws IOException {
        store.delete();
    }
}
