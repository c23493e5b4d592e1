// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.lucene;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.lucene.store.FSLockFactory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.store.IndexOutput;
import org.apache.lucene.tests.mockfile.FilterFileSystemProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Files of a few names that some threads write, rename, delete, list and read at the same time. */
class ReplacedFilesTest {
    private static final int THREADS = 6;
    private static final int STEPS = 300;
    private static final int NAMES = 3;
    private static final int MOST_LONGS = 3 * TestDirectories.PAGE_BYTES / Long.BYTES;

    @TempDir
    private Path folder;

    /** That of a file is all it has; its length is made of it. */
    private final AtomicLong stamps = new AtomicLong();

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void eachInputReadsOneFileAndEachFileIsClosed(boolean encrypted) throws Exception {
        try (DirectoryPool pool = TestDirectories.small().build()) {
            try (ClockhandDirectory directory = encrypted
                    ? new ClockhandDirectory(folder, FSLockFactory.getDefault(), pool, TestDirectories.KEYS)
                    : new ClockhandDirectory(folder, pool)) {
                runAll(directory);
                for (String name : directory.listAll()) {
                    directory.deleteFile(name);
                }
                assertThat(pool.pool().fileStats()).as("files in the pool").isEmpty();
            }
            pool.pool().checkIntegrity();
        }
    }

    /** Has a file replaced when its attributes have been read for the second time: by the store that opens it. */
    private static final class ReplacingFileSystem extends FilterFileSystemProvider {
        private final Path file;
        private final Path next;
        private final AtomicInteger reads = new AtomicInteger(Integer.MAX_VALUE);

        ReplacingFileSystem(Path file, Path next) {
            super("replacing://", FileSystems.getDefault());
            this.file = file;
            this.next = next;
        }

        @Override
        public <A extends BasicFileAttributes> A readAttributes(Path path, Class<A> type, LinkOption... options)
                throws IOException {
            A found = super.readAttributes(path, type, options);
            if (path.getFileName().toString().equals(file.getFileName().toString()) && reads.decrementAndGet() == 0) {
                Files.move(next, file, StandardCopyOption.ATOMIC_MOVE);
            }
            return found;
        }
    }

    /** Names each file twice, as a system may a file that is deleted and created again while the folder is listed. */
    private static final class RepeatingFileSystem extends FilterFileSystemProvider {
        RepeatingFileSystem() {
            super("repeating://", FileSystems.getDefault());
        }

        @Override
        public DirectoryStream<Path> newDirectoryStream(Path folder, DirectoryStream.Filter<? super Path> filter)
                throws IOException {
            List<Path> twice = new ArrayList<>();
            try (DirectoryStream<Path> once = super.newDirectoryStream(folder, filter)) {
                once.forEach(path -> twice.addAll(List.of(path, path)));
            }
            return new DirectoryStream<>() {
                @Override
                public Iterator<Path> iterator() {
                    return twice.iterator();
                }

                @Override
                public void close() {}
            };
        }
    }

    @Test
    void folderThatNamesAFileTwiceIsListed() throws IOException {
        try (DirectoryPool pool = TestDirectories.small().build();
                ClockhandDirectory directory =
                        new ClockhandDirectory(new RepeatingFileSystem().wrapPath(folder), pool)) {
            write(directory, "file", 1);
            read(directory, "file");

            assertThat(directory.listAll()).as("names of the files").containsOnly("file");
            assertThat(pool.pool().fileStats()).as("files in the pool").hasSize(1);
        }
    }

    /** The new one is shorter: its last page must not count as cut. */
    @Test
    void fileThatIsReplacedAsItIsOpenedIsNotTakenForTheFormerOne() throws IOException {
        ReplacingFileSystem system = new ReplacingFileSystem(folder.resolve("file"), folder.resolve("next"));
        try (DirectoryPool pool = TestDirectories.small().build();
                ClockhandDirectory directory = new ClockhandDirectory(system.wrapPath(folder), pool)) {
            long longer = 10;
            long shorter = 1;
            assertThat(longs(longer)).isGreaterThan(longs(shorter));
            write(directory, "file", longer);
            write(directory, "next", shorter);
            system.reads.set(2);
            assertThatThrownBy(() -> read(directory, "file"))
                    .isInstanceOf(NoSuchFileException.class)
                    .hasMessageContaining("another program has deleted or replaced it while it was opened");
            read(directory, "file");
            assertThat(directory.fileLength("file")).isEqualTo(bytes(longs(shorter)));
            assertThat(pool.pool().fileStats()).hasSize(1);
        }
    }

    private static void write(ClockhandDirectory directory, String name, long stamp) throws IOException {
        try (IndexOutput output = directory.createOutput(name, IOContext.DEFAULT)) {
            write(output, stamp);
        }
    }

    private static void write(IndexOutput output, long stamp) throws IOException {
        for (int i = 0; i < longs(stamp); i++) {
            output.writeLong(stamp);
        }
    }

    private void runAll(ClockhandDirectory directory) throws Exception {
        try (ExecutorService executor = Executors.newFixedThreadPool(THREADS)) {
            List<Callable<Void>> works = new ArrayList<>();
            for (int thread = 0; thread < THREADS; thread++) {
                SplittableRandom random = new SplittableRandom(thread);
                works.add(() -> {
                    for (int step = 0; step < STEPS; step++) {
                        step(directory, random);
                    }
                    return null;
                });
            }
            for (Future<Void> done : executor.invokeAll(works)) {
                done.get();
            }
        }
    }

    private void step(ClockhandDirectory directory, SplittableRandom random) throws IOException {
        String name = "file" + random.nextInt(NAMES);
        try {
            switch (random.nextInt(8)) {
                case 0, 1 -> replace(directory, name);
                case 2 -> directory.deleteFile(name);
                case 3 -> directory.rename(name, "file" + random.nextInt(NAMES));
                case 4 -> assertThat(directory.listAll()).doesNotHaveDuplicates();
                case 5 -> assertThat(directory.fileLength(name)).isBetween(1L, bytes(MOST_LONGS));
                default -> read(directory, name);
            }
        } catch (NoSuchFileException e) {
            // another thread has deleted or renamed it
        }
    }

    private void replace(ClockhandDirectory directory, String name) throws IOException {
        long stamp = stamps.incrementAndGet();
        String written;
        try (IndexOutput output = directory.createTempOutput("new", "file", IOContext.DEFAULT)) {
            written = output.getName();
            write(output, stamp);
        }
        directory.rename(written, name);
    }

    private static void read(ClockhandDirectory directory, String name) throws IOException {
        try (IndexInput input = directory.openInput(name, IOContext.DEFAULT)) {
            IndexInput clone = input.clone();
            long stamp = input.readLong();
            assertThat(input.length()).as("length").isEqualTo(bytes(longs(stamp)));
            for (int i = 1; i < longs(stamp); i++) {
                assertThat(input.readLong()).as("long %d of %s", i, name).isEqualTo(stamp);
            }
            clone.seek(clone.length() - Long.BYTES);
            assertThat(clone.readLong()).as("the last long of %s", name).isEqualTo(stamp);
        }
    }

    private static int longs(long stamp) {
        return 1 + (int) (stamp * 37 % MOST_LONGS);
    }

    private static long bytes(int longs) {
        return (long) longs * Long.BYTES;
    }
}
