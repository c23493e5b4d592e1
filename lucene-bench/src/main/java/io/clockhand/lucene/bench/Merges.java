// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.lucene.bench;

import io.clockhand.workbench.environment.Disk;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.SerialMergeScheduler;
import org.apache.lucene.store.Directory;

/**
 * A thread that merges all segments of a copy of the index into one, over and over, until the process ends. The files
 * of the copy are links, since Lucene never changes a file, and are read and written by the contender.
 */
final class Merges extends Thread {
    private final OpenContender contender;
    private final Path index;
    private final Path directory;
    private volatile Throwable failure;

    private Merges(OpenContender contender, Path index, Path directory) {
        super("merge");
        this.contender = contender;
        this.index = index;
        this.directory = directory;
        setDaemon(true);
    }

    /** Starts the thread. */
    static Merges start(OpenContender contender, Path index, Path directory) {
        Merges merges = new Merges(contender, index, directory);
        merges.start();
        return merges;
    }

    @Override
    public void run() {
        try {
            for (int number = 0; ; number++) {
                Path copy = Files.createDirectories(directory.resolve("merge-" + number));
                merge(copy);
                Disk.deleteTree(copy);
            }
        } catch (Throwable e) {
            failure = e;
        }
    }

    private void merge(Path copy) throws IOException {
        for (Path file : files()) {
            link(file, copy.resolve(file.getFileName()));
        }
        IndexWriterConfig config = new IndexWriterConfig()
                .setOpenMode(IndexWriterConfig.OpenMode.APPEND)
                .setMergeScheduler(new SerialMergeScheduler())
                .setCommitOnClose(false); // which would force the files to the disk
        try (Directory merged = contender.open(copy);
                IndexWriter writer = new IndexWriter(merged, config)) {
            writer.forceMerge(1);
        }
    }

    private List<Path> files() throws IOException {
        try (Stream<Path> files = Files.list(index)) {
            return files.filter(file -> !file.endsWith(IndexWriter.WRITE_LOCK_NAME))
                    .toList();
        }
    }

    private static void link(Path file, Path copy) throws IOException {
        try {
            Files.createLink(copy, file);
        } catch (UnsupportedOperationException | IOException e) { // no links there, or it is another file system
            Files.copy(file, copy);
        }
    }

    /** Throws what has ended the merges, if something has. */
    void check() throws IOException {
        if (failure != null) {
            throw new IOException("the merge failed: " + failure, failure);
        }
    }
}
