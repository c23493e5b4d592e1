// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.lucene;

import java.io.IOException;

/**
 * What an input shares with its clones and slices: the file, until the input is closed. Clones of other threads see
 * that with their next page. Thread-safe.
 */
final class InputSource {
    final OpenFile file;
    final int number;
    private final OpenFiles files;
    private volatile boolean closed;

    InputSource(OpenFiles files, OpenFile file) {
        this.files = files;
        this.file = file;
        this.number = file.pages.number();
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
