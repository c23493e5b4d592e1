// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.lucene.bench;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.SplittableRandom;
import java.util.function.DoubleConsumer;
import org.apache.lucene.analysis.standard.StandardAnalyzer;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.KnnFloatVectorField;
import org.apache.lucene.document.LongPoint;
import org.apache.lucene.document.NumericDocValuesField;
import org.apache.lucene.document.TextField;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.NoMergePolicy;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.MMapDirectory;

/**
 * An index of generated documents, always the same for a number of them: text of 50,000 words, a number, a point and a
 * vector of 64 numbers. It stays for the next run.
 */
final class SearchIndex {
    private static final int DIMENSIONS = 64;
    private static final int WORDS = 50_000;
    private static final int REPORT_EVERY = 500;
    /** The name of an empty file beside those of a complete index. */
    private static final String COMPLETE = "complete";

    private SearchIndex() {}

    /**
     * {@return an index in the folder for temporary files, which is made if it is not there, or not complete} Another
     * process that wants it waits, since the contenders of a duel set up at the same time.
     */
    static Path of(int documents) throws IOException {
        Path path = Path.of(System.getProperty("java.io.tmpdir"), "clockhand-lucene-" + documents);
        Path lock = path.resolveSibling(path.getFileName() + ".lock");
        try (FileChannel channel = FileChannel.open(lock, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
            channel.lock();
            make(path, documents, new IndexWriterConfig(new StandardAnalyzer()).setRAMBufferSizeMB(48), done -> {});
        }
        return path;
    }

    /**
     * Makes an index of equal segments if it is not there, or not complete.
     *
     * @param progress receives the part that is done
     */
    static void make(Path path, int documents, int segments, DoubleConsumer progress) throws IOException {
        IndexWriterConfig config = new IndexWriterConfig(new StandardAnalyzer())
                .setMaxBufferedDocs(Math.max(2, (documents + segments - 1) / segments))
                .setRAMBufferSizeMB(IndexWriterConfig.DISABLE_AUTO_FLUSH)
                .setMergePolicy(NoMergePolicy.INSTANCE);
        make(path, documents, config, progress);
    }

    private static void make(Path path, int documents, IndexWriterConfig config, DoubleConsumer progress)
            throws IOException {
        Path complete = path.resolve(COMPLETE);
        if (Files.exists(complete)) {
            return;
        }
        config.setOpenMode(IndexWriterConfig.OpenMode.CREATE);
        try (Directory directory = new MMapDirectory(path);
                IndexWriter writer = new IndexWriter(directory, config)) {
            for (int id = 0; id < documents; id++) {
                writer.addDocument(document(id));
                if (id % REPORT_EVERY == 0) {
                    progress.accept((double) id / documents);
                }
            }
        }
        Files.createFile(complete);
    }

    private static Document document(int id) {
        SplittableRandom random = new SplittableRandom(id);
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < 60; i++) {
            text.append(word(random)).append(' ');
        }
        Document document = new Document();
        document.add(new TextField("body", text.toString(), Field.Store.YES));
        document.add(new NumericDocValuesField("num", random.nextLong() >>> 20));
        document.add(new LongPoint("point", random.nextLong()));
        document.add(new KnnFloatVectorField("vector", vector(random)));
        return document;
    }

    /** Of a Zipf-like distribution. */
    static String word(SplittableRandom random) {
        return "w" + (int) Math.exp(random.nextDouble() * Math.log(WORDS));
    }

    /**
     * Near one of 1,000 centres. Its numbers are sixteenths, so that the distance of two vectors is exact. Otherwise it
     * would depend on the order of the sum, which the JVM chooses, and so would the result of a search.
     */
    static float[] vector(SplittableRandom random) {
        SplittableRandom centre = new SplittableRandom(random.nextInt(1000));
        float[] vector = new float[DIMENSIONS];
        for (int i = 0; i < DIMENSIONS; i++) {
            vector[i] = (float) Math.rint(16 * (centre.nextGaussian() + 0.5 * random.nextGaussian())) / 16;
        }
        return vector;
    }
}
