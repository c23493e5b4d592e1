// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.lucene;

import io.clockhand.page.BufferPool;
import io.clockhand.page.PagedFile;
import java.io.IOException;
import java.nio.file.attribute.BasicFileAttributes;

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
    final PageLayout layout;
    /** In bytes, as Lucene sees it. */
    final long length;
    /** On the device. */
    private final long size;
    /** What tells it from another file of the same name; null if the system does not say. */
    private final Object key;

    private int users;
    private boolean leaving;
    private volatile boolean closed;

    OpenFile(BufferPool pool, PagedFile pages, BasicFileAttributes found) {
        this.pool = pool;
        this.pages = pages;
        this.layout = PageLayout.of(pool.pageBytes(), pages.ownBytes());
        this.length = layout.length(pages.bytes());
        this.size = found.size();
        this.key = found.fileKey();
    }

    boolean isSame(BasicFileAttributes found) {
        return size == found.size() && (key == null || key.equals(found.fileKey()));
    }

    boolean isClosed() {
        return closed;
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
