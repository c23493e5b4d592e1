// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.lucene;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.clockhand.PageId;
import io.clockhand.PoolFailedException;
import io.clockhand.page.PageGuard;
import java.io.IOException;
import java.lang.ref.WeakReference;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.locks.LockSupport;
import org.apache.lucene.store.AlreadyClosedException;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.store.IndexOutput;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Inputs whose pool was closed, or has failed, name the file, and never return a wrong byte. */
class ClosedPoolTest {
    private static final String NAME = "_0.dat";
    private static final byte SEVEN = 7;
    private static final int COLLECTIONS = 1_000;

    @TempDir
    private Path folder;

    private DirectoryPool pool;
    private Directory directory;

    @BeforeEach
    void write() throws IOException {
        open();
        byte[] sevens = new byte[8 * TestDirectories.PAGE_BYTES];
        Arrays.fill(sevens, SEVEN);
        try (IndexOutput output = directory.createOutput(NAME, IOContext.DEFAULT)) {
            output.writeBytes(sevens, sevens.length);
        }
    }

    private void open() throws IOException {
        pool = TestDirectories.small().build();
        directory = new ClockhandDirectory(folder, pool);
    }

    @Test
    void everyReadInAWindowIsRefusedAsClosed() throws IOException {
        IndexInput input = directory.openInput(NAME, IOContext.DEFAULT);
        input.readByte(); // shows the page
        pool.close();
        for (int i = 0; i < WindowReads.ALL.size(); i++) {
            WindowReads.Read read = WindowReads.ALL.get(i);
            assertThatThrownBy(() -> read.of(input))
                    .as("read %d", i)
                    .isInstanceOf(AlreadyClosedException.class)
                    .hasMessageContaining(NAME);
        }
        input.close();
        directory.close();
    }

    /** Direct memory is freed when the collector has found that nobody refers to it. */
    @Test
    void slabsOfAClosedPoolAreGarbage() throws IOException {
        DirectoryPool closed = TestDirectories.small()
                .tuning(builder -> builder.tuning(t -> t.hugePages(false)))
                .build();
        Directory reading = new ClockhandDirectory(folder, closed);
        WeakReference<ByteBuffer> slab;
        try (IndexInput input = reading.openInput(NAME, IOContext.DEFAULT)) {
            assertThat(input.readByte()).isEqualTo(SEVEN);
            try (PageGuard guard = closed.pool().fix(PageId.of(0, 0))) {
                slab = new WeakReference<>(guard.slab());
            }
        }
        closed.close();
        for (int i = 0; slab.get() != null && i < COLLECTIONS; i++) {
            System.gc();
            LockSupport.parkNanos(1_000_000);
        }
        assertThat(slab.get()).as("the slab of a closed pool").isNull();
        reading.close();
    }

    @Test
    void readsConcurrentWithTheCloseAreRightUntilTheyAreRefused() throws Exception {
        try (ExecutorService executor = Executors.newSingleThreadExecutor()) {
            for (int round = 0; round < 20; round++) {
                if (round > 0) {
                    open();
                }
                IndexInput input = directory.openInput(NAME, IOContext.DEFAULT);
                CountDownLatch begun = new CountDownLatch(1);
                Future<Long> wrong = executor.submit(() -> firstOther(input, begun));
                begun.await();
                pool.close();
                assertThat(wrong.get()).as("a byte that is not 7, or 7").isEqualTo(SEVEN);
                directory.close();
            }
        }
    }

    /** Reads until the pool is closed; {@return the first byte that is not 7, else 7} */
    private static long firstOther(IndexInput input, CountDownLatch begun) throws IOException {
        try {
            while (true) {
                input.seek(0);
                for (int i = 0; i < 100; i++) {
                    byte found = input.readByte();
                    if (found != SEVEN) {
                        return found;
                    }
                }
                begun.countDown();
            }
        } catch (AlreadyClosedException e) {
            return SEVEN;
        }
    }

    @Test
    void opensOfAFailedPoolNameTheFile() throws IOException {
        pool.pool().fail(new Error("for a test"));
        assertThatThrownBy(() -> directory.openInput(NAME, IOContext.DEFAULT))
                .isInstanceOf(IOException.class)
                .hasMessageContainingAll("cannot open ", NAME)
                .hasCauseInstanceOf(PoolFailedException.class);
        pool.pool().closeWithoutWriting();
        directory.close();
    }

    @Test
    void failedPoolIsNotTakenForABusyOneWhenItsFilesAreClosed() throws IOException {
        directory.openInput(NAME, IOContext.DEFAULT).close();
        pool.pool().fail(new Error("for a test"));
        assertThatThrownBy(() -> directory.close())
                .isInstanceOf(IOException.class)
                .isNotInstanceOf(DirectoryBusyException.class)
                .hasMessageContainingAll("cannot close ", NAME)
                .hasCauseInstanceOf(PoolFailedException.class);
        pool.pool().closeWithoutWriting();
        directory.close();
    }

    @Test
    void readsOfAFailedPoolNameTheFile() throws IOException {
        try (IndexInput input = directory.openInput(NAME, IOContext.DEFAULT)) {
            pool.pool().fail(new Error("for a test"));
            assertThatThrownBy(() -> input.readByte())
                    .isInstanceOf(IOException.class)
                    .hasMessageContainingAll("cannot read page 0", NAME)
                    .hasCauseInstanceOf(PoolFailedException.class);
        } finally {
            pool.pool().closeWithoutWriting();
        }
        directory.close();
    }

    @Test
    void hintsAreIgnoredInAFailedPool() throws IOException {
        try (IndexInput input = directory.openInput(NAME, IOContext.DEFAULT)) {
            pool.pool().fail(new Error("for a test"));
            assertThatCode(() -> input.prefetch(0, input.length()))
                    .as("a prefetch")
                    .doesNotThrowAnyException();
            assertThat(input.isLoaded()).contains(false);
        }
        pool.close();
        directory.close();
    }

    @Test
    void poolThatHasFailedIsClosedWithItsFiles() throws IOException {
        IndexInput input = directory.openInput(NAME, IOContext.DEFAULT);
        pool.pool().fail(new Error("for a test"));
        assertThatCode(pool::close).as("the close of the pool").doesNotThrowAnyException();
        assertThat(pool.pool().isClosed()).isTrue();
        assertThatThrownBy(input::readByte)
                .isInstanceOf(AlreadyClosedException.class)
                .hasMessageContaining(NAME);
        input.close();
        assertThatCode(directory::close).as("the close of the directory").doesNotThrowAnyException();
    }
}
