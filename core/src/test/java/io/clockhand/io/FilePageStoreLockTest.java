// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.io;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.clockhand.testing.Workers;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** The lock next to a file, when opening fails and when the file is deleted. */
class FilePageStoreLockTest {
    private static final int PAGE_BYTES = 512;

    @TempDir
    private Path folder;

    @RegisterExtension
    private final Workers workers = new Workers();

    private Path file() {
        return folder.resolve("pages.db");
    }

    @Test
    void deletedFileLeavesNoLockFile() throws IOException {
        FilePageStore store = FilePageStore.open(file(), PAGE_BYTES, FileOption.CREATE);
        store.delete();

        try (Stream<Path> left = Files.list(folder)) {
            assertThat(left).isEmpty();
        }
        FilePageStore.open(file(), PAGE_BYTES, FileOption.CREATE).close();
    }

    @Test
    void storesExcludeEachOtherWhileTheFileIsDeletedAgainAndAgain() {
        AtomicInteger users = new AtomicInteger();
        AtomicInteger opened = new AtomicInteger();
        long end = System.nanoTime() + 1_000_000_000L;
        List<Workers.Worker<Void>> all = new ArrayList<>();
        for (int worker = 0; worker < 4; worker++) {
            all.add(workers.run(() -> {
                while (System.nanoTime() < end) {
                    openAndDelete(users, opened);
                }
            }));
        }
        all.forEach(Workers.Worker::result);
        assertThat(opened).hasPositiveValue();
    }

    private void openAndDelete(AtomicInteger users, AtomicInteger opened) throws IOException {
        FilePageStore store;
        try {
            store = FilePageStore.open(file(), PAGE_BYTES, FileOption.CREATE);
        } catch (IOException e) {
            return; // another thread has it, or has deleted it
        }
        opened.getAndIncrement();
        assertThat(users.incrementAndGet()).as("stores of the file").isEqualTo(1);
        LockSupport.parkNanos(500_000); // time for another store to come in
        users.decrementAndGet();
        store.delete();
    }

    /** Opening fails behind the lock when the file vanishes between the lock and the first channel. */
    @Test
    void fileThatVanishesWhileItIsOpenedLeavesNoLock() throws IOException {
        AtomicBoolean done = new AtomicBoolean();
        Workers.Worker<Void> deleter = workers.run(() -> {
            while (!done.get()) {
                Files.deleteIfExists(file());
            }
        });
        int vanished = 0;
        long end = System.nanoTime() + 3_000_000_000L;
        try {
            while (vanished < 200 && System.nanoTime() < end) {
                try (FilePageStore store = FilePageStore.open(file(), PAGE_BYTES, FileOption.CREATE)) {
                    assertThat(store.pageBytes()).isEqualTo(PAGE_BYTES);
                } catch (NoSuchFileException e) {
                    vanished++;
                }
            }
        } finally {
            done.set(true);
            deleter.result();
        }
        assertThat(vanished).isPositive();
        FilePageStore.open(file(), PAGE_BYTES, FileOption.CREATE).close();
    }

    /** An interrupt inside the channel of the lock file closes it, and with it goes the lock. */
    @Test
    void threadThatIsInterruptedWhileItOpensAFileHasTheLock() {
        AtomicBoolean done = new AtomicBoolean();
        Workers.Worker<Integer> opener = workers.start(() -> {
            int opened = 0;
            long end = System.nanoTime() + 1_000_000_000L;
            try {
                while (System.nanoTime() < end) {
                    openWhileInterrupted();
                    opened++;
                }
            } finally {
                done.set(true);
                Thread.interrupted();
            }
            return opened;
        });
        while (!done.get()) {
            opener.thread().interrupt();
            LockSupport.parkNanos(20_000);
        }
        assertThat(opener.result()).isPositive();
    }

    private void openWhileInterrupted() throws IOException {
        try (FilePageStore store = FilePageStore.open(file(), PAGE_BYTES, FileOption.CREATE)) {
            assertThat(store.pages()).isZero();
            assertThatThrownBy(() -> FilePageStore.open(file(), PAGE_BYTES).close())
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("it is open already in this JVM");
        }
    }
}
