// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.lucene.bench;

import io.clockhand.workbench.environment.Child;
import java.io.BufferedOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.Query;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.MMapDirectory;

/** The child JVM that makes the index, and finds by {@code MMapDirectory} what each search must find. */
final class PrepareChild {
    private PrepareChild() {}

    /**
     * What to prepare.
     *
     * @param index the directory of the index
     * @param works whose searches are played
     * @param results gets a file for each work, with a hash for each search
     */
    record Order(
            String index, int documents, int segments, List<Work> works, int searches, long seed, String results) {}

    /**
     * The index that was made.
     *
     * @param bytes of its files
     */
    record Answer(long bytes) {}

    public static void main(String[] arguments) {
        Child.serve(arguments, Order.class, PrepareChild::prepare);
    }

    private static Answer prepare(Order order) throws IOException {
        Path index = Path.of(order.index());
        SearchIndex.make(
                index, order.documents(), order.segments(), part -> Child.progress(part * part, "documents indexed"));
        try (Directory directory = new MMapDirectory(index);
                DirectoryReader reader = DirectoryReader.open(directory)) {
            IndexSearcher searcher = uncached(reader);
            for (Work work : order.works()) {
                writeResults(order, work, searcher);
            }
        }
        return new Answer(bytes(index));
    }

    private static void writeResults(Order order, Work work, IndexSearcher searcher) throws IOException {
        Query[] queries = Searches.list(work, order.seed(), order.searches());
        Path file = results(order.results(), work);
        try (DataOutputStream out = new DataOutputStream(new BufferedOutputStream(Files.newOutputStream(file)))) {
            for (int i = 0; i < queries.length; i++) {
                out.writeLong(Searches.play(searcher, work, queries[i]));
                Child.progress((double) i / queries.length, "searches of " + work);
            }
        }
    }

    /** The file with the hash of each search. */
    static Path results(String directory, Work work) {
        return Path.of(directory, "results-" + work);
    }

    /** No search is answered from memory of an earlier one. */
    static IndexSearcher uncached(DirectoryReader reader) {
        IndexSearcher searcher = new IndexSearcher(reader);
        searcher.setQueryCache(null);
        return searcher;
    }

    private static long bytes(Path directory) throws IOException {
        long sum = 0;
        try (Stream<Path> files = Files.list(directory)) {
            for (Path file : files.toList()) {
                sum += Files.size(file);
            }
        }
        return sum;
    }
}
