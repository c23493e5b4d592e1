// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.pages.device;

import io.clockhand.io.PageStore;
import java.io.IOException;
import java.nio.ByteBuffer;

/** A store that passes every call on to another one. */
public abstract class ForwardingStore implements PageStore {
    private final PageStore store;

    protected ForwardingStore(PageStore store) {
        this.store = store;
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
    public boolean isNew() {
        return store.isNew();
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
    public void read(long page, ByteBuffer bytes) throws IOException {
        store.read(page, bytes);
    }

    @Override
    public void write(long page, ByteBuffer source) throws IOException {
        store.write(page, source);
    }

    @Override
    public void writeRun(long first, ByteBuffer source) throws IOException {
        store.writeRun(first, source);
    }

    @Override
    public void writeBatch(long[] pages, int from, int to, ByteBuffer source) throws IOException {
        store.writeBatch(pages, from, to, source);
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
