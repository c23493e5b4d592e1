// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.page;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.clockhand.io.MemoryPageStore;
import io.clockhand.testing.Pools;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** An update that is cancelled leaves every byte as it was, whatever was changed, how often, and how much of it. */
class UndoOfChangesTest {
    private static final int PAGE_BYTES = 512;

    private final Random random = new Random(11);
    private final byte[] content = new byte[PAGE_BYTES];
    private BufferPool pool;
    private WritablePage page;
    private WritablePage other;

    @BeforeEach
    void open() throws IOException {
        random.nextBytes(content);
        MemoryPageStore store = new MemoryPageStore("a", PAGE_BYTES);
        store.write(0, ByteBuffer.wrap(content));
        store.write(1, ByteBuffer.wrap(content));
        pool = Pools.builder()
                .pageBytes(PAGE_BYTES)
                .frames(4)
                .tuning(t -> t.flushThreads(0))
                .build();
        PagedFile file = pool.open(1, store);
        page = pool.fixExclusive(file.id(0));
        other = pool.fixExclusive(file.id(1));
    }

    @AfterEach
    void close() throws IOException {
        page.close();
        other.close();
        pool.checkIntegrity();
        pool.close();
    }

    private byte[] bytes() {
        byte[] bytes = new byte[PAGE_BYTES];
        page.getBytes(0, bytes, 0, PAGE_BYTES);
        return bytes;
    }

    @Test
    void updatesWithFewAndWithManyChangesAreUndone() {
        for (int round = 0; round < 2_000; round++) {
            byte[] before = bytes();
            page.beginUpdate();
            int changes = random.nextInt(round % 10 == 0 ? 150 : 8);
            for (int i = 0; i < changes; i++) {
                change();
            }
            page.cancelUpdate();
            assertThat(bytes()).as("round %d, %d changes", round, changes).isEqualTo(before);
        }
    }

    /** What was overwritten before the whole page is copied, and what is overwritten after it. */
    @Test
    void numberThatIsChangedBetweenLargeRangesIsUndone() {
        byte[] before = bytes();
        page.beginUpdate();
        page.putLong(8, 1);
        page.fill(0, PAGE_BYTES, (byte) 2);
        page.putLong(8, 3);
        page.putLong(16, 3);
        page.fill(0, PAGE_BYTES, (byte) 4);
        page.putLong(8, 5);
        page.putLong(16, 5);
        page.cancelUpdate();
        assertThat(bytes()).isEqualTo(before);
    }

    @Test
    void updateAfterALargeOneIsUndoneByItself() {
        page.beginUpdate();
        page.fill(0, PAGE_BYTES, (byte) 2);
        page.endUpdate();
        byte[] before = bytes();
        page.beginUpdate();
        page.putInt(100, 7);
        page.cancelUpdate();
        assertThat(bytes()).isEqualTo(before);
    }

    @Test
    void changeThatIsRefusedChangesNothing() {
        page.beginUpdate();
        page.putLong(0, 1);
        byte[] before = bytes();
        assertThatThrownBy(() -> page.putLong(PAGE_BYTES - 7, 2)).isInstanceOf(IndexOutOfBoundsException.class);
        assertThatThrownBy(() -> page.putBytes(PAGE_BYTES - 3, new byte[4], 0, 4))
                .isInstanceOf(IndexOutOfBoundsException.class);
        assertThatThrownBy(() -> page.putBytes(0, new byte[4], 1, 4)).isInstanceOf(IndexOutOfBoundsException.class);
        assertThatThrownBy(() -> page.putInts(0, new int[4], 1, 4)).isInstanceOf(IndexOutOfBoundsException.class);
        assertThatThrownBy(() -> page.fill(-1, 4, (byte) 0)).isInstanceOf(IndexOutOfBoundsException.class);
        assertThat(bytes()).isEqualTo(before);
        page.cancelUpdate();
        assertThat(bytes()).isEqualTo(content);
    }

    private void change() {
        int length = 1 + random.nextInt(random.nextInt(8) == 0 ? PAGE_BYTES / 2 : 20);
        int offset = random.nextInt(PAGE_BYTES - 8 * length < 1 ? PAGE_BYTES / 2 - 8 : PAGE_BYTES - 8 * length);
        int count = Math.min(length, 20);
        byte[] array = new byte[length];
        random.nextBytes(array);
        switch (random.nextInt(16)) {
            case 0 -> page.putByte(offset, array[0]);
            case 1 -> page.putShort(offset, (short) random.nextInt());
            case 2 -> page.putIntLittleEndian(offset, random.nextInt());
            case 3 -> page.putLong(offset, random.nextLong());
            case 4 -> page.putDoubleLittleEndian(offset, random.nextDouble());
            case 5 -> page.putFloat(offset, random.nextFloat());
            case 6 -> page.putBytes(offset, array, 0, length);
            case 7 -> page.putBytes(offset, ByteBuffer.wrap(array));
            case 8 -> page.putBytes(offset, page, random.nextInt(PAGE_BYTES - length), length);
            case 9 -> page.putBytes(offset, other, random.nextInt(PAGE_BYTES - length), length);
            case 10 -> page.fill(offset, length, array[0]);
            case 11 -> page.putShorts(offset, new short[count], 0, count);
            case 12 -> page.putInts(Math.min(offset, PAGE_BYTES - 80), new int[count], 0, count);
            case 13 -> page.putLongs(Math.min(offset, PAGE_BYTES - 160), longs(count), 0, count);
            case 14 -> page.putDoublesLittleEndian(Math.min(offset, PAGE_BYTES - 160), new double[count], 0, count);
            default -> page.putFloats(Math.min(offset, PAGE_BYTES - 80), new float[count], 0, count);
        }
    }

    private long[] longs(int count) {
        long[] longs = new long[count];
        Arrays.setAll(longs, i -> random.nextLong());
        return longs;
    }
}
