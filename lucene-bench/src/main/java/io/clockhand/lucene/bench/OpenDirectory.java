// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.lucene.bench;

import io.clockhand.lucene.ClockhandDirectory;
import io.clockhand.lucene.DirectoryPool;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.MMapDirectory;
import org.apache.lucene.store.NIOFSDirectory;
import org.apache.lucene.store.ReadAdvice;

/** A contender: a directory, and the pool that is closed with it, if it has one. */
record OpenDirectory(Directory directory, DirectoryPool pool) implements AutoCloseable {
    static OpenDirectory of(String name, Path path, int pageBytes, long bytes) throws IOException {
        return switch (name) {
            case "mmap" -> new OpenDirectory(new MMapDirectory(path), null);
            case "mmap-random" -> new OpenDirectory(withRandomAdvice(path), null);
            case "nio" -> new OpenDirectory(new NIOFSDirectory(path), null);
            case "clockhand", "clockhand-direct" -> pooled(path, pageBytes, bytes, name.endsWith("direct"));
            default ->
                throw new IllegalArgumentException(
                        "no contender " + name + ": mmap, mmap-random, nio, clockhand, clockhand-direct");
        };
    }

    private static Directory withRandomAdvice(Path path) throws IOException {
        MMapDirectory directory = new MMapDirectory(path);
        directory.setReadAdvice((file, context) -> Optional.of(ReadAdvice.RANDOM));
        return directory;
    }

    private static OpenDirectory pooled(Path path, int pageBytes, long bytes, boolean direct) throws IOException {
        DirectoryPool pool = DirectoryPool.builder()
                .pageBytes(pageBytes)
                .capacityBytes(bytes)
                .directIo(direct)
                .build();
        return new OpenDirectory(new ClockhandDirectory(path, pool), pool);
    }

    @Override
    public void close() throws IOException {
        directory.close();
        if (pool != null) {
            pool.close();
        }
    }
}
