// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.io;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.clockhand.testing.DirectFolder;
import io.clockhand.testing.Tier;
import io.clockhand.testing.Workers;
import io.clockhand.testkit.PageStoreContract;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.stream.IntStream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** The contract of a store, and what is specific to files; with and without direct I/O. */
@ParameterizedClass
@EnumSource(FilePageStoreTest.Access.class)
class FilePageStoreTest extends PageStoreContract {
    private static final int PAGE_BYTES = 4096;

    /** How the file is opened. */
    enum Access {
        CACHED,
        DIRECT
    }

    @Parameter
    private Access access;

    @TempDir
    private Path folder;

    @RegisterExtension
    private final Workers workers = new Workers();

    @BeforeEach
    void skipWhatTheFileSystemCannotDo() throws IOException {
        if (access == Access.DIRECT) {
            DirectFolder.assumePagesOf(PAGE_BYTES, folder);
        }
    }

    @Override
    protected int stepsOfAThread() {
        return Tier.pick(100, 1_000, 20_000);
    }

    @Override
    protected FilePageStore open() throws IOException {
        return open(PAGE_BYTES, FilePageStore.DEFAULT_CHANNELS);
    }

    private FilePageStore open(int pageBytes, int channels) throws IOException {
        return access == Access.DIRECT
                ? FilePageStore.open(file(), pageBytes, channels, FileOption.CREATE, FileOption.DIRECT)
                : FilePageStore.open(file(), pageBytes, channels, FileOption.CREATE);
    }

    private Path file() {
        return folder.resolve("pages.db");
    }

    private static ByteBuffer page(long value) {
        ByteBuffer bytes = ByteBuffer.allocateDirect(PAGE_BYTES);
        while (bytes.hasRemaining()) {
            bytes.putLong(value);
        }
        return bytes.flip();
    }

    private static long read(PageStore store, long page) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocateDirect(PAGE_BYTES);
        store.read(page, bytes);
        assertThat(bytes.remaining()).isZero();
        for (int at = 0; at < PAGE_BYTES; at += Long.BYTES) {
            assertThat(bytes.getLong(at)).isEqualTo(bytes.getLong(0));
        }
        return bytes.getLong(0);
    }

    @Test
    void storeThatIsReadOnlyNamesThePageThatItDoesNotTake() throws IOException {
        try (PageStore store = open()) {
            store.extend(2);
        }
        FileOption[] options = access == Access.DIRECT
                ? new FileOption[] {FileOption.READ_ONLY, FileOption.DIRECT}
                : new FileOption[] {FileOption.READ_ONLY};
        try (PageStore store = FilePageStore.open(file(), PAGE_BYTES, options)) {
            ByteBuffer run = ByteBuffer.allocate(2 * PAGE_BYTES);
            assertReadOnly(
                    "cannot write page 1 of",
                    () -> store.write(1, run.duplicate().limit(PAGE_BYTES)));
            assertReadOnly("cannot write the run that begins with page 0 of", () -> store.writeRun(0, run));
            assertReadOnly("cannot truncate", () -> store.truncate(1));
            assertReadOnly("cannot extend", () -> store.extend(3));
            store.extend(2);
            Files.delete(file()); // nothing was written, so nothing is lost
        }
    }

    private void assertReadOnly(String what, ThrowingCallable call) {
        assertThatThrownBy(call)
                .isInstanceOf(IOException.class)
                .hasMessage(what + " " + file() + ": it is open read-only");
    }

    @Test
    void endOfFileNamesFileAndPage() throws IOException {
        try (PageStore store = open()) {
            store.write(0, page(1));

            assertThatThrownBy(() -> read(store, 4))
                    .isInstanceOf(EOFException.class)
                    .hasMessageContaining("page 4 of")
                    .hasMessageContaining("pages.db")
                    .hasMessageContaining("0 of 4096 bytes");
        }
    }

    @Test
    void failedRunNamesItsFirstPage() throws IOException {
        PageStore store = open();
        store.close();

        assertThatThrownBy(() -> store.writeRun(3, ByteBuffer.allocateDirect(2 * PAGE_BYTES)))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("cannot write the run that begins with page 3 of " + store.name());
    }

    @Test
    void tornEndIsNamedAtOpen() throws IOException {
        Files.write(file(), new byte[PAGE_BYTES + 100]);

        assertThatThrownBy(() -> open()).isInstanceOf(IOException.class).hasMessageContaining("4196 bytes");
        Files.write(file(), new byte[PAGE_BYTES]);
        open().close(); // the failure has left no lock behind
    }

    @Test
    void fileIsOpenedOnceAtATime() throws IOException {
        try (PageStore store = open()) {
            Path alias = folder.resolve("alias.db");
            Files.createSymbolicLink(alias, file());

            assertThatThrownBy(() -> open()).hasMessageContaining("open already in this JVM");
            assertThatThrownBy(() -> FilePageStore.open(alias, PAGE_BYTES))
                    .hasMessageContaining("open already in this JVM");
        }
        open().close();
    }

    @Test
    void closedStoreSaysSo() throws IOException {
        PageStore store = open();
        store.write(0, page(1));
        store.close();

        assertThatThrownBy(() -> read(store, 0))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("page 0 of")
                .hasMessageContaining("the store is closed");
    }

    @Test
    void wrongSizesAreRefused() throws IOException {
        for (int bytes : new int[] {0, -512, 100, 256, 768, 1 << 17}) {
            assertThatThrownBy(() -> open(bytes, FilePageStore.DEFAULT_CHANNELS))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining(bytes + " bytes");
        }
        try (PageStore store = open()) {
            assertThatThrownBy(() -> store.read(0, ByteBuffer.allocate(100)))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("100 bytes remain");
        }
    }

    @Test
    void interruptedThreadReadsAllTheSame() throws IOException {
        try (PageStore store = open(PAGE_BYTES, 1)) {
            store.write(0, page(5));
            Thread.currentThread().interrupt();

            assertThat(read(store, 0)).isEqualTo(5);
            assertThat(Thread.interrupted()).isTrue();
        }
    }

    @Test
    void interruptsOfSomeReadersFailNoRead() throws IOException {
        try (PageStore store = open(PAGE_BYTES, 1)) {
            for (int page = 0; page < 16; page++) {
                store.write(page, page(page));
            }
            AtomicBoolean over = new AtomicBoolean();
            AtomicIntegerArray reads = new AtomicIntegerArray(4);
            List<Workers.Worker<Void>> readers = new ArrayList<>();
            for (int thread = 0; thread < reads.length(); thread++) {
                int number = thread;
                readers.add(workers.run(() -> {
                    while (!over.get()) {
                        int page = reads.get(number) % 16;
                        assertThat(read(store, page)).isEqualTo(page);
                        reads.getAndIncrement(number);
                    }
                    Thread.interrupted();
                }));
            }
            int interrupts = Tier.pick(400, 10_000, 200_000);
            for (int i = 0; i < interrupts && readers.stream().noneMatch(Workers.Worker::isDone); i++) {
                readers.get(i % 2).thread().interrupt(); // the other two are bystanders
                if (i % 8 == 7) { // or all interrupts may come before the first read
                    awaitReads(reads, readers);
                }
            }
            over.set(true);
            readers.forEach(Workers.Worker::result);
        }
    }

    /** Waits until each thread has read once more, or one has failed. */
    private static void awaitReads(AtomicIntegerArray reads, List<Workers.Worker<Void>> readers) {
        int[] before = new int[reads.length()];
        Arrays.setAll(before, reads::get);
        Workers.await(
                () -> readers.stream().anyMatch(Workers.Worker::isDone)
                        || IntStream.range(0, before.length).allMatch(thread -> reads.get(thread) > before[thread]),
                "a thread does not read");
    }

    @Test
    void fileThatWasRenamedIsReadAfterAnInterruptAndNotTheOneThatHasItsName() throws Exception {
        try (FilePageStore store = open(PAGE_BYTES, 1)) {
            store.write(0, page(5));
            Files.move(file(), folder.resolve("moved.db"));
            Files.write(file(), new byte[PAGE_BYTES]);
            store.closeChannelsForTest();

            assertThat(read(store, 0))
                    .as("the page of the file that was opened")
                    .isEqualTo(5);
        }
    }

    /** They take turns for its position. */
    @Test
    void threadsReadRunsByOneChannel() throws Exception {
        int pages = 64;
        try (FilePageStore store = FilePageStore.open(folder.resolve("runs"), PAGE_BYTES, 1, FileOption.CREATE)) {
            ByteBuffer page = ByteBuffer.allocateDirect(PAGE_BYTES);
            for (int i = 0; i < pages; i++) {
                store.write(i, page.clear().putLong(0, i));
            }
            List<Workers.Worker<Void>> readers = new ArrayList<>();
            for (int thread = 0; thread < 4; thread++) {
                int from = thread;
                readers.add(workers.run(() -> {
                    ByteBuffer[] targets = new ByteBuffer[2];
                    for (int i = 0; i < 2_000; i++) {
                        int first = (from * 17 + i * 3) % (pages - 1);
                        targets[0] = ByteBuffer.allocateDirect(PAGE_BYTES);
                        targets[1] = ByteBuffer.allocateDirect(PAGE_BYTES);
                        store.readRun(first, targets, 2);
                        assertThat(targets[0].getLong(0))
                                .as("the first page of a run")
                                .isEqualTo(first);
                        assertThat(targets[1].getLong(0)).isEqualTo(first + 1);
                    }
                }));
            }
            for (Workers.Worker<Void> reader : readers) {
                reader.result();
            }
        }
    }
}
