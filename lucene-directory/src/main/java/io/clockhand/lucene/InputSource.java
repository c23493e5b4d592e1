// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.lucene;

import io.clockhand.PageId;
import java.io.IOException;

/**
 * What an input shares with its clones and slices: the file, until the input is closed. Clones of other threads see
 * that with their next page. Thread-safe.
 */
final class InputSource {
    final OpenFile file;
    private final long firstId;
    private final OpenFiles files;
    private volatile boolean closed;

    InputSource(OpenFiles files, OpenFile file) {
        this.files = files;
        this.file = file;
        this.firstId = PageId.of(file.pages.number(), 0);
    }

    /** {@return the id of a page of the file} */
    long id(long page) {
        return firstId + page;
    }

    boolean isClosed() {
        return closed || file.isClosed();
    }

    void close() throws IOException {
        if (end()) {
            files.release(file);
        }
    }

    /** {@return whether this is the first call} */
    private synchronized boolean end() {
        boolean first = !closed;
        closed = true;
        return first;
    }
}
