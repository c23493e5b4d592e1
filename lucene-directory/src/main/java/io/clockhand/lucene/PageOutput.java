// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.lucene;

import io.clockhand.io.PageStore;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Objects;
import java.util.zip.CRC32;
import org.apache.lucene.store.BufferedChecksum;
import org.apache.lucene.store.IndexOutput;

/**
 * Writes a file through a store that changes its pages, as one that encrypts them. Pages are collected, and written by
 * runs. The length is set when this is closed: before, and if a write fails, it is that of all whole pages. As with
 * Lucene's own outputs, the file may be deleted or renamed while it is written.
 */
final class PageOutput extends IndexOutput {
    private static final int RUN_BYTES = 64 << 10;

    private final PageStore store;
    private final PageLayout layout;
    private final BufferedChecksum checksum = new BufferedChecksum(new CRC32());
    /** Some pages, the first of which is {@code first}. */
    private final byte[] run;

    private long first;
    private int at;
    /** Where the bytes end that the file uses of the page at {@code at}. */
    private int end;

    private final Naming naming;
    /** Closed after the store. */
    private final Closeable onClose;

    private boolean failed;
    private boolean closed;

    /** Tells whether the file has its name still. */
    interface Naming {
        /** {@return whether it has} If there is no file of the name this may throw. */
        boolean isSame() throws IOException;
    }

    /** @param store is empty, and closed with this */
    PageOutput(String description, String name, PageStore store, PageLayout layout, Naming naming, Closeable onClose) {
        super(description, name);
        this.naming = naming;
        this.onClose = onClose;
        this.store = store;
        this.layout = layout;
        this.run = new byte[Math.max(RUN_BYTES, layout.pageBytes())];
        this.end = layout.usableBytes();
    }

    @Override
    public void writeByte(byte b) throws IOException {
        makeRoom();
        run[at++] = b;
        checksum.update(b);
    }

    @Override
    public void writeBytes(byte[] source, int offset, int length) throws IOException {
        Objects.checkFromIndexSize(offset, length, source.length);
        int done = 0;
        while (done < length) {
            makeRoom();
            int part = Math.min(length - done, end - at);
            System.arraycopy(source, offset + done, run, at, part);
            at += part;
            done += part;
        }
        checksum.update(source, offset, length);
    }

    /** Goes on to the next page if this one is full. */
    private void makeRoom() throws IOException {
        if (at < end) {
            return;
        }
        if (closed || failed) {
            throw new IOException((closed ? "closed already: " : "an earlier write has failed: ") + this);
        }
        int next = at + layout.pageBytes() - layout.usableBytes();
        if (next == run.length) {
            write(run.length);
            first += run.length / layout.pageBytes();
            next = 0;
        }
        at = next;
        end = at + layout.usableBytes();
    }

    private void write(int bytes) throws IOException {
        failed = true;
        store.writeRun(first, ByteBuffer.wrap(run, 0, bytes));
        failed = false;
    }

    @Override
    public long getFilePointer() {
        return first * layout.usableBytes() + layout.length(at);
    }

    @Override
    public long getChecksum() {
        return checksum.getValue();
    }

    @Override
    public void close() throws IOException {
        if (closed) {
            return;
        }
        closed = true;
        try (Closeable last = onClose;
                Closeable file = this::closeStore) { // the file first; a failure hides no other
            if (failed) {
                return; // that write has thrown
            }
            int pages = (at + layout.pageBytes() - 1) / layout.pageBytes();
            int bytes = pages * layout.pageBytes();
            for (int i = at; i < bytes; i++) {
                run[i] = 0;
            }
            if (pages > 0) {
                write(bytes);
            }
            store.setLengthBytes(first * layout.pageBytes() + at);
        } finally {
            end = at; // the next byte is refused
        }
    }

    /** The store throws if the file has lost its name, which Lucene's outputs do not. It is closed in any case. */
    private void closeStore() throws IOException {
        try {
            store.close();
        } catch (IOException e) {
            if (hasName()) {
                throw e;
            }
        }
    }

    private boolean hasName() {
        try {
            return naming.isSame();
        } catch (IOException e) {
            return false;
        }
    }
}
