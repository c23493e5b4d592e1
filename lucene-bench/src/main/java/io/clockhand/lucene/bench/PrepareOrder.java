// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.lucene.bench;

import io.clockhand.workbench.experiment.Order;
import java.io.BufferedOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.DoubleConsumer;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.Query;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.MMapDirectory;

/**
 * Make the index, and find by {@code MMapDirectory} what each search must find.
 *
 * @param index the directory of the index
 * @param works whose searches are played
 * @param results gets a file for each work, with a hash for each search
 */
record PrepareOrder(Path index, int documents, int segments, List<Work> works, int searches, long seed, Path results)
        implements Order<PrepareOrder.Prepared> {

    /**
     * The index that was made.
     *
     * @param bytes of its files
     */
    record Prepared(long bytes) {}

    @Override
    public Prepared perform(DoubleConsumer progress) throws IOException {
        SearchIndex.make(index, documents, segments, part -> progress.accept(part * part));
        try (Directory directory = new MMapDirectory(index);
                DirectoryReader reader = DirectoryReader.open(directory)) {
            IndexSearcher searcher = Searches.uncached(reader);
            for (Work work : works) {
                writeResults(work, searcher, progress);
            }
            long bytes = 0;
            for (String file : directory.listAll()) {
                bytes += directory.fileLength(file);
            }
            return new Prepared(bytes);
        }
    }

    private void writeResults(Work work, IndexSearcher searcher, DoubleConsumer progress) throws IOException {
        Query[] queries = Searches.list(work, seed, searches);
        Path file = results(results, work);
        try (DataOutputStream out = new DataOutputStream(new BufferedOutputStream(Files.newOutputStream(file)))) {
            for (int i = 0; i < queries.length; i++) {
                out.writeLong(Searches.play(searcher, work, queries[i]));
                progress.accept((double) i / queries.length);
            }
        }
    }

    /** The file with the hash of each search. */
    static Path results(Path directory, Work work) {
        return directory.resolve("results-" + work);
    }
}
