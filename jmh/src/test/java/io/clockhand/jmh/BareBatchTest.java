// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.jmh;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BareBatchTest {
    private static final int PAGES = 200;

    @TempDir
    private Path directory;

    private final ByteBuffer run = BareBatch.allocate();
    private FileChannel channel;

    /** The eight bytes of each page are its number. */
    @BeforeEach
    void write() throws IOException {
        Path file = directory.resolve("pages.db");
        PageFiles.write(file, PAGES);
        channel = FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE);
    }

    @AfterEach
    void close() throws IOException {
        channel.close();
    }

    @Test
    void eachPageOfABatchIsWrittenToItsPlace() throws IOException {
        BareBatch batch = new BareBatch();
        for (long page : new long[] {7, 150, 8, 3, 9, 199, 0}) {
            batch.update(channel, page);
        }
        assertThat(batch.write(channel, run)).isEqualTo(7);
        assertThat(increases()).containsOnly(0, 1).hasSize(PAGES);
        for (int page : new int[] {7, 150, 8, 3, 9, 199, 0}) {
            assertThat(increases()[page]).as("page %d", page).isEqualTo(1);
        }
    }

    @Test
    void pageThatIsUpdatedTwiceIsWrittenOnce() throws IOException {
        BareBatch batch = new BareBatch();
        batch.update(channel, 5);
        batch.update(channel, 6);
        batch.update(channel, 5);
        assertThat(batch.write(channel, run)).isEqualTo(2);
        assertThat(increases()[5]).isEqualTo(1);
        assertThat(increases()[6]).isEqualTo(1);
    }

    @Test
    void batchIsFullAtItsLastSlotAndCanBeUsedAgain() throws IOException {
        BareBatch batch = new BareBatch();
        SplittableRandom random = new SplittableRandom(1);
        for (int round = 0; round < 20; round++) {
            assertThat(batch.isFull()).isFalse();
            for (int i = 0; i < BareBatch.PAGES; i++) {
                batch.update(channel, random.nextInt(PAGES));
            }
            assertThat(batch.isFull()).isTrue();
            assertThat(batch.write(channel, run)).isBetween(1, BareBatch.PAGES);
        }
        assertThat(LongStream.of(increases())).allMatch(value -> value >= 0 && value <= 20);
        assertThat(channel.size()).isEqualTo((long) PAGES * BareBatch.PAGE_BYTES);
    }

    @Test
    void pageBehindTheEndIsNotRead() {
        assertThatThrownBy(() -> new BareBatch().update(channel, PAGES))
                .isInstanceOf(EOFException.class)
                .hasMessageContaining("page 200");
    }

    @Test
    void batchesThatAreHandedOverAreWritten() throws IOException {
        AtomicLong written = new AtomicLong();
        int batches = 3;
        try (BareWriters writers = new BareWriters(2, batches, new FileChannel[] {channel}, written)) {
            for (int i = 0; i < 2 * batches; i++) {
                BareBatch batch = writers.take();
                for (long page = 0; page < BareBatch.PAGES; page++) {
                    batch.update(null, page);
                }
                writers.give(batch);
            }
            for (int i = 0; i < batches; i++) {
                writers.take(); // all have been written
            }
        }
        assertThat(written.get()).isEqualTo(2L * batches * BareBatch.PAGES);
    }

    private long[] increases() throws IOException {
        long[] increases = new long[PAGES];
        ByteBuffer bytes = ByteBuffer.allocate(BareBatch.PAGE_BYTES);
        for (int page = 0; page < PAGES; page++) {
            channel.read(bytes.clear(), (long) page * BareBatch.PAGE_BYTES);
            assertThat(bytes.hasRemaining()).isFalse();
            increases[page] = bytes.getLong(PageReader.offset(page)) - page;
        }
        return increases;
    }
}
