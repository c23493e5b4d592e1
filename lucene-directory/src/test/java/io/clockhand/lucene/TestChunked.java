// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.lucene;

import java.io.IOException;
import java.nio.file.Path;
import org.apache.lucene.store.Directory;
import org.apache.lucene.tests.store.BaseChunkedDirectoryTestCase;

/** A chunk is a page, of a size that a pool can have. */
public class TestChunked extends BaseChunkedDirectoryTestCase {
    @Override
    protected Directory getDirectory(Path path, int maxChunkSize) throws IOException {
        int pageBytes = Math.clamp(Integer.highestOneBit(maxChunkSize), 512, 65_536);
        return TestDirectories.open(
                TestDirectories.pool(pageBytes).build(), pool -> new ClockhandDirectory(path, pool));
    }

    @Override
    public void testIsLoaded() throws IOException {
        try (Directory directory = getDirectory(createTempDir(), TestDirectories.PAGE_BYTES)) {
            LoadedPages.check(directory, 0);
        }
    }

    @Override
    public void testIsLoadedOnSlice() throws IOException {
        try (Directory directory = getDirectory(createTempDir(), TestDirectories.PAGE_BYTES)) {
            LoadedPages.check(directory, 3333);
        }
    }
}
