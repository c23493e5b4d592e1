// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.io;

import static org.assertj.core.api.Assertions.assertThat;

import io.clockhand.testing.Workers;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicBoolean;
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
}
