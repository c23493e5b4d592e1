// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.lucene;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Set;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FilterDirectory;
import org.apache.lucene.store.LockFactory;

/** A directory with a small pool of its own that Lucene's tests make by its name ({@code tests.directory}). */
public final class PooledDirectory extends FilterDirectory {
    public PooledDirectory(Path path, LockFactory locks) throws IOException {
        super(open(path, locks));
    }

    private static Directory open(Path path, LockFactory locks) throws IOException {
        return TestDirectories.open(TestDirectories.small().build(), pool -> new ClockhandDirectory(path, locks, pool));
    }

    @Override
    public Set<String> getPendingDeletions() throws IOException {
        return in.getPendingDeletions();
    }
}
