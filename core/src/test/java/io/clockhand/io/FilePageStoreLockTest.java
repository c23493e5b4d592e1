// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.io;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.clockhand.testing.Tier;
import io.clockhand.testing.Workers;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** The lock of a file, when opening fails and when the file is deleted. */
class FilePageStoreLockTest {
    private static final int PAGE_BYTES = 512;
    private static final long LONGEST_PAUSE_NANOS = 1_000_000_000;

    @TempDir
    private Path folder;

    @RegisterExtension
    private final Workers workers = new Workers();

    private Path file() {
        return folder.resolve("pages.db");
    }

    @Test
    void deletedFileLeavesNothing() throws IOException {
        FilePageStore store = FilePageStore.open(file(), PAGE_BYTES, FileOption.CREATE);
        store.delete();

        try (Stream<Path> left = Files.list(folder)) {
            assertThat(left).isEmpty();
        }
        FilePageStore.open(file(), PAGE_BYTES, FileOption.CREATE).close();
    }

    @Test
    void storesExcludeEachOtherWhileTheFileIsDeletedAgainAndAgain() {
        int rounds = Tier.pick(1, 1, 20);
        for (int round = 0; round < rounds; round++) {
            openAndDeleteAtOnce(Tier.pick(100, 1_000, 1_000));
        }
    }

    private void openAndDeleteAtOnce(int stores) {
        AtomicInteger users = new AtomicInteger();
        AtomicInteger opened = new AtomicInteger();
        List<Workers.Worker<Void>> all = new ArrayList<>();
        for (int worker = 0; worker < 4; worker++) {
            all.add(workers.run(() -> {
                while (opened.get() < stores) {
                    openAndDelete(users, opened);
                }
            }));
        }
        all.forEach(Workers.Worker::result);
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

    /** As if the file vanished between the lock and the first channel. */
    @Test
    void fileThatIsLockedAndCannotBeOpenedLeavesNoLock() throws IOException {
        Files.createDirectory(file());
        assertThatThrownBy(() -> FilePageStore.open(file(), PAGE_BYTES, FileOption.CREATE))
                .isInstanceOf(IOException.class)
                .hasMessageNotContaining("open already");
        Files.delete(file());

        FilePageStore.open(file(), PAGE_BYTES, FileOption.CREATE).close();
    }

    /** It vanishes between any two steps, perhaps between the lock and the first channel. */
    @Test
    void fileThatVanishesWhileItIsOpenedLeavesNoLock() throws IOException {
        int attempts = Tier.pick(300, 3_000, 100_000);
        AtomicBoolean done = new AtomicBoolean();
        Workers.Worker<Void> deleter = workers.run(() -> {
            while (!done.get()) {
                Files.deleteIfExists(file());
            }
        });
        try {
            for (int attempt = 0; attempt < attempts; attempt++) {
                try (FilePageStore store = FilePageStore.open(file(), PAGE_BYTES, FileOption.CREATE)) {
                    assertThat(store.pageBytes()).isEqualTo(PAGE_BYTES);
                } catch (NoSuchFileException e) {
                    assertThat(e).hasMessageContaining("pages.db");
                }
            }
        } finally {
            done.set(true);
            deleter.result();
        }
        FilePageStore.open(file(), PAGE_BYTES, FileOption.CREATE).close();
    }

    /** An interrupt closes the channel that a thread is in. */
    @Test
    void threadThatIsInterruptedWhileItOpensAFileHasTheLock() {
        int rounds = Tier.pick(1, 1, 25);
        for (int round = 0; round < rounds; round++) {
            openManyWhileInterrupted(Tier.pick(200, 2_000, 2_000));
        }
    }

    private void openManyWhileInterrupted(int stores) {
        AtomicInteger opened = new AtomicInteger();
        Workers.Worker<Void> opener = workers.run(() -> {
            try {
                while (opened.get() < stores) {
                    openWhileInterrupted();
                    opened.getAndIncrement();
                }
            } finally {
                Thread.interrupted();
            }
        });
        AtomicInteger before = new AtomicInteger();
        AtomicLong pause = new AtomicLong();
        Workers.await(
                () -> {
                    opener.thread().interrupt();
                    boolean goesOn = before.getAndSet(opened.get()) < opened.get();
                    // or each attempt would be interrupted where it takes longer than the time between interrupts
                    pause.updateAndGet(nanos -> goesOn ? nanos / 2 : Math.min(2 * nanos + 1_000, LONGEST_PAUSE_NANOS));
                    LockSupport.parkNanos(pause.get());
                    return opener.isDone();
                },
                "the stores are not opened");
        opener.result();
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
