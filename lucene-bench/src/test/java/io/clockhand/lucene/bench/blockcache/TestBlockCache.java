// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.lucene.bench.blockcache;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Set;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FilterDirectory;
import org.apache.lucene.tests.store.BaseDirectoryTestCase;

/** Lucene's own tests of directories, with a cache of 16 blocks. */
public class TestBlockCache extends BaseDirectoryTestCase {
    private static final int BLOCKS = 16;

    @Override
    protected Directory getDirectory(Path path) throws IOException {
        BlockCache cache = new BlockCache(BLOCKS * BlockCache.BLOCK_BYTES);
        return new FilterDirectory(new BlockCacheDirectory(path, cache, false)) {
            @Override
            public Set<String> getPendingDeletions() throws IOException {
                return in.getPendingDeletions();
            }

            @Override
            public void close() throws IOException {
                in.close();
                cache.close();
            }
        };
    }
}
