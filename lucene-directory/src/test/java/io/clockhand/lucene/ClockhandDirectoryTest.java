// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.lucene;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.entry;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.clockhand.PageId;
import io.clockhand.PoolExhaustedException;
import io.clockhand.io.EncryptionKeys;
import io.clockhand.io.FileOption;
import io.clockhand.page.PageGuard;
import io.clockhand.policy.Claims;
import io.clockhand.policy.ReplacementPolicy;
import java.io.EOFException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.lang.ref.WeakReference;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import javax.crypto.SecretKey;
import javax.crypto.spec.SecretKeySpec;
import org.apache.lucene.store.AlreadyClosedException;
import org.apache.lucene.store.DataAccessHint;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FSLockFactory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.store.IndexOutput;
import org.apache.lucene.store.NIOFSDirectory;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ClockhandDirectoryTest {
    private static final int PAGE_BYTES = TestDirectories.PAGE_BYTES;
    private static final int PAGES = TestDirectories.PAGES;
    private static final String NAME = "_0.dat";
    private static final int SLICES = 50_000;
    /** Of Linux. */
    private static final int DIRECT = 0x4000;

    @TempDir
    private Path folder;

    private DirectoryPool pool;
    private ClockhandDirectory directory;

    @BeforeEach
    void open() throws IOException {
        pool = TestDirectories.small().build();
        directory = new ClockhandDirectory(folder, pool);
    }

    @AfterEach
    void close() throws IOException {
        directory.close();
        pool.close();
    }

    /** Writes a file of longs, each its own number. */
    private static void write(Directory to, String name, long from, int longs) throws IOException {
        try (IndexOutput output = to.createOutput(name, IOContext.DEFAULT)) {
            for (int i = 0; i < longs; i++) {
                output.writeLong(from + i);
            }
        }
    }

    private static long at(int page) {
        return (long) page * PAGE_BYTES;
    }

    private static long value(long position) {
        return position / Long.BYTES;
    }

    private void writePages(int pages) throws IOException {
        write(directory, NAME, 0, pages * PAGE_BYTES / Long.BYTES);
    }

    private IndexInput input() throws IOException {
        return directory.openInput(NAME, IOContext.DEFAULT);
    }

    private static void expect(IndexInput input, long position) throws IOException {
        input.seek(position);
        assertThat(input.readLong()).isEqualTo(value(position));
    }

    /** Direct memory has slabs of 2 MiB. */
    @Test
    void pagesOfSeveralSlabsAreRight() throws IOException {
        int largest = 1 << 16;
        int pages = PAGES - 4;
        write(directory, NAME, 0, pages * largest / Long.BYTES);
        try (DirectoryPool slabs = TestDirectories.pool(largest)
                        .tuning(builder -> builder.tuning(t -> t.hugePages(false)))
                        .build();
                Directory reading = new ClockhandDirectory(folder, slabs);
                IndexInput input = reading.openInput(NAME, IOContext.DEFAULT)) {
            for (int i = 0; i < 2 * pages; i++) {
                int page = i % 2 == 0 ? i / 2 : pages - 1 - i / 2;
                expect(input, (long) page * largest + Long.BYTES);
            }
        }
    }

    @Test
    void slicesPinNothing() throws IOException {
        writePages(2 * PAGES);
        List<IndexInput> slices = new ArrayList<>();
        try (IndexInput input = input()) {
            for (int page = 0; page < 2 * PAGES; page++) {
                expect(input, at(page));
            }
            long memory = pool.stats().memory().bytes();
            for (int i = 0; i < SLICES; i++) {
                int page = i % (2 * PAGES);
                IndexInput slice = input.slice("slice " + i, at(page), PAGE_BYTES);
                assertThat(slice.readLong()).isEqualTo(value(at(page)));
                slices.add(slice);
            }
            assertThat(pool.stats().pinned()).isZero();
            assertThat(pool.stats().memory().bytes()).as("bytes of the pool").isEqualTo(memory);
            assertThat(openFiles()).isEqualTo(1);
            assertThat(slices.get(0).readLong()).isEqualTo(1);
        }
    }

    /** None is closed, as Lucene does it. */
    @Test
    void slicesAreGarbageWhenTheyAreForgotten() throws IOException {
        writePages(1);
        try (IndexInput input = input()) {
            List<WeakReference<IndexInput>> slices = new ArrayList<>();
            for (int i = 0; i < 100; i++) {
                IndexInput slice = input.slice("slice " + i, 0, PAGE_BYTES);
                assertThat(slice.readLong()).isZero();
                slices.add(new WeakReference<>(slice));
            }
            long begin = System.nanoTime();
            while (slices.stream().anyMatch(slice -> slice.get() != null)) {
                assertThat(System.nanoTime() - begin)
                        .as("nanoseconds of collection")
                        .isLessThan(60_000_000_000L);
                System.gc();
            }
        }
    }

    @Test
    @Tag("nightly")
    void sliceTakesFewBytesOfTheHeap() throws IOException {
        writePages(2 * PAGES);
        com.sun.management.ThreadMXBean threads = (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
        IndexInput[] slices = new IndexInput[SLICES];
        try (IndexInput input = input()) {
            for (int round = 0; round < 5; round++) {
                long before = threads.getCurrentThreadAllocatedBytes();
                for (int i = 0; i < SLICES; i++) {
                    slices[i] = input.slice("slice", at(i % (2 * PAGES)), PAGE_BYTES);
                    slices[i].readLong();
                }
                long each = (threads.getCurrentThreadAllocatedBytes() - before) / SLICES;
                System.out.println("Bytes that a slice allocates with its first read: " + each);
                assertThat(each).as("bytes of a slice").isLessThan(700);
            }
        }
    }

    @Test
    void nothingLiesBesideTheFiles() throws IOException {
        writePages(3);
        try (IndexInput input = input()) {
            expect(input, at(1));
            try (Stream<Path> found = Files.list(folder)) {
                assertThat(found).containsExactly(folder.resolve(NAME));
            }
        }
        assertThat(directory.listAll()).containsExactly(NAME);
        assertThat(directory.fileLength(NAME)).isEqualTo(at(3));
    }

    @Test
    void fileThatIsDeletedCanBeReadOn() throws IOException {
        writePages(2 * PAGES);
        try (IndexInput input = input()) {
            expect(input, 0);
            directory.deleteFile(NAME);
            assertThat(directory.listAll()).isEmpty();
            for (int page = 0; page < 2 * PAGES; page++) {
                expect(input, at(page));
            }
            assertThat(pool.pool().file(0)).as("the file in the pool").isPresent();
        }
        assertThat(pool.pool().file(0)).as("the file in the pool").isEmpty();
    }

    @Test
    void newFileOfADeletedOnesNameIsRead() throws IOException {
        writePages(2);
        try (IndexInput old = input()) {
            expect(old, at(1));
            directory.deleteFile(NAME);
            write(directory, NAME, 1000, 10);
            try (IndexInput input = input()) {
                assertThat(input.length()).isEqualTo(10 * Long.BYTES);
                assertThat(input.readLong()).isEqualTo(1000);
                expect(old, at(1) + Long.BYTES);
            }
        }
    }

    @Test
    void fileThatAnotherDirectoryHasReplacedIsReadAnew() throws IOException {
        writePages(1);
        try (IndexInput input = input()) {
            expect(input, 8);
        }
        try (Directory other = new NIOFSDirectory(folder)) {
            write(other, "new", 500, PAGE_BYTES / Long.BYTES);
            other.deleteFile(NAME);
            other.rename("new", NAME);
        }
        try (IndexInput input = input()) {
            assertThat(input.readLong()).isEqualTo(500);
        }
    }

    @Test
    void fileThatHasGrownIsReadAnew() throws IOException {
        try (IndexOutput output = directory.createOutput(NAME, IOContext.DEFAULT)) {
            try (IndexInput input = input()) {
                assertThat(input.length()).isZero();
            }
            output.writeLong(7);
        }
        try (IndexInput input = input()) {
            assertThat(input.readLong()).isEqualTo(7);
        }
    }

    @Test
    void renamedFileIsReadUnderItsNewName() throws IOException {
        writePages(2);
        try (IndexInput input = input()) {
            expect(input, at(1));
        }
        directory.rename(NAME, "renamed");
        try (IndexInput input = directory.openInput("renamed", IOContext.DEFAULT)) {
            expect(input, at(1));
        }
    }

    @Test
    void cloneOfAClosedInputIsClosed() throws IOException {
        writePages(2);
        IndexInput input = input();
        IndexInput clone = input.clone();
        expect(clone, 0);
        input.close();
        clone.seek(at(1));
        assertThatThrownBy(clone::readLong)
                .isInstanceOf(AlreadyClosedException.class)
                .hasMessageContaining(NAME);
        assertThatThrownBy(clone::clone).isInstanceOf(AlreadyClosedException.class);
        assertThatThrownBy(() -> clone.slice("some", 0, 1)).isInstanceOf(AlreadyClosedException.class);
        assertThatThrownBy(() -> input.readLong()).isInstanceOf(AlreadyClosedException.class);
        input.close();
    }

    @Test
    void openInputOutlivesItsDirectory() throws IOException {
        writePages(2);
        try (IndexInput input = input()) {
            directory.close();
            expect(input, at(1));
        }
        assertThat(pool.pool().file(0)).as("the file in the pool").isEmpty();
    }

    @Test
    void inputOfAClosedPoolIsClosed() throws IOException {
        writePages(2);
        try (IndexInput input = input()) {
            expect(input, 0);
            pool.close();
            assertThatThrownBy(() -> expect(input, at(1))).isInstanceOf(AlreadyClosedException.class);
        }
    }

    @Test
    void exhaustedPoolIsBusyNotDamaged() throws IOException {
        writePages(PAGES + 1);
        List<PageGuard> guards = new ArrayList<>();
        try (DirectoryPool impatient = TestDirectories.small()
                        .waitTimeout(Duration.ofMillis(50))
                        .build();
                Directory busy = new ClockhandDirectory(folder, impatient);
                IndexInput input = busy.openInput(NAME, IOContext.DEFAULT)) {
            for (int page = 0; page < PAGES; page++) {
                guards.add(impatient
                        .pool()
                        .fix(impatient.pool().file(0).orElseThrow().id(page)));
            }
            assertThatThrownBy(() -> expect(input, at(PAGES)))
                    .isInstanceOf(DirectoryBusyException.class)
                    .hasMessageContainingAll(
                            "cannot read page " + PAGES + " of", NAME, "not damaged", "raise capacityBytes")
                    .hasCauseInstanceOf(PoolExhaustedException.class);
            guards.forEach(PageGuard::close);
            expect(input, at(PAGES));
        }
    }

    @Test
    void pagesOfAMergeDisplaceNoOthers() throws IOException {
        writePages(PAGES / 2);
        write(directory, "merged", 0, 10 * PAGES * PAGE_BYTES / Long.BYTES);
        try (IndexInput hot = input();
                IndexInput merged = directory.openInput("merged", IOContext.merge())) {
            for (int round = 0; round < 4; round++) {
                for (int page = 0; page < PAGES / 2; page++) {
                    expect(hot, at(page));
                }
            }
            for (int page = 0; page < 10 * PAGES; page++) {
                expect(merged, at(page));
            }
            assertThat(hot.isLoaded()).as("hot pages that are in memory").contains(true);
        }
    }

    /** Vectors, for instance, of which a merge makes a graph: it reads each of them many times. */
    @Test
    void pagesThatAMergeReadsAtRandomStay() throws IOException {
        write(directory, "vectors", 0, PAGES / 2 * PAGE_BYTES / Long.BYTES);
        try (IndexInput vectors =
                directory.openInput("vectors", IOContext.merge().withHints(DataAccessHint.RANDOM))) {
            for (int page = 0; page < PAGES / 2; page++) {
                expect(vectors, at(page));
            }
            assertThat(vectors.isLoaded()).as("pages that are in memory").contains(true);
        }
    }

    /** Else a merge, which uses them more often than any search does its pages, would displace all others. */
    @Test
    void policyIsNotNotifiedOfWhatAMergeReadsAtRandom() throws IOException {
        Path path = folder.resolve("lru");
        try (DirectoryPool lru = DirectoryPool.builder()
                        .pageBytes(PAGE_BYTES)
                        .capacityBytes(4L * PAGE_BYTES)
                        .policy("lru")
                        .build();
                ClockhandDirectory small = new ClockhandDirectory(path, lru)) {
            write(small, "vectors", 0, 5 * PAGE_BYTES / Long.BYTES);
            try (IndexInput vectors =
                    small.openInput("vectors", IOContext.merge().withHints(DataAccessHint.RANDOM))) {
                for (int page : new int[] {0, 1, 2, 3, 0, 4}) {
                    expect(vectors, at(page));
                }
                assertThat(IntStream.range(0, 5).filter(page -> isLoaded(vectors, page)))
                        .as("pages that are in memory")
                        .containsExactly(1, 2, 3, 4);
            }
        }
    }

    private static boolean isLoaded(IndexInput input, int page) {
        try {
            return input.slice("page " + page, page * (long) PAGE_BYTES, PAGE_BYTES)
                    .isLoaded()
                    .orElseThrow();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void anyThreadMayGoOnWithAnInput() throws Exception {
        writePages(2 * PAGES);
        int threads = 8;
        int reads = 20_000;
        try (IndexInput input = input();
                ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<?>> done = new ArrayList<>();
            for (int t = 0; t < threads; t++) {
                IndexInput mine = input.clone();
                int first = t;
                done.add(executor.submit(() -> {
                    for (int i = 0; i < reads; i += 100) {
                        int from = first + i;
                        executor.submit(() -> {
                                    for (int k = from; k < from + 100; k++) {
                                        expect(mine, at(k * 31 % (2 * PAGES)));
                                    }
                                    return null;
                                })
                                .get();
                    }
                    return null;
                }));
            }
            for (Future<?> each : done) {
                assertThatCode(() -> join(each)).as("reads").doesNotThrowAnyException();
            }
            assertThat(pool.stats().pinned()).isZero();
        }
    }

    private static void join(Future<?> done) throws InterruptedException, ExecutionException {
        done.get();
    }

    private ClockhandDirectory encrypted(EncryptionKeys keys) throws IOException {
        return new ClockhandDirectory(folder, FSLockFactory.getDefault(), pool, keys);
    }

    @Test
    void encryptedFileDoesNotHaveItsBytes() throws IOException {
        byte[] text = "a sentence that nobody may read".getBytes(StandardCharsets.UTF_8);
        try (Directory secret = encrypted(TestDirectories.KEYS)) {
            try (IndexOutput output = secret.createOutput(NAME, IOContext.DEFAULT)) {
                for (int i = 0; i < 500; i++) {
                    output.writeBytes(text, text.length);
                }
            }
            assertThat(secret.fileLength(NAME)).isEqualTo(500L * text.length);
            String found = Files.readString(folder.resolve(NAME), StandardCharsets.ISO_8859_1);
            assertThat(found).isNotEmpty().doesNotContain("sentence", "nobody");
            byte[] read = new byte[text.length];
            try (IndexInput input = secret.openInput(NAME, IOContext.DEFAULT)) {
                input.seek(499L * text.length);
                input.readBytes(read, 0, read.length);
                assertThat(read).isEqualTo(text);
            }
        }
    }

    @Test
    void wrongKeyIsToldClearly() throws IOException {
        try (Directory secret = encrypted(TestDirectories.KEYS)) {
            write(secret, NAME, 0, 10);
        }
        EncryptionKeys others = EncryptionKeys.of("test", new SecretKeySpec(new byte[16], "AES"));
        try (Directory secret = encrypted(others)) {
            assertThatThrownBy(() -> secret.openInput(NAME, IOContext.DEFAULT))
                    .isInstanceOf(IOException.class)
                    .hasMessageContainingAll(NAME, "the key \"test\" is not the one that it was made with");
        }
        assertThat(pool.pool().file(0)).as("a file in the pool").isEmpty();
    }

    @Test
    void figuresAreThoseOfEachKindOfFile() throws IOException {
        pool.pool().collectStats(true);
        for (String name : List.of("_0.vec", "_1.vec", "_1.doc", "segments_1")) {
            write(directory, name, 0, 2 * PAGE_BYTES / Long.BYTES);
        }
        for (String name : List.of("_0.vec", "_1.vec", "segments_1")) {
            try (IndexInput input = directory.openInput(name, IOContext.DEFAULT)) {
                expect(input, 0);
                expect(input, 8);
                expect(input.clone(), 16);
            }
        }
        assertThat(directory.stats())
                .containsExactly(
                        entry("segments", new KindStats(1, at(2), at(1), 1, 1)),
                        entry("vec", new KindStats(2, at(4), at(2), 2, 2)));
        assertThat(directory.stats().get("vec").hitRatio()).isEqualTo(0.5);
        directory.deleteFile("_0.vec");
        assertThat(directory.stats().get("vec")).isEqualTo(new KindStats(1, at(2), at(1), 1, 1));
    }

    /** {@return how many files the pool has open} */
    private int openFiles() {
        return pool.pool().fileStats().size();
    }

    @Test
    void fileThatAnotherDirectoryHasDeletedLeavesThePool() throws IOException {
        try (Directory other = new NIOFSDirectory(folder)) {
            for (int i = 0; i < 20; i++) {
                write(other, "file" + i, i, 10);
                directory.openInput("file" + i, IOContext.DEFAULT).close();
            }
            assertThat(openFiles()).isEqualTo(20);
            try (IndexInput input = directory.openInput("file0", IOContext.DEFAULT)) {
                for (int i = 0; i < 19; i++) {
                    other.deleteFile("file" + i);
                }
                directory.listAll();
                assertThat(openFiles())
                        .as("files in the pool: one in use, one that is there")
                        .isEqualTo(2);
                assertThat(input.readLong()).isZero();
            }
            assertThat(openFiles()).isEqualTo(1);
            IndexInput last = directory.openInput("file19", IOContext.DEFAULT);
            other.deleteFile("file19");
            last.close();
            assertThat(openFiles()).isZero();
        }
    }

    /** A page of the file is in use, as one that another thread reads at the moment. */
    @Test
    void fileThatCannotBeClosedYetIsClosedLater() throws IOException {
        try (DirectoryPool impatient = TestDirectories.small()
                        .waitTimeout(Duration.ofMillis(50))
                        .build();
                Directory busy = new ClockhandDirectory(folder, impatient)) {
            for (int i = 0; i < 5; i++) {
                write(busy, "file" + i, i, 10);
                try (IndexInput input = busy.openInput("file" + i, IOContext.DEFAULT)) {
                    assertThat(input.readLong()).isEqualTo(i);
                }
            }
            try (PageGuard guard = impatient.pool().fix(PageId.of(2, 0))) {
                assertThat(guard.pageBytes()).isEqualTo(PAGE_BYTES);
                assertThatThrownBy(busy::close)
                        .isInstanceOf(DirectoryBusyException.class)
                        .hasMessageContaining("file2");
                assertThat(impatient.pool().fileStats())
                        .as("files that are open")
                        .isEmpty();
            }
            busy.close();
            assertThatCode(() -> impatient
                            .pool()
                            .open(
                                    2,
                                    folder.resolve("file2"),
                                    FileOption.READ_ONLY,
                                    FileOption.NO_LOCK,
                                    FileOption.ANY_LENGTH))
                    .as("an open under the number of the file")
                    .doesNotThrowAnyException();
        }
    }

    /**
     * Else a commit, which ends with a rename, would seem to have failed, and the files of that commit, which is there,
     * would be deleted.
     */
    @Test
    void commitSucceedsThoughADeletedFileCannotBeClosedYet() throws IOException {
        try (DirectoryPool impatient = TestDirectories.small()
                        .waitTimeout(Duration.ofMillis(50))
                        .build();
                Directory busy = new ClockhandDirectory(folder, impatient)) {
            for (int i = 0; i < 2; i++) {
                write(busy, "file" + i, i, 10);
                try (IndexInput input = busy.openInput("file" + i, IOContext.DEFAULT)) {
                    assertThat(input.readLong()).isEqualTo(i);
                }
            }
            try (PageGuard guard = impatient.pool().fix(PageId.of(0, 0))) {
                assertThat(guard.pageBytes()).isEqualTo(PAGE_BYTES);
                expectNoFailure("the deletion of the file itself", () -> busy.deleteFile("file0"));
                expectNoFailure("a rename", () -> busy.rename("file1", "file2"));
                expectNoFailure("a list", busy::listAll);
                expectNoFailure(
                        "an open",
                        () -> busy.openInput("file2", IOContext.DEFAULT).close());
                assertThatThrownBy(busy::close)
                        .isInstanceOf(DirectoryBusyException.class)
                        .hasMessageContaining("file0");
            }
        }
    }

    private static void expectNoFailure(String what, ThrowingCallable action) {
        assertThatCode(action).as(what).doesNotThrowAnyException();
    }

    @Test
    void figuresOfAPoolLeaveOutNoDirectoryThatIsBeingClosed() throws IOException {
        writePages(1);
        try (IndexInput input = input()) {
            List<ClockhandDirectory> seen = pool.directories();
            directory.close();
            assertThat(pool.directoryStats(seen)).containsOnlyKeys(folder.toString());
            assertThat(input.length()).isEqualTo(PAGE_BYTES);
        }
    }

    /** Of a policy, for instance. */
    @Test
    void fileWhoseCloseFailsByAnUncheckedExceptionIsClosedLater() throws IOException {
        AtomicBoolean fails = new AtomicBoolean();
        try (DirectoryPool frail = frail(() -> {
                    if (fails.getAndSet(false)) {
                        throw new IllegalStateException("the policy fails");
                    }
                });
                Directory reading = new ClockhandDirectory(folder, frail)) {
            write(reading, NAME, 0, 10);
            try (IndexInput input = reading.openInput(NAME, IOContext.DEFAULT)) {
                assertThat(input.readLong()).isZero();
            }
            fails.set(true);
            reading.deleteFile(NAME);
            assertThat(fails).as("the policy will fail").isFalse();
            assertThat(reading.listAll()).isEmpty();
            assertThatCode(() -> frail.pool().open(0, folder.resolve("other"), FileOption.CREATE))
                    .as("an open under the number of the file")
                    .doesNotThrowAnyException();
        }
    }

    /** The close of the directory has not seen the file, which was being closed, and so has told nothing. */
    @Test
    void fileWhoseCloseFailsWhenItsDirectoryIsClosedIsTold() throws IOException {
        AtomicReference<Directory> closing = new AtomicReference<>();
        try (DirectoryPool frail = frail(() -> {
            Directory closed = closing.getAndSet(null);
            if (closed != null) {
                expectNoFailure("the close of the directory", closed::close);
                throw new IllegalStateException("the policy fails");
            }
        })) {
            Directory reading = new ClockhandDirectory(folder, frail);
            write(reading, NAME, 0, 10);
            IndexInput input = reading.openInput(NAME, IOContext.DEFAULT);
            assertThat(input.readLong()).isZero();
            reading.deleteFile(NAME);
            closing.set(reading);

            assertThatThrownBy(input::close)
                    .as("the close of the last input of a file that cannot be closed")
                    .hasMessageContaining("the policy fails");
            reading.close();
        }
    }

    private static DirectoryPool frail(Runnable onRemove) {
        ReplacementPolicy failing = new ReplacementPolicy() {
            @Override
            public void onLoad(int frame, long identity, int generation) {}

            @Override
            public void onRemove(int frame) {
                onRemove.run();
            }

            @Override
            public int evict(long incomingIdentity, Claims claims) {
                return NONE;
            }

            @Override
            public void onCapacity(int frames) {}
        };
        return TestDirectories.small()
                .tuning(builder -> builder.policy("failing", frames -> failing))
                .build();
    }

    @Test
    void closedDirectoryOpensNoFile() throws IOException {
        writePages(1);
        directory.close();
        assertThatThrownBy(this::input).isInstanceOf(AlreadyClosedException.class);
        assertThat(openFiles()).isZero();
    }

    @Test
    void closedPoolOpensNoFile() throws IOException {
        writePages(1);
        input().close();
        pool.close();
        assertThatThrownBy(this::input).isInstanceOf(AlreadyClosedException.class);
    }

    @Test
    void sliceOfACompoundFileHasItsOwnHints() throws IOException {
        writePages(PAGES / 2);
        write(directory, "compound", 0, 10 * PAGES * PAGE_BYTES / Long.BYTES);
        try (IndexInput hot = input();
                IndexInput compound = directory.openInput("compound", IOContext.DEFAULT)) {
            for (int round = 0; round < 4; round++) {
                for (int page = 0; page < PAGES / 2; page++) {
                    expect(hot, at(page));
                }
            }
            IndexInput merged = compound.slice("merged", 0, compound.length(), IOContext.merge());
            for (int page = 0; page < 10 * PAGES; page++) {
                expect(merged, at(page));
            }
            assertThat(hot.isLoaded()).as("hot pages that are in memory").contains(true);
        }
    }

    @Test
    void positionsThatNoFileHasAreRefused() throws IOException {
        writePages(2);
        try (IndexInput input = input()) {
            assertThatThrownBy(() -> input.slice("some", Long.MAX_VALUE, Long.MAX_VALUE))
                    .isInstanceOf(IllegalArgumentException.class);
            IndexInput slice = input.slice("some", 100, 100);
            assertThatThrownBy(() -> slice.seek(Long.MAX_VALUE)).isInstanceOf(EOFException.class);
            assertThatThrownBy(() -> slice.seek(101)).isInstanceOf(EOFException.class);
        }
    }

    /** All bytes of a page are 7 in one file, 9 in the other, whose pages take the frames of the first. */
    @Test
    void readsOfAPageThatWasEvictedAreRight() throws IOException {
        for (String name : List.of("sevens", "nines")) {
            byte[] bytes = new byte[2 * PAGES * PAGE_BYTES];
            Arrays.fill(bytes, (byte) (name.equals("sevens") ? 7 : 9));
            try (IndexOutput output = directory.createOutput(name, IOContext.DEFAULT)) {
                output.writeBytes(bytes, bytes.length);
            }
        }
        try (IndexInput sevens = directory.openInput("sevens", IOContext.DEFAULT);
                IndexInput nines = directory.openInput("nines", IOContext.DEFAULT)) {
            for (int i = 0; i < WindowReads.ALL.size(); i++) {
                sevens.seek(0);
                sevens.readByte();
                for (int page = 0; page < 2 * PAGES; page++) {
                    nines.seek(at(page));
                    nines.readByte();
                }
                long found = WindowReads.ALL.get(i).of(sevens);
                assertThat(Long.toHexString(found)).as("read %d", i).matches("(0?7)+");
            }
        }
    }

    /** On Linux, where a process can ask how its files are open. */
    @Test
    void filesAreOpenForDirectIoIfTheyAreToBe() throws IOException {
        assumeTrue(Files.isDirectory(Path.of("/proc/self/fdinfo")));
        writePages(8);
        try (DirectoryPool direct = TestDirectories.pool(4096).directIo(true).build();
                Directory past = new ClockhandDirectory(folder, direct);
                IndexInput input = past.openInput(NAME, IOContext.DEFAULT);
                IndexInput cached = input()) {
            expect(input, 0);
            expect(cached, 0);
            assertThat(flags())
                    .as("flags of %s", NAME)
                    .hasSize(2)
                    .satisfiesExactlyInAnyOrder(
                            flag -> assertThat(flag & DIRECT).isZero(),
                            flag -> assertThat(flag & DIRECT).isNotZero());
        }
    }

    private List<Long> flags() throws IOException {
        List<Long> flags = new ArrayList<>();
        try (DirectoryStream<Path> descriptors = Files.newDirectoryStream(Path.of("/proc/self/fd"))) {
            for (Path descriptor : descriptors) {
                if (isOf(descriptor)) {
                    Path info = Path.of("/proc/self/fdinfo").resolve(descriptor.getFileName());
                    String line = Files.readAllLines(info).get(1);
                    flags.add(Long.parseLong(line.substring("flags:".length()).strip(), 8));
                }
            }
        }
        return flags;
    }

    private boolean isOf(Path descriptor) {
        try {
            return Files.readSymbolicLink(descriptor)
                    .equals(folder.resolve(NAME).toRealPath());
        } catch (IOException e) {
            return false; // that of the stream, which is closed
        }
    }

    @Test
    void lengthOfAnEncryptedFileIsRightAlthoughItWasOpenedBefore() throws IOException {
        try (Directory secret = encrypted(TestDirectories.KEYS)) {
            try (IndexOutput output = secret.createOutput(NAME, IOContext.DEFAULT)) {
                output.writeInt(7);
                secret.openInput(NAME, IOContext.DEFAULT).close();
            }
            assertThat(secret.fileLength(NAME)).isEqualTo(4);
            try (IndexInput input = secret.openInput(NAME, IOContext.DEFAULT)) {
                assertThat(input.length()).isEqualTo(4);
            }
        }
    }

    @Test
    void fileThatCouldNotBeEncryptedIsNotLeft() throws IOException {
        EncryptionKeys none = new EncryptionKeys() {
            @Override
            public String newest() {
                return "none";
            }

            @Override
            public SecretKey key(String id) throws IOException {
                throw new IOException("the key service is down");
            }
        };
        try (Directory secret = encrypted(none)) {
            assertThatThrownBy(() -> secret.createOutput(NAME, IOContext.DEFAULT))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("the key service is down");
            assertThat(secret.listAll()).isEmpty();
        }
    }

    @Test
    void closeOfManyFilesLeavesNoneInThePool() throws IOException {
        int files = 300;
        for (int i = 0; i < files; i++) {
            write(directory, "file" + i, i, 10);
            try (IndexInput input = directory.openInput("file" + i, IOContext.DEFAULT)) {
                assertThat(input.readLong()).isEqualTo(i);
            }
        }
        assertThat(pool.pool().file(files - 1)).isPresent();
        directory.close();
        for (int i = 0; i < files; i++) {
            assertThat(pool.pool().file(i)).isEmpty();
        }
        pool.pool().checkIntegrity();
    }
}
