// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.lucene;

import io.clockhand.io.EncryptionKeys;
import java.io.IOException;
import java.util.Set;
import javax.crypto.spec.SecretKeySpec;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FilterDirectory;

/** Directories for Lucene's tests, each with a small pool of its own, which is closed with it. */
final class TestDirectories {
    static final int PAGE_BYTES = 1024;
    static final int PAGES = 64;
    static final EncryptionKeys KEYS = EncryptionKeys.of("test", new SecretKeySpec(new byte[32], "AES"));

    private TestDirectories() {}

    /** Opens a directory that reads through a pool. */
    interface Opening {
        Directory open(DirectoryPool pool) throws IOException;
    }

    static DirectoryPool.Builder small() {
        return pool(PAGE_BYTES);
    }

    static DirectoryPool.Builder pool(int pageBytes) {
        return DirectoryPool.builder().pageBytes(pageBytes).capacityBytes((long) PAGES * pageBytes);
    }

    static Directory open(DirectoryPool pool, Opening opening) throws IOException {
        Directory directory = null;
        try {
            directory = opening.open(pool);
        } finally {
            if (directory == null) {
                pool.close();
            }
        }
        return new WithPool(directory, pool);
    }

    /** Closes the pool, too, after a check. */
    private static final class WithPool extends FilterDirectory {
        private final DirectoryPool pool;

        WithPool(Directory directory, DirectoryPool pool) {
            super(directory);
            this.pool = pool;
        }

        @Override
        public Set<String> getPendingDeletions() throws IOException {
            return in.getPendingDeletions();
        }

        @Override
        public void close() throws IOException {
            in.close();
            pool.pool().checkIntegrity();
            if (pool.stats().pinned() != 0) {
                throw new AssertionError(pool.stats().pinned() + " pages are pinned");
            }
            pool.close();
        }
    }
}
