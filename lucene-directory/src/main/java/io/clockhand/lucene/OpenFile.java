// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.lucene;

import io.clockhand.page.BufferPool;
import io.clockhand.page.PagedFile;
import java.io.IOException;

/**
 * A file of a directory that is open in the pool: until it is deleted, replaced or renamed, or the directory is closed,
 * and nobody reads it any more. So its pages stay in memory between two readers.
 *
 * <p>Users and {@code leaving} are guarded by the directory's lock. {@code closed} is written before the file leaves
 * the pool, and its number becomes free; whoever reads a page tests it afterwards, so nobody takes a page of another
 * file of that number for one of this.
 */
final class OpenFile {
    final BufferPool pool;
    final PagedFile pages;
    /** In bytes, as Lucene sees it. */
    final long length;
    /** What tells it from another file of the same name; null if the system does not say. */
    private final Object key;

    private int users;
    private boolean leaving;
    private volatile boolean closed;

    OpenFile(BufferPool pool, PagedFile pages, long length, Object key) {
        this.pool = pool;
        this.pages = pages;
        this.length = length;
        this.key = key;
    }

    boolean isSame(long otherLength, Object otherKey) {
        return length == otherLength && (key == null || key.equals(otherKey));
    }

    boolean isClosed() {
        return closed || !pages.isOpen();
    }

    void use() {
        users++;
    }

    /** {@return whether it leaves the pool now} */
    boolean release() {
        return --users == 0 && leaving;
    }

    /** It has been deleted, or its directory closed; {@return whether it leaves the pool now} */
    boolean leave() {
        leaving = true;
        return users == 0;
    }

    void close() throws IOException {
        closed = true;
        pages.close();
    }
}
