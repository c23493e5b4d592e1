// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.io;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.clockhand.testing.Allocations;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Extensions of stores by zeros, and those that fail. */
class StoreExtensionTest {
    private static final int PAGE_BYTES = 512;

    private final MemoryPageStore memory = new MemoryPageStore("full.db", PAGE_BYTES);
    private final FailingStore store = new FailingStore(memory);

    @TempDir
    private Path folder;

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2})
    void fullDiskTruncatesTheStoreToItsFormerLength(int writes) throws IOException {
        memory.write(2, ByteBuffer.allocate(PAGE_BYTES).put(0, (byte) 1));
        ByteBuffer zeros = ByteBuffer.allocate(4 * PAGE_BYTES).asReadOnlyBuffer();
        store.failWritesAfter(writes);

        assertThatThrownBy(() -> StoreExtension.extend(store, 3 + 10, zeros))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("cannot extend full.db from 3 to 13 pages")
                .hasMessageContaining("No space left")
                .hasMessageNotContaining("nor could");
        assertThat(store.pages()).isEqualTo(3);

        store.succeed();
        StoreExtension.extend(store, 3 + 10, zeros);
        assertThat(store.pages()).isEqualTo(13);
        ByteBuffer page = ByteBuffer.allocate(PAGE_BYTES);
        store.read(2, page);
        assertThat(page.get(0)).isOne();
    }

    @Test
    void fullDiskKeepsWhatIsWrittenToTheLastPageMeanwhile() throws IOException {
        Path file = folder.resolve("pages.db");
        Files.write(file, new byte[PAGE_BYTES + 100]);
        byte[] sevens = new byte[PAGE_BYTES];
        Arrays.fill(sevens, (byte) 7);
        try (PageStore pages = FilePageStore.open(file, PAGE_BYTES, FileOption.ANY_LENGTH)) {
            PageStore full = new ForwardingStore(pages) {
                @Override
                public boolean hasAnyLength() {
                    return store.hasAnyLength();
                }

                @Override
                public long lengthBytes() throws IOException {
                    return store.lengthBytes();
                }

                @Override
                public void setLengthBytes(long bytes) throws IOException {
                    store.setLengthBytes(bytes);
                }

                @Override
                public void writeRun(long first, ByteBuffer source) throws IOException {
                    if (first == 4) {
                        store.write(1, ByteBuffer.wrap(sevens)); // as the flusher of a pool does
                        throw new IOException("No space left on device");
                    }
                    store.write(first, source);
                }
            };

            assertThatThrownBy(() -> full.extend(5))
                    .isInstanceOf(IOException.class)
                    .hasMessageNotContaining("nor could");
            ByteBuffer last = ByteBuffer.allocate(PAGE_BYTES);
            full.read(1, last);
            assertThat(last.array()).as("the last page").isEqualTo(sevens);
            assertThat(full.pages()).isEqualTo(2);
        }
    }

    @Test
    void storeWithoutAnExtensionOfItsOwnWritesPageByPage() throws IOException {
        store.failWritesAfter(4);

        assertThatThrownBy(() -> store.extend(5))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("cannot extend full.db from 0 to 5 pages");
        assertThat(store.pages()).isZero();

        store.failWritesAfter(5);
        store.extend(5);
        assertThat(store.pages()).isEqualTo(5);
    }

    @Test
    void extensionThatCannotBeTakenBackSaysSo() throws IOException {
        store.failWritesAfter(2);
        IOException second = new IOException("cannot truncate full.db: Input/output error");
        store.failTruncations(second);

        assertThatThrownBy(() -> store.extend(5))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("No space left")
                .hasMessageContaining(
                        "nor could it be truncated to its former number of pages, so it may have more now")
                .hasMessageContaining("Input/output error")
                .hasSuppressedException(second);
        assertThat(store.pages()).isEqualTo(2);
    }

    @Test
    void errorOfAWriteTruncatesTheStoreAndIsThrownAsItIs() throws IOException {
        OutOfMemoryError injected = new OutOfMemoryError("injected");
        PageStore failing = new ForwardingStore(memory) {
            @Override
            public void writeRun(long first, ByteBuffer source) throws IOException {
                if (first == 2) {
                    throw injected;
                }
                super.writeRun(first, source);
            }
        };

        assertThatThrownBy(() -> StoreExtension.extend(failing, 5, ByteBuffer.allocate(PAGE_BYTES)))
                .isSameAs(injected);
        assertThat(memory.pages()).isZero();
    }

    @Test
    void fileIsExtendedByLargeWritesAndCanBeOpenedAgain() throws IOException {
        Path file = folder.resolve("pages.db");
        int pages = (3 << 20) / PAGE_BYTES + 1;
        try (PageStore extended = FilePageStore.open(file, PAGE_BYTES, FileOption.CREATE)) {
            extended.extend(1);
            extended.extend(pages);
            assertThat(Files.size(file)).isEqualTo((long) pages * PAGE_BYTES);
        }
        try (PageStore again = FilePageStore.open(file, PAGE_BYTES)) {
            assertThat(again.pages()).isEqualTo(pages);
            again.truncate(1);
            again.extend(3);
            assertThat(again.pages()).isEqualTo(3);
        }
    }

    @Tag("nightly")
    @Test
    void extensionByLargeWritesAllocatesNoZerosOfItsOwn() throws Exception {
        int pages = (3 << 20) / PAGE_BYTES;
        try (PageStore extended = FilePageStore.open(folder.resolve("pages.db"), PAGE_BYTES, FileOption.CREATE)) {
            extended.extend(1); // allocates the zeros
            long[] length = {1};
            long bytes = Allocations.ofEachRun(() -> {
                length[0] += pages;
                extended.extend(length[0]);
            });
            assertThat(bytes).as("bytes allocated for three or four writes").isLessThan(100_000);
        }
    }
}
