// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.lucene.bench;

import io.clockhand.lucene.ClockhandDirectory;
import io.clockhand.lucene.DirectoryPool;
import io.clockhand.lucene.bench.blockcache.BlockCache;
import io.clockhand.lucene.bench.blockcache.BlockCacheDirectory;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.MMapDirectory;
import org.apache.lucene.store.NIOFSDirectory;
import org.apache.lucene.store.ReadAdvice;

/**
 * A contender that opens directories.
 *
 * @param cache of all of them, to be closed after them
 */
record OpenContender(Opening opening, Closeable cache) implements Closeable {
    /** Opens a directory. */
    interface Opening {
        Directory open(Path path) throws IOException;
    }

    /** A contender whose own cache, if it has one, has these bytes. */
    static OpenContender of(Contender contender, int pageBytes, long bytes) {
        boolean direct = contender.isDirect();
        return switch (contender) {
            case MMAP -> new OpenContender(MMapDirectory::new, () -> {});
            case MMAP_RANDOM -> new OpenContender(OpenContender::withRandomAdvice, () -> {});
            case NIO -> new OpenContender(NIOFSDirectory::new, () -> {});
            case CAFFEINE, CAFFEINE_DIRECT -> {
                BlockCache blocks = new BlockCache(bytes);
                yield new OpenContender(path -> new BlockCacheDirectory(path, blocks, direct), blocks::close);
            }
            case CLOCKHAND, CLOCKHAND_DIRECT -> {
                DirectoryPool pool = DirectoryPool.builder()
                        .pageBytes(pageBytes)
                        .capacityBytes(bytes)
                        .directIo(direct)
                        .build();
                yield new OpenContender(path -> new ClockhandDirectory(path, pool), pool::close);
            }
        };
    }

    private static Directory withRandomAdvice(Path path) throws IOException {
        MMapDirectory directory = new MMapDirectory(path);
        directory.setReadAdvice((file, context) -> Optional.of(ReadAdvice.RANDOM));
        return directory;
    }

    Directory open(Path path) throws IOException {
        return opening.open(path);
    }

    @Override
    public void close() throws IOException {
        cache.close();
    }
}
