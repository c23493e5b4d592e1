// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.page;

import static org.assertj.core.api.Assertions.assertThat;

import io.clockhand.io.FileOption;
import io.clockhand.io.FilePageStore;
import io.clockhand.io.PageStore;
import io.clockhand.testing.DirectFolder;
import io.clockhand.testing.Pools;
import io.clockhand.testing.Workers;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A pool of a few frames over a file that is read and written past the operating system's cache. */
class DirectPoolTest {
    private static final int PAGE_BYTES = 4096;
    private static final int PAGES = 256;
    private static final int THREADS = 4;

    @TempDir
    private Path folder;

    @RegisterExtension
    private final Workers workers = new Workers();

    @BeforeEach
    void skipWhatTheFileSystemCannotDo() throws IOException {
        DirectFolder.assumePagesOf(PAGE_BYTES, folder);
    }

    private Path file() {
        return folder.resolve("pages.db");
    }

    private static long stamp(long page, int at) {
        return page * 0x9E37_79B9_7F4A_7C15L + at;
    }

    private void writeFile() throws IOException {
        try (PageStore store = FilePageStore.open(file(), PAGE_BYTES, FileOption.CREATE, FileOption.DIRECT)) {
            for (long page = 0; page < PAGES; page++) {
                ByteBuffer bytes = ByteBuffer.allocate(PAGE_BYTES);
                for (int at = 0; at < PAGE_BYTES; at += Long.BYTES) {
                    bytes.putLong(at, stamp(page, at));
                }
                store.write(page, bytes);
            }
            store.force();
        }
    }

    private static void expectPage(BufferPool pool, PagedFile file, long page) throws IOException {
        try (PageGuard guard = pool.fix(file.id(page))) {
            for (int at = 0; at < PAGE_BYTES; at += Long.BYTES) {
                long expected = page < PAGES ? stamp(page, at) : 0;
                if (guard.getLong(at) != expected) {
                    throw new AssertionError("page " + page + " is wrong at " + at);
                }
            }
        }
    }

    @ParameterizedTest
    @EnumSource(PageIn.class)
    void pagesThatComeAndGoAreRight(PageIn pageIn) throws IOException {
        writeFile();
        long grown;
        try (BufferPool pool = Pools.builder()
                .pageBytes(PAGE_BYTES)
                .frames(16)
                .tuning(t -> t.pageIn(pageIn))
                .build()) {
            pool.collectStats(true);
            PagedFile file = pool.open(0, FilePageStore.open(file(), PAGE_BYTES, FileOption.CREATE, FileOption.DIRECT));
            List<Workers.Worker<Void>> all = new ArrayList<>();
            IntStream.range(0, THREADS).forEach(seed -> all.add(workers.run(() -> fixAndCreate(pool, file, seed))));
            all.forEach(Workers.Worker::result);

            grown = file.pages();
            assertThat(grown).isGreaterThan(PAGES);
            assertThat(pool.stats().evictions()).isGreaterThan(PAGES);
            pool.checkIntegrity();
        }
        try (BufferPool pool = Pools.builder().pageBytes(PAGE_BYTES).build()) {
            PagedFile file = pool.open(0, FilePageStore.open(file(), PAGE_BYTES, FileOption.CREATE));
            assertThat(file.pages()).isEqualTo(grown);
            for (long page = 0; page < grown; page++) {
                expectPage(pool, file, page);
            }
        }
    }

    private static void fixAndCreate(BufferPool pool, PagedFile file, int seed) throws IOException {
        SplittableRandom random = new SplittableRandom(seed);
        for (int i = 0; i < 1_000; i++) {
            if (random.nextInt(50) == 0) {
                file.create().close();
            }
            if (random.nextInt(50) == 0) {
                Thread.currentThread().interrupt(); // which closes no channel for anybody
            }
            expectPage(pool, file, random.nextLong(file.pages()));
        }
        Thread.interrupted();
    }
}
