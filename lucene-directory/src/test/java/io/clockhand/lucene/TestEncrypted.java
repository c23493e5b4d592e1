// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.lucene;

import java.io.IOException;
import java.nio.file.Path;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FSLockFactory;
import org.apache.lucene.tests.store.BaseDirectoryTestCase;

/** Files are encrypted, and read through the operating system's cache. */
public class TestEncrypted extends BaseDirectoryTestCase {
    @Override
    protected Directory getDirectory(Path path) throws IOException {
        return TestDirectories.open(
                TestDirectories.small().build(),
                pool -> new ClockhandDirectory(path, FSLockFactory.getDefault(), pool, TestDirectories.KEYS));
    }

    @Override
    public void testIsLoaded() throws IOException {
        try (Directory directory = getDirectory(createTempDir())) {
            LoadedPages.check(directory, 0);
        }
    }

    @Override
    public void testIsLoadedOnSlice() throws IOException {
        try (Directory directory = getDirectory(createTempDir())) {
            LoadedPages.check(directory, 3333);
        }
    }
}
