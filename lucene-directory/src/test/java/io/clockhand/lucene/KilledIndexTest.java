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
import java.util.concurrent.TimeUnit;
import org.apache.lucene.analysis.standard.StandardAnalyzer;
import org.apache.lucene.index.CheckIndex;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FSLockFactory;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Processes that write an index are killed, some of them within a commit: every commit that had returned can be opened,
 * and is whole.
 */
@Tag("ci")
@Timeout(value = 6, unit = TimeUnit.HOURS) // a million documents in the nightly tier
class KilledIndexTest {
    /** The number that a process adds before each commit; half of the nightly tier's kills see five commits. */
    private static final String DOCUMENTS = "lucene.documents.per.commit";

    private static final String COMMITTING = "committing ";
    private static final String COMMITTED = "committed ";

    @TempDir
    private Path folder;

    private static boolean isNightly() {
        return System.getProperty("test.tier", "default").equals("nightly");
    }

    private static int kills() {
        return isNightly() ? 20 : 3;
    }

    /** Twenty processes with four commits on average write a million documents; encrypted ones a tenth. */
    private static int documentsPerCommit(boolean encrypted) {
        int documents = Integer.getInteger(DOCUMENTS, isNightly() ? 12_000 : 50);
        return Math.max(50, encrypted ? documents / 10 : documents);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void committedDocumentsSurvive(boolean encrypted) throws Exception {
        SplittableRandom random = new SplittableRandom(1);
        int committed = 0;
        for (int kill = 0; kill < kills(); kill++) {
            committed = killAfter(1 + random.nextInt(8), random.nextBoolean(), committed, encrypted);
            try (DirectoryPool pool = pool(documentsPerCommit(encrypted));
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

    /** {@return a pool of a tenth of the index after twenty kills} */
    private static DirectoryPool pool(int documentsPerCommit) {
        return DirectoryPool.builder()
                .pageBytes(4096)
                .capacityBytes(Math.max(64, documentsPerCommit * 80 / IndexTest.DOCUMENTS_PER_PAGE) * 4096L)
                .build();
    }

    /**
     * Kills a process after some commits.
     *
     * @param within whether it has begun the next commit then
     * @return how many documents were committed
     */
    private int killAfter(int commits, boolean within, int before, boolean encrypted)
            throws IOException, InterruptedException {
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        Indexing.class.getName(),
                        folder.toString(),
                        Boolean.toString(encrypted),
                        Integer.toString(documentsPerCommit(encrypted)))
                .redirectErrorStream(true)
                .start();
        int committed = before;
        StringBuilder output = new StringBuilder();
        try (BufferedReader lines =
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
            int seen = 0;
            boolean due = false;
            while (!due) {
                String line = lines.readLine();
                if (line == null) {
                    break;
                }
                output.append(line).append('\n');
                if (line.startsWith(COMMITTED)) {
                    committed = Integer.parseInt(line.substring(COMMITTED.length()));
                    seen++;
                }
                due = seen == commits && (!within || line.startsWith(COMMITTING));
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
            int documents = Integer.parseInt(arguments[2]);
            try (DirectoryPool pool = pool(documents);
                    Directory directory = directory(Path.of(arguments[0]), pool, Boolean.parseBoolean(arguments[1]));
                    IndexWriter writer = new IndexWriter(directory, new IndexWriterConfig(new StandardAnalyzer()))) {
                while (true) {
                    for (int i = 0; i < documents; i++) {
                        writer.addDocument(IndexTest.document(writer.getDocStats().maxDoc));
                    }
                    System.out.println(COMMITTING + writer.getDocStats().numDocs);
                    writer.commit();
                    System.out.println(COMMITTED + writer.getDocStats().numDocs);
                }
            }
        }
    }
}
