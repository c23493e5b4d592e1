// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.io;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeFalse;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.clockhand.testing.DirectFolder;
import io.clockhand.testing.Workers;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Direct I/O only; tests of both ways of access are in {@link FilePageStoreTest}. */
class DirectStoreTest {
    private static final int PAGE_BYTES = 8192;

    @TempDir
    private Path folder;

    @RegisterExtension
    private final Workers workers = new Workers();

    private Path file() {
        return folder.resolve("pages.db");
    }

    private FilePageStore openDirect() throws IOException {
        DirectFolder.assumePagesOf(PAGE_BYTES, folder);
        return FilePageStore.open(file(), PAGE_BYTES, FileOption.CREATE, FileOption.DIRECT);
    }

    private static ByteBuffer fill(ByteBuffer bytes, long value) {
        int begin = bytes.position();
        while (bytes.hasRemaining()) {
            bytes.putLong(value);
        }
        return bytes.position(begin);
    }

    private static void expect(ByteBuffer bytes, int begin, long value) {
        assertThat(bytes.remaining()).isZero();
        for (int at = begin; at < begin + PAGE_BYTES; at += Long.BYTES) {
            assertThat(bytes.getLong(at)).isEqualTo(value);
        }
    }

    /** A buffer, of which a page remains. */
    record Place(String name, ByteBuffer bytes) {
        @Override
        public String toString() {
            return name;
        }
    }

    static Stream<Place> places() {
        ByteBuffer aligned = ByteBuffer.allocateDirect(4 * PAGE_BYTES).alignedSlice(PAGE_BYTES);
        return Stream.of(
                new Place("aligned", aligned.slice(0, PAGE_BYTES)),
                new Place(
                        "aligned, but not at its beginning", aligned.duplicate().position(2 * PAGE_BYTES)),
                new Place("at an odd address", aligned.slice(1, PAGE_BYTES)),
                new Place("at an odd position", aligned.duplicate().position(7).limit(7 + PAGE_BYTES)),
                new Place("half a block off", aligned.slice(2048, PAGE_BYTES)),
                new Place("on the heap", ByteBuffer.allocate(PAGE_BYTES)),
                new Place(
                        "on the heap, at a position",
                        ByteBuffer.allocate(3 * PAGE_BYTES).position(2 * PAGE_BYTES)));
    }

    @ParameterizedTest
    @MethodSource("places")
    void bytesMayLieAnywhere(Place place) throws IOException {
        ByteBuffer bytes = place.bytes();
        int begin = bytes.position();
        bytes.limit(begin + PAGE_BYTES);
        try (PageStore store = openDirect()) {
            store.write(1, fill(bytes, 17));
            assertThat(bytes.hasRemaining()).isFalse();
            store.write(2, fill(bytes.position(begin), 18).asReadOnlyBuffer());

            store.read(1, bytes.position(begin));
            expect(bytes, begin, 17);
            store.read(2, bytes.position(begin));
            expect(bytes, begin, 18);
        }
        try (PageStore store = FilePageStore.open(file(), PAGE_BYTES, FileOption.CREATE)) {
            store.read(1, bytes.position(begin));
            expect(bytes, begin, 17);
        }
    }

    @Test
    void threadsThatCopyDoNotMixTheirPages() throws IOException {
        try (PageStore store = openDirect()) {
            List<Workers.Worker<Void>> all = new ArrayList<>();
            for (int thread = 0; thread < 8; thread++) {
                int own = thread;
                all.add(workers.run(() -> {
                    SplittableRandom random = new SplittableRandom(own);
                    long[] written = new long[16];
                    for (int i = 0; i < 200; i++) {
                        int slot = random.nextInt(written.length);
                        long page = own + 8L * slot;
                        if (written[slot] == 0 || random.nextBoolean()) {
                            written[slot] = random.nextLong();
                            store.write(page, fill(ByteBuffer.allocate(PAGE_BYTES), written[slot]));
                        } else {
                            ByteBuffer bytes = ByteBuffer.allocate(PAGE_BYTES);
                            store.read(page, bytes);
                            expect(bytes, 0, written[slot]);
                        }
                    }
                }));
            }
            all.forEach(Workers.Worker::result);
        }
    }

    @Test
    void directReadSeesCachedWritesAndCachedReadSeesDirectWrites() throws IOException {
        DirectFolder.assumePagesOf(PAGE_BYTES, folder);
        ByteBuffer bytes = ByteBuffer.allocate(PAGE_BYTES);
        for (long round = 1; round <= 3; round++) {
            try (PageStore cached = FilePageStore.open(file(), PAGE_BYTES, FileOption.CREATE)) {
                cached.write(0, fill(bytes.clear(), round));
            }
            try (PageStore direct = FilePageStore.open(file(), PAGE_BYTES, FileOption.CREATE, FileOption.DIRECT)) {
                direct.read(0, bytes.clear());
                expect(bytes, 0, round);
                direct.write(0, fill(bytes.clear(), -round));
            }
            try (PageStore cached = FilePageStore.open(file(), PAGE_BYTES, FileOption.CREATE)) {
                cached.read(0, bytes.clear());
                expect(bytes, 0, -round);
            }
        }
    }

    @Test
    void fileThatEndsWithinABlockSaysWhere() throws IOException {
        try (PageStore store = openDirect()) {
            store.write(0, ByteBuffer.allocate(PAGE_BYTES));
            try (FileChannel channel = FileChannel.open(file(), StandardOpenOption.WRITE)) {
                channel.truncate(PAGE_BYTES - 100);
            }

            for (Place place : places().toList()) {
                ByteBuffer bytes = place.bytes();
                assertThatThrownBy(() -> store.read(0, bytes.limit(bytes.position() + PAGE_BYTES)))
                        .as(place.name())
                        .isInstanceOf(EOFException.class)
                        .hasMessageContaining("page 0 of " + file().toRealPath())
                        .hasMessageContaining("the file ends after 8092 of 8192 bytes");
            }
        }
    }

    @Test
    void pagesSmallerThanABlockAreRefused() throws IOException {
        long block = Files.getFileStore(folder).getBlockSize();
        assumeTrue(block > 512, "blocks are as small as the smallest page");
        for (int pageBytes = 512; pageBytes < block; pageBytes *= 2) {
            int tooSmall = pageBytes;
            assertThatThrownBy(() -> FilePageStore.open(file(), tooSmall, FileOption.CREATE, FileOption.DIRECT))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("pages.db have " + tooSmall + " bytes")
                    .hasMessageContaining("have " + block)
                    .hasMessageContaining("use pages of a multiple of " + block + " bytes");
        }
        FilePageStore.open(file(), 512, FileOption.CREATE).close(); // no lock is left behind
    }

    @Test
    void wrongSizesAndNumbersAreRefusedAsEver() {
        assertThatThrownBy(() -> FilePageStore.open(file(), 5000, FileOption.CREATE, FileOption.DIRECT))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("5000 bytes");
        assertThatThrownBy(() -> FilePageStore.open(file(), PAGE_BYTES, 65, FileOption.CREATE, FileOption.DIRECT))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("channels is 65");
        assertThat(file()).doesNotExist();
    }

    /** Memory that is mounted as a folder had none before Linux 6.6, and has it since. */
    @Test
    void fileSystemWithoutDirectIoIsNamed() throws IOException {
        Path memory = Path.of(System.getProperty("clockhand.folder.without.direct", "/dev/shm"));
        assumeTrue(Files.isWritable(memory), () -> "there is no " + memory);
        assumeFalse(DirectFolder.hasDirect(memory), () -> memory + " has direct I/O");
        Path inMemory = Files.createTempFile(memory, "clockhand", ".db");
        try {
            assertThatThrownBy(() -> FilePageStore.open(inMemory, 1 << 16, FileOption.CREATE, FileOption.DIRECT))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("cannot open " + inMemory + " for direct I/O")
                    .hasMessageContaining(Files.getFileStore(inMemory).type())
                    .hasMessageContaining("open it without");
            FilePageStore.open(inMemory, 1 << 16, FileOption.CREATE).close(); // no lock is left behind
        } finally {
            Files.delete(inMemory);
        }
    }

    @Test
    void fileSystemWithoutBlocksIsNamed() throws IOException {
        try (FileSystem archive = FileSystems.newFileSystem(folder.resolve("archive.zip"), Map.of("create", "true"))) {
            Path inside = archive.getPath("/pages.db");
            Files.write(inside, new byte[0]);

            assertThatThrownBy(() -> FilePageStore.open(inside, PAGE_BYTES, FileOption.CREATE, FileOption.DIRECT))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("cannot open /pages.db for direct I/O")
                    .hasMessageContaining("(zipfs) does not tell the size of its blocks")
                    .hasMessageContaining("open it without");
        }
    }
}
