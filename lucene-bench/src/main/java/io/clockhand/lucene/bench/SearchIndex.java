// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.lucene.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.SplittableRandom;
import org.apache.lucene.analysis.standard.StandardAnalyzer;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.KnnFloatVectorField;
import org.apache.lucene.document.LongPoint;
import org.apache.lucene.document.NumericDocValuesField;
import org.apache.lucene.document.TextField;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.MMapDirectory;

/**
 * An index of generated documents, always the same for a number of them: text of 50,000 words, a number, a point and a
 * vector of 64 numbers. It lies in the folder for temporary files, and stays there for the next run.
 */
final class SearchIndex {
    private static final int DIMENSIONS = 64;
    private static final int WORDS = 50_000;

    private SearchIndex() {}

    /** {@return the folder of an index, which is made if it is not there, or not complete} */
    static Path of(int documents) throws IOException {
        Path path = Path.of(System.getProperty("java.io.tmpdir"), "clockhand-lucene-" + documents);
        Path complete = path.resolve("complete");
        if (!Files.exists(complete)) {
            try (Directory directory = new MMapDirectory(path);
                    IndexWriter writer = new IndexWriter(
                            directory,
                            new IndexWriterConfig(new StandardAnalyzer())
                                    .setOpenMode(IndexWriterConfig.OpenMode.CREATE)
                                    .setRAMBufferSizeMB(48))) {
                for (int id = 0; id < documents; id++) {
                    writer.addDocument(document(id));
                }
            }
            Files.createFile(complete);
        }
        return path;
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

    /** Near one of 1,000 centres. */
    static float[] vector(SplittableRandom random) {
        SplittableRandom centre = new SplittableRandom(random.nextInt(1000));
        float[] vector = new float[DIMENSIONS];
        for (int i = 0; i < DIMENSIONS; i++) {
            vector[i] = (float) (centre.nextGaussian() + 0.5 * random.nextGaussian());
        }
        return vector;
    }
}
