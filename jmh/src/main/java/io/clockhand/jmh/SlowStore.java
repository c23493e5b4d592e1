// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.jmh;

import io.clockhand.io.PageStore;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.locks.LockSupport;

/** A store whose reads take longer, as those of a device do: the thread is parked meanwhile. */
record SlowStore(PageStore store, int readMicros) implements PageStore {
    @Override
    public String name() {
        return store.name();
    }

    @Override
    public int pageBytes() {
        return store.pageBytes();
    }

    @Override
    public long pages() throws IOException {
        return store.pages();
    }

    @Override
    public void read(long page, ByteBuffer target) throws IOException {
        LockSupport.parkNanos(1_000L * readMicros);
        store.read(page, target);
    }

    @Override
    public void write(long page, ByteBuffer source) throws IOException {
        store.write(page, source);
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
}
