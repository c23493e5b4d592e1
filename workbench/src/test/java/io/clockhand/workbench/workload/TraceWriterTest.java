// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.workload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TraceWriterTest {
    /** Several buffers, the last of them not full. */
    private static final int REFERENCES = 30_001;

    @TempDir
    private Path directory;

    private Path file;

    @BeforeEach
    void nameFile() {
        file = directory.resolve("made.rw32be");
    }

    /** Each thread's references stay in their order. */
    @Test
    void traceHasAllReferencesOfAllThreads() throws Exception {
        try (TraceWriter writer = TraceWriter.create(file)) {
            List<Thread> threads = new ArrayList<>();
            for (int t = 0; t < 4; t++) {
                int first = t * REFERENCES;
                Thread thread = new Thread(() ->
                        IntStream.range(first, first + REFERENCES).forEach(page -> writer.add(page, page % 3 == 0)));
                threads.add(thread);
                thread.start();
            }
            for (Thread thread : threads) {
                thread.join();
            }
            assertThat(file).doesNotExist();
            writer.finish();
            assertThat(writer.add(1, false)).as("after the end").isFalse();
        }

        long[] next = {0, REFERENCES, 2 * REFERENCES, 3 * REFERENCES};
        TraceFile.read(file, null, null, (page, isWrite) -> {
            int thread = (int) (page / REFERENCES);
            assertThat(page).isEqualTo(next[thread]++);
            assertThat(isWrite).isEqualTo(page % 3 == 0);
        });
        assertThat(next).containsExactly(REFERENCES, 2 * REFERENCES, 3 * REFERENCES, 4 * REFERENCES);
        assertThat(directory).isDirectoryNotContaining("glob:**.part");
    }

    @Test
    void traceThatIsNotFinishedLeavesNoFileAndTheOldOneStays() throws IOException {
        Files.writeString(file, "old");
        try (TraceWriter writer = TraceWriter.create(file)) {
            writer.add(1, false);
        }
        assertThat(file).hasContent("old");
        assertThat(directory).isDirectoryNotContaining("glob:**.part");
    }

    /** Takes nothing, as a full disk does. */
    private static final class Full extends OutputStream {
        @Override
        public void write(int b) throws IOException {
            throw new IOException("No space left on device");
        }
    }

    @Test
    void fullDiskEndsTheTraceWithItsNameAndHoldsNobodyUp() throws IOException {
        try (TraceWriter writer = new TraceWriter(file, new Full())) {
            for (int n = 0; n < 100_000; n++) {
                assertThat(writer.add(n, false)).isTrue();
            }
            assertThatThrownBy(writer::check).hasMessageContaining("No space left");
            assertThatThrownBy(writer::finish).hasMessage("cannot record to " + file + ": No space left on device");
        }
        assertThat(file).doesNotExist();
    }
}
