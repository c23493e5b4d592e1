// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.lruc.pool;

import java.nio.ByteBuffer;

/**
 * The bytes of pages, outside the Java heap. Each begins at a multiple of its size, as direct I/O wants it. Callers
 * exclude concurrent uses of the same bytes.
 */
final class PageBuffers {
    private static final int CHUNK_BYTES = 1 << 26;

    private final int pageBytes;
    private final ByteBuffer[] buffers;

    PageBuffers(int pageBytes, int count) {
        this.pageBytes = pageBytes;
        this.buffers = new ByteBuffer[count];
        int perChunk = Math.max(1, CHUNK_BYTES / pageBytes);
        for (int first = 0; first < count; first += perChunk) {
            int pages = Math.min(perChunk, count - first);
            ByteBuffer chunk =
                    ByteBuffer.allocateDirect((pages + 1) * pageBytes).alignedSlice(pageBytes);
            for (int i = 0; i < pages; i++) {
                buffers[first + i] = chunk.slice(i * pageBytes, pageBytes);
            }
        }
    }

    /** A buffer for one page. */
    static ByteBuffer single(int pageBytes) {
        return new PageBuffers(pageBytes, 1).buffers[0];
    }

    /** The page of a number, for access by offsets. */
    ByteBuffer of(int number) {
        return buffers[number];
    }

    /** The page of a number, with a position of its own at the begin. */
    ByteBuffer transfer(int number) {
        return buffers[number].duplicate();
    }

    void copy(int from, int to) {
        buffers[to].put(0, buffers[from], 0, pageBytes);
    }

    /** Copies a page to a buffer, from which it can be written then. */
    void copyTo(int from, ByteBuffer target) {
        target.clear().put(0, buffers[from], 0, pageBytes);
    }
}
