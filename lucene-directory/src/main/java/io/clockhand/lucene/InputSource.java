// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.lucene;

import java.io.IOException;

/**
 * What an input shares with its clones and slices: the file, until the input is closed. One thread closes it once;
 * clones of other threads see that with their next page.
 */
final class InputSource {
    final OpenFile file;
    final int number;
    private final ClockhandDirectory directory;
    private volatile boolean closed;

    InputSource(ClockhandDirectory directory, OpenFile file) {
        this.directory = directory;
        this.file = file;
        this.number = file.pages.number();
    }

    boolean isClosed() {
        return closed || file.isClosed();
    }

    void close() throws IOException {
        if (!closed) {
            closed = true;
            directory.release(file);
        }
    }
}
