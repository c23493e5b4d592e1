// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.lucene;

import static org.assertj.core.api.Assertions.assertThat;

import io.clockhand.io.EncryptionKeys;
import java.io.IOException;
import java.nio.file.Path;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.lucene.analysis.standard.StandardAnalyzer;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.KnnFloatVectorField;
import org.apache.lucene.document.LongPoint;
import org.apache.lucene.document.NumericDocValuesField;
import org.apache.lucene.document.StringField;
import org.apache.lucene.document.TextField;
import org.apache.lucene.index.CheckIndex;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.KnnFloatVectorQuery;
import org.apache.lucene.search.SearcherManager;
import org.apache.lucene.search.Sort;
import org.apache.lucene.search.SortField;
import org.apache.lucene.search.TermQuery;
import org.apache.lucene.search.TopDocs;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FSLockFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** An index that is written, merged and searched at the same time, through a pool of a tenth of its size. */
@Timeout(value = 6, unit = TimeUnit.HOURS) // a million documents in the nightly tier
class IndexTest {
    /** For a pool of a tenth: a document takes 345 bytes of the index, */
    static final int DOCUMENTS_PER_PAGE = 120;
    /** or 181 if it has a vector in one of ten cases only. */
    private static final int DOCUMENTS_PER_PAGE_WITH_FEW_VECTORS = 226;

    private static final int LEAST_PAGES = 64;
    private static final int WORDS = 500;
    private static final int DIMENSIONS = 32;
    /** A merge makes the graph of its vectors anew, which for a million of them would take hours. */
    private static final int MOST_VECTORS = 100_000;

    @TempDir
    private Path folder;

    private static int documents() {
        return switch (System.getProperty("test.tier", "default")) {
            case "nightly" -> 1_000_000;
            case "ci" -> 20_000;
            default -> 1_000;
        };
    }

    @Test
    void indexIsRightWhileItIsMerged() throws Exception {
        expectRight(documents(), null);
    }

    @Test
    void encryptedIndexIsRightWhileItIsMerged() throws Exception {
        expectRight(documents() / 10, TestDirectories.KEYS);
    }

    private void expectRight(int documents, EncryptionKeys keys) throws Exception {
        AtomicBoolean written = new AtomicBoolean();
        int perPage = documents > MOST_VECTORS ? DOCUMENTS_PER_PAGE_WITH_FEW_VECTORS : DOCUMENTS_PER_PAGE;
        int pages = Math.max(LEAST_PAGES, documents / perPage);
        try (DirectoryPool pool = DirectoryPool.builder()
                        .pageBytes(4096)
                        .capacityBytes(pages * 4096L)
                        .build();
                Directory directory = keys == null
                        ? new ClockhandDirectory(folder, pool)
                        : new ClockhandDirectory(folder, FSLockFactory.getDefault(), pool, keys);
                ExecutorService searches = Executors.newSingleThreadExecutor()) {
            IndexWriterConfig config = new IndexWriterConfig(new StandardAnalyzer()).setMaxBufferedDocs(documents / 25);
            try (IndexWriter writer = new IndexWriter(directory, config);
                    SearcherManager manager = new SearcherManager(writer, null)) {
                Future<Integer> search = searches.submit(() -> searchUntil(written, manager));
                int vectorEvery = Math.max(1, documents / MOST_VECTORS);
                for (int id = 0; id < documents; id++) {
                    writer.addDocument(document(id, id % vectorEvery == 0));
                    if (id % 10 == 9) {
                        int before = id - 5;
                        writer.updateDocument(
                                new Term("id", Integer.toString(before)), document(before, before % vectorEvery == 0));
                    }
                    if (id % (documents / 5) == 0) {
                        writer.commit();
                    }
                }
                written.set(true);
                assertThat(search.get()).as("searches").isPositive();
                writer.forceMerge(2);
                manager.maybeRefreshBlocking();
                expectAll(manager, documents);
            }
            try (CheckIndex check = new CheckIndex(directory)) {
                check.setLevel(CheckIndex.Level.MIN_LEVEL_FOR_SLOW_CHECKS);
                assertThat(check.checkIndex().clean).as("the index is clean").isTrue();
            }
            if (pages > LEAST_PAGES) {
                assertThat(10.0 * pages * 4096 / bytes(directory))
                        .as("bytes of the pool, by a tenth of the index")
                        .isBetween(0.8, 1.2);
            }
            assertThat(pool.stats().pinned()).isZero();
            pool.pool().checkIntegrity();
        }
    }

    static Document document(int id) {
        return document(id, true);
    }

    private static Document document(int id, boolean hasVector) {
        SplittableRandom random = new SplittableRandom(id);
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < 30; i++) {
            text.append('w').append(random.nextInt(1 + random.nextInt(WORDS))).append(' ');
        }
        float[] vector = new float[DIMENSIONS];
        for (int i = 0; i < DIMENSIONS; i++) {
            vector[i] = (float) random.nextDouble();
        }
        Document document = new Document();
        document.add(new StringField("id", Integer.toString(id), Field.Store.YES));
        document.add(new TextField("body", text.toString(), Field.Store.YES));
        document.add(new NumericDocValuesField("number", id));
        document.add(new LongPoint("point", random.nextLong()));
        if (hasVector) {
            document.add(new KnnFloatVectorField("vector", vector));
        }
        return document;
    }

    private static int searchUntil(AtomicBoolean written, SearcherManager manager) throws IOException {
        SplittableRandom random = new SplittableRandom(1);
        int count = 0;
        do {
            manager.maybeRefreshBlocking();
            IndexSearcher searcher = manager.acquire();
            try {
                for (int i = 0; i < 50; i++) {
                    search(searcher, random);
                    count++;
                }
            } finally {
                manager.release(searcher);
            }
        } while (!written.get());
        return count;
    }

    private static void search(IndexSearcher searcher, SplittableRandom random) throws IOException {
        TermQuery word = new TermQuery(new Term("body", "w" + random.nextInt(WORDS)));
        TopDocs found = searcher.search(word, 10, new Sort(new SortField("number", SortField.Type.LONG)));
        for (int i = 1; i < found.scoreDocs.length; i++) {
            assertThat(number(searcher, found, i)).isGreaterThan(number(searcher, found, i - 1));
        }
        float[] vector = new float[DIMENSIONS];
        for (int i = 0; i < DIMENSIONS; i++) {
            vector[i] = (float) random.nextDouble();
        }
        searcher.search(new KnnFloatVectorQuery("vector", vector, 5), 5);
    }

    private static int number(IndexSearcher searcher, TopDocs found, int at) throws IOException {
        return Integer.parseInt(
                searcher.storedFields().document(found.scoreDocs[at].doc).get("id"));
    }

    private static long bytes(Directory directory) throws IOException {
        long bytes = 0;
        for (String name : directory.listAll()) {
            bytes += directory.fileLength(name);
        }
        return bytes;
    }

    private static void expectAll(SearcherManager manager, int documents) throws IOException {
        IndexSearcher searcher = manager.acquire();
        try {
            assertThat(searcher.getIndexReader().numDocs()).isEqualTo(documents);
            for (int id = 0; id < documents; id += 7) {
                TopDocs found = searcher.search(new TermQuery(new Term("id", Integer.toString(id))), 2);
                assertThat(found.totalHits.value()).as("documents of id %s", id).isEqualTo(1);
            }
        } finally {
            manager.release(searcher);
        }
    }
}
