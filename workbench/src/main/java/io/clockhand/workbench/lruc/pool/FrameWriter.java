// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.lruc.pool;

import io.clockhand.io.PageStore;
import java.io.IOException;
import java.nio.ByteBuffer;

/** Writes pages of frames, and the only class that writes to the store. Thread-safe. */
final class FrameWriter {
    private final PageStore store;
    private final Frames frames;
    private final Counters counters;

    FrameWriter(PageStore store, Frames frames, Counters counters) {
        this.store = store;
        this.frames = frames;
        this.counters = counters;
    }

    /**
     * Writes the page of a frame from a copy, so that it can be read and changed meanwhile. The caller has begun the
     * write, which is ended here; a page that could not be written is dirty still.
     *
     * @param copy for a page, used by the caller only
     */
    void write(int frame, ByteBuffer copy) throws IOException {
        long page = frames.table.pageOf(frame);
        boolean written = false;
        try {
            long stamp = frames.latches.share(frame, page);
            frames.words.beginCopy(frame);
            frames.buffers.copyTo(frame, copy);
            frames.latches.release(frame, stamp);
            write(page, copy);
            written = true;
        } finally {
            frames.words.endWrite(frame, written);
        }
    }

    /** Writes a page from a buffer that nobody changes meanwhile. */
    void write(long page, ByteBuffer bytes) throws IOException {
        try {
            store.write(page, bytes);
        } catch (IOException | RuntimeException e) {
            throw new IOException("cannot write page " + page + " of " + store.name(), e);
        }
        counters.pagesWritten.increment();
    }
}
