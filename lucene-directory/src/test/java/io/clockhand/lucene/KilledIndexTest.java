// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.lucene;

import static org.assertj.core.api.Assertions.assertThat;

import io.clockhand.io.EncryptionKeys;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.SplittableRandom;
import org.apache.lucene.analysis.standard.StandardAnalyzer;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.StringField;
import org.apache.lucene.document.TextField;
import org.apache.lucene.index.CheckIndex;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FSLockFactory;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Processes that write an index are killed: every commit that had returned can be opened, and is whole. */
@Tag("ci")
class KilledIndexTest {
    private static final int DOCUMENTS_PER_COMMIT = 50;
    private static final String COMMITTED = "committed ";

    @TempDir
    private Path folder;

    private static int kills() {
        return System.getProperty("test.tier", "default").equals("nightly") ? 20 : 3;
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void committedDocumentsSurvive(boolean encrypted) throws Exception {
        SplittableRandom random = new SplittableRandom(1);
        int committed = 0;
        for (int kill = 0; kill < kills(); kill++) {
            committed = killAfter(1 + random.nextInt(8), committed, encrypted);
            try (DirectoryPool pool = TestDirectories.small().build();
                    Directory directory = directory(folder, pool, encrypted)) {
                try (DirectoryReader reader = DirectoryReader.open(directory)) {
                    assertThat(reader.numDocs()).as("documents").isGreaterThanOrEqualTo(committed);
                    committed = reader.numDocs();
                }
                try (CheckIndex check = new CheckIndex(directory)) {
                    check.setLevel(CheckIndex.Level.MIN_LEVEL_FOR_INTEGRITY_CHECKS);
                    assertThat(check.checkIndex().clean)
                            .as("the index is clean")
                            .isTrue();
                }
            }
        }
    }

    /** {@return how many documents were committed} */
    private int killAfter(int commits, int before, boolean encrypted) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        Indexing.class.getName(),
                        folder.toString(),
                        Boolean.toString(encrypted))
                .redirectErrorStream(true)
                .start();
        int committed = before;
        StringBuilder output = new StringBuilder();
        try (BufferedReader lines =
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
            int seen = 0;
            for (String line = lines.readLine(); line != null && seen < commits; line = lines.readLine()) {
                output.append(line).append('\n');
                if (line.startsWith(COMMITTED)) {
                    committed = Integer.parseInt(line.substring(COMMITTED.length()));
                    seen++;
                }
            }
            assertThat(seen)
                    .as("commits of the process, which has said: %s", output)
                    .isEqualTo(commits);
        } finally {
            process.destroyForcibly().waitFor();
        }
        return committed;
    }

    private static Directory directory(Path path, DirectoryPool pool, boolean encrypted) throws IOException {
        EncryptionKeys keys = TestDirectories.KEYS;
        return encrypted
                ? new ClockhandDirectory(path, FSLockFactory.getDefault(), pool, keys)
                : new ClockhandDirectory(path, pool);
    }

    /** The process: adds documents, and commits, until it is killed. */
    static final class Indexing {
        private Indexing() {}

        public static void main(String[] arguments) throws IOException {
            try (DirectoryPool pool = TestDirectories.small().build();
                    Directory directory = directory(Path.of(arguments[0]), pool, Boolean.parseBoolean(arguments[1]));
                    IndexWriter writer = new IndexWriter(directory, new IndexWriterConfig(new StandardAnalyzer()))) {
                while (true) {
                    for (int i = 0; i < DOCUMENTS_PER_COMMIT; i++) {
                        Document document = new Document();
                        int id = writer.getDocStats().maxDoc;
                        document.add(new StringField("id", Integer.toString(id), Field.Store.YES));
                        document.add(new TextField("body", "word" + id % 97 + " word" + id % 13, Field.Store.YES));
                        writer.addDocument(document);
                    }
                    writer.commit();
                    System.out.println(COMMITTED + writer.getDocStats().numDocs);
                }
            }
        }
    }
}
