// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.page;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.clockhand.io.ChecksummedPageStore;
import io.clockhand.io.FileOption;
import io.clockhand.io.FilePageStore;
import io.clockhand.io.PageCorruptException;
import io.clockhand.testing.DirectFolder;
import io.clockhand.testing.Pools;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Files whose last page is incomplete, with and without direct I/O. */
@ParameterizedClass
@EnumSource(AnyLengthTest.Access.class)
class AnyLengthTest {
    private static final int PAGE_BYTES = 4096;
    /** Of the last page. */
    private static final int REST = 1808;

    private static final int BYTES = 2 * PAGE_BYTES + REST;

    /** How the file is opened. */
    enum Access {
        CACHED,
        DIRECT
    }

    @Parameter
    private Access access;

    @TempDir
    private Path folder;

    private Path path;

    @BeforeEach
    void writeFile() throws IOException {
        if (access == Access.DIRECT) {
            DirectFolder.assumePagesOf(PAGE_BYTES, folder);
        }
        path = folder.resolve("some.db");
        byte[] bytes = new byte[BYTES];
        Arrays.fill(bytes, (byte) 7);
        Files.write(path, bytes);
    }

    private FileOption[] options(FileOption... more) {
        FileOption[] options = Arrays.copyOf(more, more.length + 1);
        options[more.length] = FileOption.ANY_LENGTH;
        if (access == Access.DIRECT) {
            options = Arrays.copyOf(options, options.length + 1);
            options[options.length - 1] = FileOption.DIRECT;
        }
        return options;
    }

    private static BufferPool pool() {
        return Pools.builder().pageBytes(PAGE_BYTES).frames(64).build();
    }

    private static int sevens(PageView view) {
        int sevens = 0;
        while (sevens < PAGE_BYTES && view.getByte(sevens) == 7) {
            sevens++;
        }
        for (int at = sevens; at < PAGE_BYTES; at++) {
            assertThat(view.getByte(at)).as("byte %d", at).isZero();
        }
        return sevens;
    }

    private void expectFile(int length, int sevens) throws IOException {
        byte[] bytes = Files.readAllBytes(path);
        assertThat(bytes).hasSize(length);
        for (int at = 0; at < length; at++) {
            assertThat(bytes[at]).as("byte %d", at).isEqualTo((byte) (at < sevens ? 7 : 0));
        }
    }

    @Test
    void lastPageIsReadWithZerosBehindTheEnd() throws IOException {
        try (BufferPool pool = pool()) {
            PagedFile file = pool.open(path, options(FileOption.READ_ONLY));
            assertThat(file.pages()).isEqualTo(3);
            assertThat(file.lengthBytes()).isEqualTo(BYTES);
            for (int page = 0; page < 3; page++) { // the last two by one call
                try (PageGuard guard = pool.fix(file.id(page))) {
                    assertThat(sevens(guard)).isEqualTo(page < 2 ? PAGE_BYTES : REST);
                }
            }
            assertThatThrownBy(() -> file.setLengthBytes(5)).isInstanceOf(IllegalStateException.class);
        }
        expectFile(BYTES, BYTES);
    }

    @Test
    void fileThatIsNotChangedKeepsItsLength() throws IOException {
        try (BufferPool pool = pool()) {
            PagedFile file = pool.open(path, options());
            pool.fix(file.id(2)).close();
            pool.fixExclusive(file.id(0)).close();
        }
        expectFile(BYTES, BYTES);
    }

    @Test
    void changeOfTheLastPageKeepsTheLengthOnceTheFileIsClosed() throws IOException {
        try (BufferPool pool = pool()) {
            PagedFile file = pool.open(path, options());
            try (WritablePage page = pool.fixExclusive(file.id(2))) {
                page.beginUpdate();
                page.putByte(REST - 1, (byte) 0);
                page.endUpdate(1);
            }
            file.flush();
            assertThat(file.lengthBytes()).isEqualTo(BYTES);
            assertThat(Files.size(path)).as("a page is written as a whole").isEqualTo(3 * PAGE_BYTES);
        }
        expectFile(BYTES, BYTES - 1);
    }

    @Test
    void fileGrowsAndShrinksByBytes() throws IOException {
        int[] lengths = {
            BYTES + 1, BYTES - 1, 3 * PAGE_BYTES, 3 * PAGE_BYTES + 1, 9 * PAGE_BYTES - 1, 2 * PAGE_BYTES, 1, 0, 5, BYTES
        };
        int sevens = BYTES;
        for (int length : lengths) {
            try (BufferPool pool = pool()) {
                PagedFile file = pool.open(path, options());
                file.setLengthBytes(length);
                assertThat(file.lengthBytes()).isEqualTo(length);
                assertThat(file.pages()).isEqualTo((length + PAGE_BYTES - 1) / PAGE_BYTES);
            }
            sevens = Math.min(sevens, length);
            expectFile(length, sevens);
        }
    }

    @Test
    void creationCompletesTheLastPageAndTruncationRemovesIt() throws IOException {
        try (BufferPool pool = pool()) {
            PagedFile file = pool.open(path, options());
            file.create().close();
            assertThat(file.lengthBytes()).isEqualTo(4 * PAGE_BYTES);
            file.truncate(3);
            assertThat(file.lengthBytes()).as("complete now").isEqualTo(3 * PAGE_BYTES);
            file.setLengthBytes(BYTES);
            file.truncate(1);
            assertThat(file.lengthBytes()).isEqualTo(PAGE_BYTES);
        }
        expectFile(PAGE_BYTES, PAGE_BYTES);
    }

    @Test
    void incompletePageIsCutOffIfThatIsWanted() throws IOException {
        try (FilePageStore store = FilePageStore.open(path, PAGE_BYTES, FileOption.CUT_INCOMPLETE_PAGE)) {
            assertThat(store.pages()).isEqualTo(BYTES / PAGE_BYTES);
            assertThat(Files.size(path)).as("bytes of the file").isEqualTo(BYTES / PAGE_BYTES * PAGE_BYTES);
        }
        try (FilePageStore whole = FilePageStore.open(path, PAGE_BYTES, FileOption.CUT_INCOMPLETE_PAGE)) {
            assertThat(whole.pages()).isEqualTo(BYTES / PAGE_BYTES);
        }
        assertThatThrownBy(() ->
                        FilePageStore.open(path, PAGE_BYTES, FileOption.CUT_INCOMPLETE_PAGE, FileOption.READ_ONLY))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("cannot be shortened");
    }

    @Test
    void withoutTheOptionTheLengthIsRefused() throws IOException {
        assertThatThrownBy(() -> FilePageStore.open(path, PAGE_BYTES))
                .isInstanceOf(IOException.class)
                .hasMessageStartingWith(path + " has 10000 bytes, which is not a multiple of the page size of 4096")
                .hasMessageEndingWith("a file whose last page may be incomplete is opened with FileOption.ANY_LENGTH");
        Files.write(path, new byte[PAGE_BYTES]);
        try (BufferPool pool = pool()) {
            PagedFile file = pool.open(path);
            assertThat(file.lengthBytes()).isEqualTo(PAGE_BYTES);
            assertThatThrownBy(() -> file.setLengthBytes(5))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessage("cannot set the length of " + path
                            + " to 5 bytes: its store has whole pages only; a file is"
                            + " opened with FileOption.ANY_LENGTH");
        }
    }

    @Test
    void storeIsReadToItsEndAndNoFarther() throws IOException {
        try (FilePageStore store = FilePageStore.open(path, PAGE_BYTES, options())) {
            assertThat(store.lengthBytes()).isEqualTo(BYTES);
            assertThat(store.pages()).isEqualTo(3);
            ByteBuffer page = ByteBuffer.allocate(PAGE_BYTES);
            store.read(2, page);
            assertThat(page.get(REST - 1)).isEqualTo((byte) 7);
            assertThat(page.get(REST)).isZero();
            assertThatThrownBy(() -> store.read(3, page.clear())).isInstanceOf(EOFException.class);
            for (long bytes : new long[] {-1, 2 * PAGE_BYTES, 3 * PAGE_BYTES + 1}) {
                assertThatThrownBy(() -> store.setLengthBytes(bytes)).isInstanceOf(IllegalArgumentException.class);
            }
            store.setLengthBytes(BYTES + 9);
            assertThat(store.lengthBytes()).isEqualTo(BYTES + 9);
            store.setLengthBytes(BYTES);
        }
        expectFile(BYTES, BYTES);
    }

    @Test
    void incompletePageHasNoChecksum() throws IOException {
        try (BufferPool pool = pool()) {
            PagedFile file =
                    pool.open(0, new ChecksummedPageStore(FilePageStore.open(path, PAGE_BYTES, options()), 0, 0));
            assertThat(file.lengthBytes()).isEqualTo(3 * PAGE_BYTES);
            assertThatThrownBy(() -> pool.fix(file.id(2))).isInstanceOf(PageCorruptException.class);
            assertThatThrownBy(() -> file.setLengthBytes(5)).isInstanceOf(IllegalStateException.class);
        }
    }
}
