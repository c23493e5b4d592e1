// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.replay.driver;

import io.clockhand.io.PageStore;
import io.clockhand.workbench.pages.driver.PageContent;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * A store that makes its pages up, and keeps of a write how often the page was changed. Only pages with a key can be
 * changed. Can be read after it was closed. Thread-safe.
 */
final class ChangeablePages implements PageStore {
    private final long pages;
    private final int spread;
    private final int pageBytes;
    /** Of each key. */
    private final AtomicLongArray changes;

    private final AtomicBoolean owned = new AtomicBoolean();

    /**
     * Makes a store.
     *
     * @param spread key k lies on page {@code spread * k}
     */
    ChangeablePages(long pages, int spread, int pageBytes) {
        this.pages = pages;
        this.spread = spread;
        this.pageBytes = pageBytes;
        this.changes = new AtomicLongArray(Math.toIntExact((pages + spread - 1) / spread));
    }

    @Override
    public String name() {
        return "generated pages";
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
        long changed = page % spread == 0 ? changes.get((int) (page / spread)) : 0;
        target.putLong(target.position(), PageContent.of(page));
        target.putLong(target.position() + PageContent.CHANGES_OFFSET, PageContent.of(page) + changed);
        target.position(target.limit());
    }

    @Override
    public void write(long page, ByteBuffer source) throws IOException {
        long content = source.getLong(source.position());
        if (content != PageContent.of(page) || page % spread != 0) {
            throw new IOException("cannot write page " + page + " of " + name() + ": its content is "
                    + PageContent.describe(content));
        }
        long counted = source.getLong(source.position() + PageContent.CHANGES_OFFSET);
        changes.set((int) (page / spread), PageContent.changes(page, counted));
        source.position(source.limit());
    }

    @Override
    public void truncate(long count) {
        throw new UnsupportedOperationException("generated pages cannot be truncated");
    }

    @Override
    public boolean tryOwn() {
        return owned.compareAndSet(false, true);
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
