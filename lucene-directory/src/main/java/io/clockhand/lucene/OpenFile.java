// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.lucene;

import io.clockhand.page.BufferPool;
import io.clockhand.page.PagedFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;

/**
 * A file of a directory that is open in the pool, so that its pages stay in memory between two readers.
 *
 * <p>The number of users is guarded by {@link OpenFiles}. {@code closed} is written before the file leaves the pool,
 * and its number becomes free; whoever reads a page tests it afterwards, so nobody takes a page of another file of that
 * number for one of this.
 */
final class OpenFile {
    final BufferPool pool;
    final SlabSegments segments;
    final PagedFile pages;
    final PageLayout layout;
    /** In bytes, as Lucene sees it. */
    final long length;

    /** In the directory. */
    final String name;

    private final Path path;
    /** On the device. */
    private final long size;
    /** What tells it from another file of the same name; null if the system does not say. */
    private final Object key;

    private int users;
    private volatile boolean closed;

    OpenFile(Path path, DirectoryPool pool, PagedFile pages, BasicFileAttributes found) {
        this.path = path;
        this.name = path.getFileName().toString();
        this.pool = pool.pool();
        this.segments = pool.segments();
        this.pages = pages;
        this.layout = PageLayout.of(pool.pageBytes(), pages.ownBytes());
        this.length = layout.length(pages.lengthBytes());
        this.size = found.size();
        this.key = found.fileKey();
    }

    boolean isSame(BasicFileAttributes found) {
        return size == found.size() && (key == null || key.equals(found.fileKey()));
    }

    /** {@return whether the file of its name is this one still} */
    boolean isThere() {
        try {
            return isSame(Files.readAttributes(path, BasicFileAttributes.class));
        } catch (IOException e) {
            return false; // it was deleted; if not, it is opened again when it is needed
        }
    }

    boolean isClosed() {
        return closed;
    }

    boolean isUsed() {
        return users > 0;
    }

    void use() {
        users++;
    }

    /** {@return whether nobody uses it any more} */
    boolean release() {
        return --users == 0;
    }

    void close() throws IOException {
        closed = true; // first: its number becomes free
        pages.close();
    }

    @Override
    public String toString() {
        return path.toString();
    }
}
