// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.io;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Transfers through a device that does less than it is asked for, and refuses what direct I/O does not allow. */
class PageTransferTest {
    private static final int PAGE_BYTES = 4096;

    @ParameterizedTest
    @ValueSource(ints = {1, 512, 1024, 4096})
    void shortTransfersAreCompletedFromTheBeginningOfABlock(int blockBytes) throws IOException {
        PageTransfer transfer = new PageTransfer(PAGE_BYTES, blockBytes, null);
        for (int seed = 0; seed < 100; seed++) {
            SplittableRandom random = new SplittableRandom(seed);
            StingyChannel device = new StingyChannel(8 * PAGE_BYTES, blockBytes);
            device.most(asked -> blockBytes < asked ? random.nextInt(blockBytes, asked + 1) : asked);
            byte[] page = new byte[PAGE_BYTES];
            random.nextBytes(page);
            int start = random.nextInt(3) * 512;
            ByteBuffer bytes = buffer(random.nextBoolean(), start);

            bytes.put(page).position(start);
            transfer.write(device, 3 * PAGE_BYTES, bytes, start);
            assertThat(bytes.remaining()).as("seed %d", seed).isZero();
            assertThat(Arrays.copyOfRange(device.bytes(), 3 * PAGE_BYTES, 4 * PAGE_BYTES))
                    .as("seed %d", seed)
                    .isEqualTo(page);

            bytes.position(start).put(new byte[PAGE_BYTES]).position(start);
            transfer.read(device, 3 * PAGE_BYTES, bytes, start);
            assertThat(bytes.remaining()).as("seed %d", seed).isZero();
            byte[] read = new byte[PAGE_BYTES];
            bytes.position(start).get(read);
            assertThat(read).as("seed %d", seed).isEqualTo(page);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 512, 4096})
    void shortWritesOfARunAreCompletedFromTheBeginningOfABlock(int blockBytes) throws IOException {
        int runBytes = 5 * PAGE_BYTES;
        PageTransfer transfer = new PageTransfer(PAGE_BYTES, blockBytes, null);
        for (int seed = 0; seed < 100; seed++) {
            SplittableRandom random = new SplittableRandom(seed);
            StingyChannel device = new StingyChannel(8 * PAGE_BYTES, blockBytes);
            device.most(asked -> blockBytes < asked ? random.nextInt(blockBytes, asked + 1) : asked);
            byte[] run = new byte[runBytes];
            random.nextBytes(run);
            int start = random.nextInt(3) * 512;
            ByteBuffer bytes = random.nextBoolean()
                    ? ByteBuffer.allocateDirect(7 * PAGE_BYTES).alignedSlice(PAGE_BYTES)
                    : ByteBuffer.allocate(7 * PAGE_BYTES);

            bytes.position(start).put(run).flip().position(start);
            transfer.write(device, 2 * PAGE_BYTES, bytes, start);
            assertThat(bytes.position()).as("seed %d", seed).isEqualTo(start + runBytes);
            assertThat(bytes.limit()).as("seed %d", seed).isEqualTo(start + runBytes);
            assertThat(Arrays.copyOfRange(device.bytes(), 2 * PAGE_BYTES, 7 * PAGE_BYTES))
                    .as("seed %d", seed)
                    .isEqualTo(run);
            assertThat(device.bytes()).startsWith(new byte[2 * PAGE_BYTES]).endsWith(new byte[PAGE_BYTES]);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 4096})
    void alignedRunIsOneCallOfTheChannel(int blockBytes) throws IOException {
        StingyChannel device = new StingyChannel(8 * PAGE_BYTES, blockBytes);
        AtomicInteger calls = new AtomicInteger();
        device.most(asked -> {
            calls.incrementAndGet();
            return asked;
        });
        ByteBuffer run = ByteBuffer.allocateDirect(6 * PAGE_BYTES).alignedSlice(PAGE_BYTES);

        new PageTransfer(PAGE_BYTES, blockBytes, null).write(device, PAGE_BYTES, run.limit(5 * PAGE_BYTES), 0);

        assertThat(calls).hasValue(1);
    }

    @Test
    void runThatStopsSaysHowMuchWasWritten() {
        StingyChannel device = new StingyChannel(8 * PAGE_BYTES, 1);
        device.most(asked -> asked > PAGE_BYTES ? PAGE_BYTES + 100 : 0);

        assertThatThrownBy(() ->
                        new PageTransfer(PAGE_BYTES, 1, null).write(device, 0, ByteBuffer.allocate(2 * PAGE_BYTES), 0))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("only 4196 of 8192 bytes of the pages could be written");
    }

    private static ByteBuffer buffer(boolean direct, int start) {
        int bytes = start + PAGE_BYTES;
        ByteBuffer buffer = direct
                ? ByteBuffer.allocateDirect(4 * PAGE_BYTES)
                        .alignedSlice(PAGE_BYTES)
                        .limit(bytes)
                : ByteBuffer.allocate(bytes);
        return buffer.position(start);
    }

    @Test
    void deviceThatStopsWithinABlockFailsTheTransfer() {
        PageTransfer transfer = new PageTransfer(PAGE_BYTES, 1024, null);
        StingyChannel device = new StingyChannel(8 * PAGE_BYTES, 1024);
        device.most(asked -> Math.min(asked, asked == PAGE_BYTES ? 1500 : 100));

        assertThatThrownBy(() -> transfer.read(device, 0, ByteBuffer.allocate(PAGE_BYTES), 0))
                .isInstanceOf(IOException.class)
                .isNotInstanceOf(EOFException.class)
                .hasMessageContaining("only 1124 of 4096 bytes of the page could be read");
        assertThatThrownBy(() -> transfer.write(device, 0, ByteBuffer.allocate(PAGE_BYTES), 0))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("only 1124 of 4096 bytes of the page could be written");
    }

    @Test
    void fileThatEndsBeforeThePageSaysSo() {
        PageTransfer transfer = new PageTransfer(PAGE_BYTES, 1024, null);
        StingyChannel device = new StingyChannel(PAGE_BYTES + 2000, 1024);

        assertThatThrownBy(() -> transfer.read(device, PAGE_BYTES, ByteBuffer.allocate(PAGE_BYTES), 0))
                .isInstanceOf(EOFException.class)
                .hasMessageContaining("the file ends after 2000 of 4096 bytes");
        assertThatThrownBy(() -> transfer.read(device, 2 * PAGE_BYTES, ByteBuffer.allocate(PAGE_BYTES), 0))
                .isInstanceOf(EOFException.class)
                .hasMessageContaining("the file ends after 0 of 4096 bytes");
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 512})
    void lastPageThatIsIncompleteIsPadded(int blockBytes, @TempDir Path folder) throws IOException {
        Path path = folder.resolve("some");
        byte[] bytes = new byte[PAGE_BYTES + 700];
        Arrays.fill(bytes, (byte) 7);
        Files.write(path, bytes);
        ByteBuffer page =
                ByteBuffer.allocateDirect(2 * PAGE_BYTES).alignedSlice(512).limit(PAGE_BYTES);
        for (int at = 0; at < PAGE_BYTES; at++) {
            page.put(at, (byte) 9); // of a former page
        }
        try (FileChannel channel = FileChannel.open(path)) {
            new PageTransfer(PAGE_BYTES, blockBytes, () -> 0).read(channel, PAGE_BYTES, page, 0);
            assertThat(page.position()).isEqualTo(PAGE_BYTES);
            for (int at = 0; at < PAGE_BYTES; at++) {
                assertThat(page.get(at))
                        .as("byte %d, %s", at, at < 700 ? "of the file" : "behind the end")
                        .isEqualTo((byte) (at < 700 ? 7 : 0));
            }
            assertThatThrownBy(() -> new PageTransfer(PAGE_BYTES, blockBytes, () -> 0)
                            .read(channel, 2 * PAGE_BYTES, page.clear().limit(PAGE_BYTES), 0))
                    .isInstanceOf(EOFException.class);
            assertThatThrownBy(() -> new PageTransfer(PAGE_BYTES, blockBytes, null)
                            .read(channel, PAGE_BYTES, page.clear().limit(PAGE_BYTES), 0))
                    .isInstanceOf(EOFException.class);
        }
    }

    /** It ends after 700 bytes when it is read, and has two pages when its length is asked for. */
    @Test
    void lastPageIsReadWhileTheFileGrows() {
        StingyChannel growing = new StingyChannel(2 * PAGE_BYTES, 1);
        int[] reads = {0};
        growing.most(asked -> {
            reads[0]++;
            return reads[0] == 1 ? 700 : reads[0] == 2 ? 0 : asked;
        });
        LongSupplier leastLength = () -> {
            throw new AssertionError("the file is longer");
        };
        ByteBuffer page = ByteBuffer.allocateDirect(PAGE_BYTES);
        assertThatCode(() -> new PageTransfer(PAGE_BYTES, 1, leastLength).read(growing, 0, page, 0))
                .as("a read while the file grows")
                .doesNotThrowAnyException();
        assertThat(page.hasRemaining()).isFalse();
    }

    /** Another program has cut it, and pages that the pool knows would be read as zeros. */
    @Test
    void fileThatHasBecomeShorterIsNotPadded(@TempDir Path folder) throws IOException {
        Path path = folder.resolve("some");
        Files.write(path, new byte[700]);
        try (FileChannel channel = FileChannel.open(path)) {
            assertThatThrownBy(() -> new PageTransfer(PAGE_BYTES, 1, () -> 701)
                            .read(channel, 0, ByteBuffer.allocate(PAGE_BYTES), 0))
                    .isInstanceOf(EOFException.class);
        }
    }
}
