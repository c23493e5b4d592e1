// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.testkit;

import io.clockhand.io.PageStore;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;

/** Pages in a file of a simulated disk. */
final class SimulatedPageStore implements PageStore {
    private final OpenFile file;
    private final int pageBytes;

    SimulatedPageStore(OpenFile file, int pageBytes) {
        this.file = file;
        this.pageBytes = pageBytes;
    }

    @Override
    public String name() {
        return file.name();
    }

    @Override
    public int pageBytes() {
        return pageBytes;
    }

    @Override
    public long pages() throws IOException {
        return file.length() / pageBytes;
    }

    @Override
    public void read(long page, ByteBuffer target) throws IOException {
        long position = position(page, target);
        String what = "read page " + page + " of " + name();
        int bytes = file.read(what, position, target);
        if (bytes < pageBytes) {
            String message = "cannot " + what + ": " + bytes + " of " + pageBytes + " bytes were read";
            throw position + pageBytes > file.length() ? new EOFException(message) : new IOException(message);
        }
    }

    @Override
    public void write(long page, ByteBuffer source) throws IOException {
        long position = position(page, source);
        String what = "write page " + page + " of " + name();
        int bytes = file.write(what, position, source);
        if (bytes < pageBytes) {
            throw new IOException("cannot " + what + ": " + bytes + " of " + pageBytes + " bytes were written");
        }
    }

    /** {@return where the page begins in the file} */
    private long position(long page, ByteBuffer bytes) {
        if (page < 0 || page >= Long.MAX_VALUE / pageBytes) {
            throw new IllegalArgumentException("there is no page " + page + " of " + name());
        }
        if (bytes.remaining() != pageBytes) {
            throw new IllegalArgumentException(
                    bytes.remaining() + " bytes remain in the buffer, but a page of " + name() + " has " + pageBytes);
        }
        return page * pageBytes;
    }

    @Override
    public void truncate(long pages) throws IOException {
        if (pages < 0) {
            throw new IllegalArgumentException("cannot truncate " + name() + " to " + pages + " pages");
        }
        if (pages < pages()) {
            file.truncate("truncate " + name() + " to " + pages + " pages", pages * pageBytes);
        }
    }

    @Override
    public void force() throws IOException {
        file.force("force " + name());
    }

    @Override
    public boolean tryOwn() {
        return file.tryOwn();
    }

    @Override
    public void delete() throws IOException {
        file.delete("delete " + name());
    }

    @Override
    public void close() {
        file.close();
    }
}
