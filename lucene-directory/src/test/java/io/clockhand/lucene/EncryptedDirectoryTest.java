// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.lucene;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.clockhand.io.EncryptionKeys;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystems;
import java.nio.file.LinkOption;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileAttribute;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import javax.crypto.SecretKey;
import javax.crypto.spec.SecretKeySpec;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.StringField;
import org.apache.lucene.index.CorruptIndexException;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.NoMergePolicy;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FSLockFactory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.store.IndexOutput;
import org.apache.lucene.store.Lock;
import org.apache.lucene.tests.mockfile.FilterFileChannel;
import org.apache.lucene.tests.mockfile.FilterFileSystemProvider;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Outputs of encrypted files behave as Lucene's own, and a key that comes late delays its own file only. */
class EncryptedDirectoryTest {
    private static final String NAME = "_0.dat";
    private static final long MINUTES = 2;

    @TempDir
    private Path folder;

    private DirectoryPool pool;

    @BeforeEach
    void open() {
        pool = TestDirectories.small().build();
    }

    @AfterEach
    void close() throws IOException {
        pool.close();
    }

    private ClockhandDirectory encrypted(Path path, EncryptionKeys keys) throws IOException {
        return new ClockhandDirectory(path, FSLockFactory.getDefault(), pool, keys);
    }

    private ClockhandDirectory encrypted() throws IOException {
        return encrypted(folder, TestDirectories.KEYS);
    }

    private static void write(Directory to, String name, long value) throws IOException {
        try (IndexOutput output = to.createOutput(name, IOContext.DEFAULT)) {
            output.writeLong(value);
        }
    }

    private static long read(Directory from, String name) throws IOException {
        try (IndexInput input = from.openInput(name, IOContext.DEFAULT)) {
            return input.readLong();
        }
    }

    // --- files that lose their names while they are written ----------------------------------------------------------

    @Test
    void outputThatIsDeletedCanBeClosed() throws IOException {
        try (Directory directory = encrypted()) {
            IndexOutput output = directory.createOutput(NAME, IOContext.DEFAULT);
            output.writeLong(1);
            directory.deleteFile(NAME);
            output.writeLong(2);
            output.close();
            assertThat(directory.listAll()).isEmpty();
        }
    }

    /** {@code listAll} has it, so whoever adds up the lengths of all files asks for it. */
    @Test
    void lockOfAWriterHasNoLength() throws IOException {
        try (Directory directory = encrypted();
                Lock lock = directory.obtainLock(IndexWriter.WRITE_LOCK_NAME)) {
            lock.ensureValid();
            assertThat(directory.listAll()).containsExactly(IndexWriter.WRITE_LOCK_NAME);
            assertThat(directory.fileLength(IndexWriter.WRITE_LOCK_NAME)).isZero();
        }
    }

    @Test
    void outputThatAnotherDirectoryReplacesCanBeClosed() throws IOException {
        try (Directory directory = encrypted();
                Directory other = encrypted()) {
            IndexOutput output = directory.createOutput(NAME, IOContext.DEFAULT);
            output.writeLong(1);
            other.deleteFile(NAME);
            write(other, NAME, 2);
            output.close();
            assertThat(read(directory, NAME)).isEqualTo(2);
        }
    }

    @Test
    void outputThatIsRenamedIsComplete() throws IOException {
        try (Directory directory = encrypted()) {
            IndexOutput output = directory.createOutput(NAME, IOContext.DEFAULT);
            output.writeLong(1);
            directory.rename(NAME, "renamed");
            output.writeLong(2);
            output.close();
            assertThat(directory.fileLength("renamed")).isEqualTo(2 * Long.BYTES);
            assertThat(read(directory, "renamed")).isEqualTo(1);
        }
    }

    // --- files that change places ------------------------------------------------------------------------------------

    /** The encryption does not see it, since Lucene renames files; Lucene's headers, which it protects, do. */
    @ParameterizedTest
    @ValueSource(strings = {".si", ".fnm", ".fdt"})
    void filesOfTwoSegmentsThatChangePlacesAreRefused(String kind) throws IOException {
        try (Directory directory = encrypted()) {
            IndexWriterConfig config = new IndexWriterConfig().setMergePolicy(NoMergePolicy.INSTANCE);
            config.setUseCompoundFile(false);
            try (IndexWriter writer = new IndexWriter(directory, config)) {
                for (int segment = 0; segment < 2; segment++) {
                    Document document = new Document();
                    document.add(new StringField("id", Integer.toString(segment), Field.Store.YES));
                    writer.addDocument(document);
                    writer.commit();
                }
            }
            DirectoryReader.open(directory).close();
            directory.rename("_0" + kind, "_0");
            directory.rename("_1" + kind, "_0" + kind);
            directory.rename("_0", "_1" + kind);
            assertThatThrownBy(() -> DirectoryReader.open(directory))
                    .isInstanceOf(CorruptIndexException.class)
                    .hasStackTraceContaining("file mismatch");
        }
    }

    // --- deletions that the system has not done yet ------------------------------------------------------------------

    /** Files of some names cannot be deleted, and any other use of them fails, as in Windows after a deletion. */
    private static final class PendingFileSystem extends FilterFileSystemProvider {
        private final Set<String> inUse = ConcurrentHashMap.newKeySet();

        PendingFileSystem() {
            super("pending://", FileSystems.getDefault());
        }

        private boolean isInUse(Path path) {
            return inUse.contains(path.getFileName().toString());
        }

        @Override
        public void delete(Path path) throws IOException {
            if (isInUse(path)) {
                throw new AccessDeniedException(path.toString());
            }
            super.delete(path);
        }

        @Override
        public <A extends BasicFileAttributes> A readAttributes(Path path, Class<A> type, LinkOption... options)
                throws IOException {
            if (isInUse(path)) {
                throw new AccessDeniedException(path.toString());
            }
            return super.readAttributes(path, type, options);
        }
    }

    @Test
    void temporaryFileGetsNoNameWhoseDeletionIsPending() throws IOException {
        PendingFileSystem system = new PendingFileSystem();
        Path path = system.wrapPath(folder);
        try (Directory directory = encrypted(path, TestDirectories.KEYS)) {
            String first;
            try (IndexOutput output = directory.createTempOutput("some", "x", IOContext.DEFAULT)) {
                first = output.getName();
            }
            String next = first.replace("_0.tmp", "_1.tmp");
            assertThat(next).isNotEqualTo(first);
            write(directory, next, 1);
            system.inUse.add(next);
            directory.deleteFile(next);
            assertThat(directory.getPendingDeletions()).containsExactly(next);
            try (IndexOutput output = directory.createTempOutput("some", "x", IOContext.DEFAULT)) {
                assertThat(output.getName()).isNotIn(first, next);
            }
            system.inUse.clear();
        }
    }

    // --- keys that come late -----------------------------------------------------------------------------------------

    /** A provider whose key "slow" comes when the test says so. */
    private static final class SlowKeys implements EncryptionKeys {
        private final SecretKey key = new SecretKeySpec(new byte[32], "AES");
        private final Map<String, Integer> calls = new HashMap<>();
        private final CountDownLatch asked = new CountDownLatch(1);
        private final CountDownLatch answer = new CountDownLatch(1);
        private volatile String newest = "fast";
        private volatile boolean waits;

        @Override
        public String newest() {
            return newest;
        }

        @Override
        public SecretKey key(String id) throws IOException {
            synchronized (calls) {
                calls.merge(id, 1, Integer::sum);
            }
            if (waits && id.equals("slow")) {
                asked.countDown();
                try {
                    if (!answer.await(MINUTES, TimeUnit.MINUTES)) {
                        throw new IOException("the test has not answered");
                    }
                } catch (InterruptedException e) {
                    throw new IOException(e);
                }
            }
            return key;
        }

        void awaitAsked() {
            try {
                assertThat(asked.await(MINUTES, TimeUnit.MINUTES))
                        .as("asked for a key")
                        .isTrue();
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        }

        int calls(String id) {
            synchronized (calls) {
                return calls.getOrDefault(id, 0);
            }
        }
    }

    private static <T> T get(Future<T> done) throws Exception {
        return done.get(MINUTES, TimeUnit.MINUTES);
    }

    @Test
    void keyThatComesLateDelaysNoOtherFile() throws Exception {
        SlowKeys keys = new SlowKeys();
        try (Directory directory = encrypted(folder, keys);
                ExecutorService executor = Executors.newCachedThreadPool()) {
            write(directory, "fast", 1);
            keys.newest = "slow";
            write(directory, "slow", 2);
            keys.newest = "fast";
            keys.waits = true;
            try {
                Future<Long> slow = executor.submit(() -> read(directory, "slow"));
                keys.awaitAsked();
                Future<Long> others = executor.submit(() -> {
                    write(directory, "new", 3);
                    assertThat(directory.listAll()).containsExactly("fast", "new", "slow");
                    assertThat(directory.fileLength("new")).isEqualTo(Long.BYTES);
                    assertThat(((ClockhandDirectory) directory).stats()).isNotNull();
                    long found = read(directory, "fast");
                    directory.deleteFile("fast");
                    return found;
                });
                assertThat(get(others)).isEqualTo(1);
                assertThat(slow.isDone()).isFalse();
                keys.answer.countDown();
                assertThat(get(slow)).isEqualTo(2);
            } finally {
                keys.answer.countDown();
            }
        }
    }

    @Test
    void fileThatTwoThreadsOpenIsOpenedOnce() throws Exception {
        SlowKeys keys = new SlowKeys();
        try (Directory directory = encrypted(folder, keys);
                ExecutorService executor = Executors.newCachedThreadPool()) {
            keys.newest = "slow";
            write(directory, NAME, 2);
            int before = keys.calls("slow");
            keys.waits = true;
            try {
                Future<IndexInput> first = executor.submit(() -> directory.openInput(NAME, IOContext.DEFAULT));
                keys.awaitAsked();
                Thread[] opener = new Thread[1];
                CountDownLatch begun = new CountDownLatch(1);
                Future<IndexInput> second = executor.submit(() -> {
                    opener[0] = Thread.currentThread();
                    begun.countDown();
                    return directory.openInput(NAME, IOContext.DEFAULT);
                });
                begun.await();
                while (opener[0].getState() != Thread.State.WAITING && keys.calls("slow") == before + 1) {
                    Thread.onSpinWait(); // until it waits for the first, or asks for the key itself
                }
                keys.answer.countDown();
                try (IndexInput one = get(first);
                        IndexInput other = get(second)) {
                    assertThat(one.readLong()).isEqualTo(2);
                    assertThat(other.readLong()).isEqualTo(2);
                    assertThat(pool.pool().fileStats()).as("files in the pool").hasSize(1);
                }
                assertThat(keys.calls("slow")).as("calls of the provider").isEqualTo(before + 1);
            } finally {
                keys.answer.countDown();
            }
        }
    }

    /** Something happens before the first bytes of a file are written for the second time: its header. */
    private static final class HeaderFileSystem extends FilterFileSystemProvider {
        private final Runnable beforeSecond;
        private int headers;

        HeaderFileSystem(Runnable beforeSecond) {
            super("header://", FileSystems.getDefault());
            this.beforeSecond = beforeSecond;
        }

        @Override
        public FileChannel newFileChannel(Path path, Set<? extends OpenOption> options, FileAttribute<?>... attributes)
                throws IOException {
            return new FilterFileChannel(super.newFileChannel(path, options, attributes)) {
                @Override
                public int write(ByteBuffer source, long position) throws IOException {
                    if (position == 0 && ++headers == 2) {
                        beforeSecond.run();
                    }
                    return super.write(source, position);
                }
            };
        }
    }

    /** The file has all its pages when it is opened, but its header not yet the length. */
    @Test
    void fileThatIsCompletedWhileItIsOpenedIsOpenedAgain() throws Exception {
        SlowKeys keys = new SlowKeys();
        keys.newest = "slow";
        try (ExecutorService executor = Executors.newCachedThreadPool()) {
            AtomicReference<Directory> opened = new AtomicReference<>();
            AtomicReference<Future<IndexInput>> opening = new AtomicReference<>();
            HeaderFileSystem system = new HeaderFileSystem(() -> {
                keys.waits = true;
                opening.set(executor.submit(() -> opened.get().openInput(NAME, IOContext.DEFAULT)));
                keys.awaitAsked();
            });
            try (Directory directory = encrypted(system.wrapPath(folder), keys)) {
                opened.set(directory);
                write(directory, NAME, 1); // does not wait for the thread that opens it
                keys.answer.countDown();
                get(opening.get()).close();
                assertThat(directory.fileLength(NAME)).isEqualTo(Long.BYTES);
                assertThat(read(directory, NAME)).isEqualTo(1);
            } finally {
                keys.answer.countDown();
            }
        }
    }

    @Test
    void directoryThatIsClosedWhileAFileIsOpenedKeepsNone() throws Exception {
        SlowKeys keys = new SlowKeys();
        try (Directory directory = encrypted(folder, keys);
                ExecutorService executor = Executors.newCachedThreadPool()) {
            keys.newest = "slow";
            write(directory, NAME, 2);
            keys.waits = true;
            try {
                Future<Long> reading = executor.submit(() -> read(directory, NAME));
                keys.awaitAsked();
                directory.close();
                keys.answer.countDown();
                assertThat(get(reading)).isEqualTo(2);
            } finally {
                keys.answer.countDown();
            }
            assertThat(pool.pool().fileStats()).as("files in the pool").isEmpty();
        }
    }

    @Test
    void failedOpenLeavesNoLock() throws Exception {
        EncryptionKeys others = EncryptionKeys.of("other", new SecretKeySpec(new byte[16], "AES"));
        try (Directory directory = encrypted();
                Directory wrong = encrypted(folder, others)) {
            write(directory, NAME, 1);
            for (int i = 0; i < 2; i++) {
                assertThatThrownBy(() -> wrong.openInput(NAME, IOContext.DEFAULT))
                        .isInstanceOf(IOException.class)
                        .hasMessageContaining("there is no key");
            }
            wrong.deleteFile(NAME);
            write(wrong, NAME, 2);
            assertThat(read(wrong, NAME)).isEqualTo(2);
        }
    }
}
