// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.lucene;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.file.Path;
import java.util.Arrays;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.store.IndexOutput;
import org.apache.lucene.store.NIOFSDirectory;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The processor time of closing a directory of many files, in a large pool that is full of others' pages. */
@Tag("nightly")
class CloseCostTest {
    private static final int FILES = 2_000;
    private static final int FRAMES = 1_000_000;
    private static final int PAGE_BYTES = 512;
    private static final int ROUNDS = 15;
    private static final double MOST_MILLIS = 50;

    @TempDir
    private Path folder;

    @ParameterizedTest
    @CsvSource({"1, false", "1, true", "20, true"})
    void closeCostsThePagesOfTheFilesOnly(int pagesOfEach, boolean full) throws IOException {
        byte[] bytes = new byte[pagesOfEach * PAGE_BYTES];
        Path many = folder.resolve("many");
        Path other = folder.resolve("other");
        try (Directory files = new NIOFSDirectory(many)) {
            for (int i = 0; i < FILES; i++) {
                write(files, name(i), pagesOfEach);
            }
        }
        double[] millis = new double[ROUNDS];
        try (DirectoryPool pool = DirectoryPool.builder()
                        .pageBytes(PAGE_BYTES)
                        .capacityBytes((long) FRAMES * PAGE_BYTES)
                        .build();
                Directory others = new ClockhandDirectory(other, pool)) {
            if (full) {
                write(others, "large", FRAMES);
                readAll(others, "large", bytes);
            }
            for (int round = 0; round < ROUNDS; round++) {
                Directory directory = new ClockhandDirectory(many, pool);
                for (int i = 0; i < FILES; i++) {
                    readAll(directory, name(i), bytes);
                }
                millis[round] = millisOf(directory);
            }
        }
        System.out.printf(
                "Close of %d files of %d pages, %d frames, %s: milliseconds of processor time %s%n",
                FILES, pagesOfEach, FRAMES, full ? "full" : "empty", Arrays.toString(millis));
        Arrays.sort(millis);
        assertThat(millis[ROUNDS / 2])
                .as("median of milliseconds: %s", Arrays.toString(millis))
                .isLessThanOrEqualTo(MOST_MILLIS);
    }

    private static String name(int file) {
        return "_" + file + ".dat";
    }

    private static void write(Directory to, String name, int pages) throws IOException {
        byte[] page = new byte[PAGE_BYTES];
        try (IndexOutput output = to.createOutput(name, IOContext.DEFAULT)) {
            for (int i = 0; i < pages; i++) {
                output.writeBytes(page, page.length);
            }
        }
    }

    private static void readAll(Directory from, String name, byte[] part) throws IOException {
        try (IndexInput input = from.openInput(name, IOContext.DEFAULT)) {
            for (long done = 0; done < input.length(); done += part.length) {
                input.readBytes(part, 0, (int) Math.min(part.length, input.length() - done));
            }
        }
    }

    private static double millisOf(Directory closed) throws IOException {
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        long before = threads.getCurrentThreadCpuTime();
        closed.close();
        return Math.round((threads.getCurrentThreadCpuTime() - before) / 1e4) / 100.0;
    }
}
