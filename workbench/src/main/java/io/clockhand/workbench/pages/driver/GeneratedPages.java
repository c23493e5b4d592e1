// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.pages.driver;

import io.clockhand.io.PageStore;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * A store that makes its pages up: a read writes the first eight bytes, and leaves the others as they were.
 * Thread-safe.
 */
public class GeneratedPages implements PageStore {
    private final long pages;
    private final int pageBytes;
    private final AtomicBoolean owned = new AtomicBoolean();

    public GeneratedPages(long pages, int pageBytes) {
        this.pages = pages;
        this.pageBytes = pageBytes;
    }

    @Override
    public final String name() {
        return "generated pages";
    }

    @Override
    public final int pageBytes() {
        return pageBytes;
    }

    @Override
    public final long pages() {
        return pages;
    }

    @Override
    public void read(long page, ByteBuffer target) {
        target.putLong(target.position(), PageContent.of(page));
        target.position(target.limit());
    }

    @Override
    public void write(long page, ByteBuffer source) throws IOException {
        throw new UnsupportedOperationException("generated pages cannot be changed");
    }

    @Override
    public final void truncate(long count) {
        throw new UnsupportedOperationException("generated pages cannot be changed");
    }

    @Override
    public final boolean tryOwn() {
        return owned.compareAndSet(false, true);
    }

    @Override
    public final void force() {
        // nothing is kept
    }

    @Override
    public final void close() {
        // nothing is open
    }
}
