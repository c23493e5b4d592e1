// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.io;

import java.io.IOException;
import java.nio.ByteBuffer;

/** Passes every call to another store, except extensions: those are the default's, through this store's runs. */
class ForwardingStore extends ForwardingPageStore {
    ForwardingStore(PageStore store) {
        super(store);
    }

    @Override
    public void read(long page, ByteBuffer target) throws IOException {
        store.read(page, target);
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
}
