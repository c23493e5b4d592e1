// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package consumer;

import io.clockhand.io.MemoryPageStore;
import io.clockhand.io.PageStore;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.LongAdder;

/** A page store that counts its reads. */
final class CountingStore implements PageStore {
    private final PageStore store;
    private final LongAdder reads = new LongAdder();

    CountingStore(int pageBytes) {
        store = new MemoryPageStore("counting", pageBytes);
    }

    long reads() {
        return reads.sum();
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
    public long pages() throws IOException {
        return store.pages();
    }

    @Override
    public void read(long page, ByteBuffer target) throws IOException {
        store.read(page, target);
        reads.increment();
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
