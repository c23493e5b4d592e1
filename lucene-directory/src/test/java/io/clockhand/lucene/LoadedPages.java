// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.lucene;

import static org.junit.Assert.assertEquals;

import java.io.IOException;
import java.util.Optional;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.store.IndexOutput;

/**
 * What {@code isLoaded} says. Lucene's tests of that method want an answer from its own MMapDirectory, and none from
 * any other directory.
 */
final class LoadedPages {
    private LoadedPages() {}

    static void check(Directory directory, int start) throws IOException {
        int length = 10 * TestDirectories.PAGE_BYTES;
        try (IndexOutput output = directory.createOutput("some.bin", IOContext.DEFAULT)) {
            output.writeBytes(new byte[start + length], start + length);
        }
        try (IndexInput input = directory.openInput("some.bin", IOContext.DEFAULT)) {
            IndexInput part = start == 0 ? input : input.slice("a slice", start, length);
            assertEquals(Optional.of(false), part.isLoaded());
            part.readBytes(new byte[length], 0, length);
            assertEquals(Optional.of(true), part.isLoaded());
        }
    }
}
