// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.internal.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.clockhand.FileBeingTruncatedException;
import io.clockhand.LongWaitHandler;
import io.clockhand.PageId;
import io.clockhand.internal.pool.PoolOptions;
import io.clockhand.io.FileOption;
import io.clockhand.io.FilePageStore;
import io.clockhand.io.MemoryPageStore;
import io.clockhand.io.PageStore;
import io.clockhand.testing.Allocations;
import io.clockhand.testing.Gate;
import io.clockhand.testing.Workers;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** The files of a pool, without its frames. */
class FileTableTest {
    private static final int PAGE_BYTES = 512;
    /** The number of a file whose rows many threads update at the same time. */
    private static final int SHARED = 5;

    @RegisterExtension
    private final Workers workers = new Workers();

    private final FileTable files = new FileTable(
            new PoolOptions(
                    "",
                    1,
                    1,
                    true,
                    Duration.ofHours(1),
                    "",
                    IllegalStateException::new,
                    Duration.ofHours(1),
                    LongWaitHandler.GIVE_UP::onLongWait),
            PAGE_BYTES,
            number -> number == SHARED);

    /** The latch mode of a page is chosen before the page is pinned: its file may be opened or closed meanwhile. */
    @Test
    void rowsOfAFileAreSharedWhetherOrNotItIsOpen() throws IOException {
        assertThat(files.hasSharedUpdates(PageId.of(SHARED, 0))).isTrue();
        assertThat(files.hasSharedUpdates(PageId.of(SHARED + 1, 0))).isFalse();

        files.open(SHARED, new NotingStore());
        files.open(SHARED + 1, new NotingStore());

        assertThat(files.hasSharedUpdates(PageId.of(SHARED, 0))).isTrue();
        assertThat(files.hasSharedUpdates(PageId.of(SHARED + 1, 0))).isFalse();
    }

    /** An error from there on would leave the store owned for ever, and its number reserved. */
    @Tag("nightly")
    @Test
    void openingAllocatesNothingWhenTheStoreIsOwned() throws Exception {
        long most = 0;
        for (int number = 1_000; number < 1_500; number++) {
            NotingStore store = new NotingStore();
            files.open(number, store);
            long bytes = Allocations.soFar() - store.whenOwned;
            if (number >= 1_100) { // the JVM makes faster calls of the counter when it has been called often
                most = Math.max(most, bytes);
            }
        }
        assertThat(most).as("bytes of the count itself").isLessThan(2_000);
    }

    @Test
    void filesThatAreReopenedGrowAgain() throws IOException {
        PageFile file = files.open(7, new MemoryPageStore("growing", PAGE_BYTES));
        files.shut();
        files.reopen();

        assertThat(files.create(file, page -> {})).isZero();
    }

    /** The files of a pool whose close is refused must grow again, also if it is refused since memory has run out. */
    @Tag("nightly")
    @Test
    void reopeningNeedsNoMemory() throws Exception {
        for (int number = 0; number < 2_000; number++) {
            files.open(number, new MemoryPageStore("file " + number, PAGE_BYTES));
        }
        files.shut();

        assertThat(Allocations.ofEachRun(files::reopen))
                .as("bytes, those of the count itself among them")
                .isLessThan(2_000);

        assertThat(files.create(files.find(1_000), page -> {})).isZero();
    }

    /** Or a thread could look for a page that the loader would read, though it was never written. */
    @Test
    void pageExistsWhenItAndAllPagesBeforeItAreMapped() throws IOException {
        PageFile file = files.open(7, new MemoryPageStore("growing", PAGE_BYTES));
        Gate gate = new Gate();
        Workers.Worker<Long> first = workers.start(() -> files.create(file, page -> gate.pass()));
        gate.awaitReached();
        Workers.Worker<Boolean> second = workers.start(() -> {
            long page = files.create(file, number -> {});
            file.awaitExists(page);
            return file.pages() > page;
        });
        second.awaitParked();
        assertThat(file.pages()).isZero();
        assertThat(files.exists(PageId.of(7, 1))).as("page 1 may be written").isTrue();
        assertThat(files.exists(PageId.of(7, 2))).as("page 2 may be written").isFalse();
        gate.open();
        assertThat(first.result()).isZero();
        assertThat(second.result()).isTrue();
        assertThat(file.pages()).isEqualTo(2);
    }

    @Test
    void pageExistsNotBeforeItIsMapped() throws IOException {
        PageFile file = files.open(7, new MemoryPageStore("growing", PAGE_BYTES));
        long[] before = new long[1];
        files.create(file, page -> before[0] = file.pages());
        assertThat(before[0])
                .as("the pages that exist before the first is mapped")
                .isZero();
        assertThat(file.pages()).isOne();
    }

    @Test
    void numberIsFreeNotBeforeThePagesHaveLeftMemory() throws IOException {
        PageFile file = files.open(7, new MemoryPageStore("old", PAGE_BYTES));
        files.create(file, page -> {});
        files.remove(
                file,
                Removal.CLOSE,
                (first, last, writes, onUsers) -> assertThatThrownBy(
                                () -> files.open(7, new MemoryPageStore("new", PAGE_BYTES)),
                                "another file gets the number while pages of the former one are in memory")
                        .isInstanceOf(IllegalArgumentException.class));
        files.open(7, new MemoryPageStore("new", PAGE_BYTES));
    }

    /** Or a thread that uses a removed page and creates another would wait for the truncation, which waits for it. */
    @Test
    void creationThatWaitsForATruncationEndsWhenThatWaitsForAUser() throws IOException {
        PageFile file = files.open(7, new MemoryPageStore("memory", PAGE_BYTES));
        files.create(file, page -> {});
        Gate begun = new Gate();
        Gate waiting = new Gate();
        Workers.Worker<Void> truncation = workers.start(() -> {
            files.truncate(file, 0, (first, last, writes, onUsers) -> {
                begun.pass();
                onUsers.run();
                waiting.pass();
            });
            return null;
        });
        begun.awaitReached();
        Workers.Worker<Long> creator = workers.start(() -> files.create(file, page -> {}));
        creator.awaitParked();
        begun.open();
        assertThatThrownBy(creator::result, "a creation while the truncation waits for a user")
                .hasRootCauseInstanceOf(FileBeingTruncatedException.class);
        waiting.open();
        truncation.result();
        assertThat(files.create(file, page -> {})).isZero();
    }

    @Test
    void closeCutsTheFileToItsBytes(@TempDir Path folder) throws IOException {
        Path path = folder.resolve("some.db");
        Files.write(path, new byte[3 * PAGE_BYTES + 10]);
        for (int round = 0; round < 2; round++) {
            PageFile file = files.open(7, FilePageStore.open(path, PAGE_BYTES, FileOption.ANY_LENGTH));
            assertThat(file.bytes()).isEqualTo(3 * PAGE_BYTES + 10);
            file.write(3, ByteBuffer.allocate(PAGE_BYTES));
            if (round == 1) {
                files.create(file, page -> {});
                assertThat(file.bytes()).isEqualTo(5 * PAGE_BYTES);
            }
            assertThatCode(() -> files.remove(file, Removal.CLOSE, (first, last, writes, onUsers) -> {}))
                    .as("a close")
                    .doesNotThrowAnyException();
            assertThat(Files.size(path))
                    .as("the length when it is closed")
                    .isEqualTo(round == 0 ? 3 * PAGE_BYTES + 10 : 5 * PAGE_BYTES);
        }
    }

    @Test
    void truncationWaitsForPagesThatAreNotMappedYet() throws IOException {
        PageFile file = files.open(7, new MemoryPageStore("growing", PAGE_BYTES));
        files.create(file, page -> {});
        Gate gate = new Gate();
        Workers.Worker<Long> creator = workers.start(() -> files.create(file, page -> gate.pass()));
        gate.awaitReached();
        Workers.Worker<Void> truncation = workers.start(() -> {
            files.truncate(
                    file,
                    0,
                    (first, last, writes, onUsers) -> assertThat(file.pages()).isZero());
            return null;
        });
        truncation.awaitParked();
        gate.open();
        assertThat(creator.result()).isEqualTo(1);
        truncation.result();
        assertThat(file.pages()).isZero();
        assertThat(files.create(file, page -> {})).isZero();
    }

    /**
     * Creation B extends the store; meanwhile A is given up, and C takes its number. The disk is full: B must not take
     * that for a success because the store has a page for A.
     */
    @Test
    void extensionThatFailsWhileAnEarlierCreationIsGivenUpLeavesNoPageBehindTheEndOfTheStore() throws IOException {
        FillingStore store = new FillingStore();
        PageFile file = files.open(7, store);
        for (int page = 0; page < 7; page++) {
            files.create(file, number -> {});
        }
        assertThat(store.pages()).isEqualTo(8);
        Gate mapping = new Gate();
        Workers.Worker<Long> a = workers.start(() -> files.create(file, page -> {
            mapping.pass();
            throw new IOException("page " + page + " cannot be mapped");
        }));
        mapping.awaitReached();
        store.full = new Gate();
        Workers.Worker<Long> b = workers.start(() -> files.create(file, page -> {}));
        store.full.awaitReached();
        mapping.open();
        assertThatThrownBy(a::result).hasStackTraceContaining("page 7 cannot be mapped");
        assertThat(files.create(file, page -> {})).isEqualTo(7);
        store.full.open();
        assertThatThrownBy(b::result).hasStackTraceContaining("the disk is full");

        assertThat(file.pages()).isEqualTo(8);
        assertThat(store.pages()).isEqualTo(8);
        assertThatThrownBy(() -> files.create(file, page -> {})).hasMessageContaining("the disk is full");
        store.full = null;
        assertThat(files.create(file, page -> {})).isEqualTo(8);
        assertThat(store.pages()).isGreaterThan(8);
    }

    /** Or later creations, truncations and the close would wait for it. */
    @Test
    void creationEndsThoughNobodyCanTellWhetherItsPageIsMapped() throws IOException {
        PageFile file = files.open(7, new MemoryPageStore("growing", PAGE_BYTES));
        PageFile.Mapping unknown = new PageFile.Mapping() {
            @Override
            public void map(long page) throws IOException {
                throw new IOException("no mapping");
            }

            @Override
            public boolean isMapped(long page) {
                throw new IllegalStateException("no answer");
            }
        };
        assertThatThrownBy(() -> files.create(file, unknown))
                .hasMessage("no mapping")
                .hasSuppressedException(new IllegalStateException("no answer"));
        assertThat(files.create(file, page -> {})).isEqualTo(1);
        files.truncate(file, 0, (first, last, writes, onUsers) -> {});
        files.shut();
    }

    /** A checkpoint during the close must not count the writes as forced. */
    @Test
    void forceAfterACloseWithoutOneFails() throws IOException {
        PageFile file = files.open(7, new MemoryPageStore("abandoned", PAGE_BYTES));
        files.create(file, page -> {});
        file.write(0, ByteBuffer.allocate(PAGE_BYTES));
        files.close(false);

        assertThatThrownBy(files::force)
                .isInstanceOf(IOException.class)
                .hasMessageContaining("cannot force abandoned")
                .hasMessageContaining("closed without a force");
    }

    /** A store whose extensions fail while the disk is full, when the test has let them go on. */
    private static final class FillingStore extends Forwarding {
        private volatile Gate full;

        @Override
        public void extend(long pages) throws IOException {
            Gate gate = full;
            if (gate != null && pages > pages()) {
                gate.pass();
                throw new IOException("the disk is full");
            }
            super.extend(pages);
        }
    }

    /** A store of no pages that notes how much its thread had allocated when it was owned. */
    private static final class NotingStore extends Forwarding {
        private long whenOwned;

        @Override
        public boolean tryOwn() {
            try {
                whenOwned = Allocations.soFar();
            } catch (ReflectiveOperationException e) {
                throw new LinkageError(e.getMessage(), e);
            }
            return super.tryOwn();
        }
    }

    private abstract static class Forwarding implements PageStore {
        private final MemoryPageStore store = new MemoryPageStore("store", PAGE_BYTES);

        @Override
        public boolean tryOwn() {
            return store.tryOwn();
        }

        @Override
        public String name() {
            return store.name();
        }

        @Override
        public int pageBytes() {
            return store.pageBytes();
        }

        @Override
        public long pages() {
            return store.pages();
        }

        @Override
        public void read(long page, ByteBuffer target) throws IOException {
            store.read(page, target);
        }

        @Override
        public void write(long page, ByteBuffer source) throws IOException {
            store.write(page, source);
        }

        @Override
        public void truncate(long pages) throws IOException {
            store.truncate(pages);
        }

        @Override
        public void force() throws IOException {
            store.force();
        }

        @Override
        public void close() throws IOException {
            store.close();
        }
    }
}
