// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.page;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.clockhand.NoSuchPageException;
import io.clockhand.io.FileOption;
import io.clockhand.testing.Pools;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

/**
 * Fills a file system with pages, and checks what works when it is full, and when there is space again. Run by {@link
 * FullDiskTest}, in its JVM or in one of its own.
 */
final class FullDisk {
    private static final int PAGE_BYTES = 4096;
    private static final int FRAMES = 32;
    private static final int FAILURES = 5;
    private static final long MOST_BYTES = 64 << 20;
    private static final long LEAST_BYTES = 1 << 20;

    private final Path pages;
    private final Path other;
    private final Path ballast;
    /** The number of pages that were created. */
    private long count;
    /** Each page has its number and this. */
    private long round;

    private FullDisk(Path folder) {
        this.pages = folder.resolve("pages.db");
        this.other = folder.resolve("other.db");
        this.ballast = folder.resolve("ballast");
    }

    public static void main(String[] args) throws IOException {
        System.out.println(check(Path.of(args[0])));
    }

    /** {@return what was found} */
    static String check(Path folder) throws IOException {
        long space = Files.getFileStore(folder).getUsableSpace();
        if (space < LEAST_BYTES || space > MOST_BYTES) {
            throw new IllegalArgumentException(folder + " has " + space + " bytes left, which this would fill: mount a"
                    + " file system of its own there, of " + LEAST_BYTES + " to " + MOST_BYTES + " bytes");
        }
        FullDisk disk = new FullDisk(folder);
        Files.write(disk.ballast, new byte[(int) (space / 4)]);
        try {
            return disk.run();
        } finally {
            Files.deleteIfExists(disk.pages);
            Files.deleteIfExists(disk.other);
            Files.deleteIfExists(disk.ballast);
        }
    }

    private String run() throws IOException {
        String failure;
        try (BufferPool pool = pool()) {
            PagedFile file = pool.open(7, pages, FileOption.CREATE_NEW);
            failure = createUntilFull(pool, file);
            checkWorksWhileFull(pool, file);
            checkOtherFile(pool);
            pool.checkIntegrity();
        }
        long whenFull = count;
        try (BufferPool pool = pool()) { // also while the disk is full
            PagedFile file = pool.open(7, pages);
            assertThat(file.pages()).isEqualTo(count);
            checkWorksWhileFull(pool, file);
            Files.delete(ballast);
            for (int i = 0; i < 100; i++) {
                create(file);
            }
            checkAll(pool, file);
            pool.flush();
            pool.checkpoint();
            pool.checkIntegrity();
        }
        try (BufferPool pool = pool()) {
            PagedFile file = pool.open(7, pages);
            assertThat(file.pages()).isEqualTo(count);
            checkAll(pool, file);
        }
        return "full with " + whenFull + " pages: " + failure + "; " + count + " pages at the end";
    }

    private static BufferPool pool() {
        return Pools.builder()
                .pageBytes(PAGE_BYTES)
                .frames(FRAMES)
                .tuning(t -> t.flushInterval(Duration.ofMillis(5)))
                .build();
    }

    private String createUntilFull(BufferPool pool, PagedFile file) throws IOException {
        String failure = null;
        for (int failures = 0; failures < FAILURES; ) {
            long before = file.pages();
            assertThat(before).isEqualTo(count);
            try {
                create(file);
            } catch (IOException e) {
                failures++;
                failure = e.getMessage();
                assertThat(failure).contains(file.name()).contains("No space left on device");
                assertThat(file.pages()).isEqualTo(before);
                assertThatThrownBy(() -> pool.fix(file.id(before))).isInstanceOf(NoSuchPageException.class);
            }
        }
        assertThat(count).isPositive();
        assertThat(Files.size(pages) % PAGE_BYTES).isZero();
        return failure;
    }

    private void create(PagedFile file) throws IOException {
        try (WritablePage page = file.create()) {
            assertThat(page.id()).isEqualTo(file.id(count));
            put(page, count);
        }
        count++;
    }

    private void put(WritablePage page, long number) {
        page.beginUpdate();
        for (int at = 0; at < PAGE_BYTES; at += 2 * Long.BYTES) {
            page.putLong(at, number);
            page.putLong(at + Long.BYTES, round);
        }
        page.endUnloggedUpdate();
    }

    /** Pages that exist have their space: they can be changed and written, and a checkpoint succeeds. */
    private void checkWorksWhileFull(BufferPool pool, PagedFile file) throws IOException {
        checkAll(pool, file);
        round++;
        for (long number = 0; number < count; number++) {
            try (WritablePage page = pool.fixExclusive(file.id(number))) {
                put(page, number);
            }
        }
        pool.flush();
        pool.checkpoint();
        checkAll(pool, file);
        assertThatThrownBy(file::create).isInstanceOf(IOException.class).hasMessageContaining(file.name());
    }

    private void checkAll(BufferPool pool, PagedFile file) throws IOException {
        for (long number = 0; number < count; number++) {
            try (PageGuard page = pool.fix(file.id(number))) {
                for (int at = 0; at < PAGE_BYTES; at += 2 * Long.BYTES) {
                    assertThat(page.getLong(at)).isEqualTo(number);
                    assertThat(page.getLong(at + Long.BYTES)).isEqualTo(round);
                }
            }
        }
    }

    /** A new file can be opened, but not grow; dropped, it leaves nothing behind. */
    private void checkOtherFile(BufferPool pool) throws IOException {
        PagedFile file = pool.open(8, other, FileOption.CREATE_NEW);
        assertThatThrownBy(file::create)
                .isInstanceOf(IOException.class)
                .hasMessageContaining(file.name())
                .hasMessageContaining("No space left on device");
        assertThat(file.pages()).isZero();
        file.drop();
        assertThat(other).doesNotExist();
    }
}
