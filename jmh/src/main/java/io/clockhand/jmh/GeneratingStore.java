// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.jmh;

import io.clockhand.io.PageStore;
import java.nio.ByteBuffer;

/** A store that generates its pages: a read stores only the page's number in the buffer, so it costs little. */
final class GeneratingStore implements PageStore {
    private final long pages;
    private final int pageBytes;

    GeneratingStore(long pages, int pageBytes) {
        this.pages = pages;
        this.pageBytes = pageBytes;
    }

    @Override
    public String name() {
        return "generated";
    }

    @Override
    public int pageBytes() {
        return pageBytes;
    }

    @Override
    public long pages() {
        return pages;
    }

    @Override
    public void read(long page, ByteBuffer target) {
        target.putLong(target.position(), page);
        target.position(target.limit());
    }

    @Override
    public void write(long page, ByteBuffer source) {
        source.position(source.limit());
    }

    @Override
    public void truncate(long count) {
        throw new UnsupportedOperationException("nothing is kept");
    }

    @Override
    public boolean tryOwn() {
        return true;
    }

    @Override
    public void force() {
        // nothing is kept
    }

    @Override
    public void close() {
        // nothing is open
    }
}
