// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.page;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.clockhand.io.MemoryPageStore;
import io.clockhand.testing.Pools;
import io.clockhand.wal.WideLsn;
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

    @Test
    void changesOfAPoolThatDetectsLeaksAreUndone() throws IOException {
        MemoryPageStore store = new MemoryPageStore("b", PAGE_BYTES);
        store.write(0, ByteBuffer.wrap(content));
        try (BufferPool careful = Pools.builder()
                        .pageBytes(PAGE_BYTES)
                        .frames(4)
                        .detectLeaks(true)
                        .build();
                WritablePage changed =
                        careful.fixExclusive(careful.open(1, store).id(0))) {
            changed.beginUpdate();
            changed.putLong(9, 1);
            changed.putShort(PAGE_BYTES - 2, (short) 2);
            changed.fill(100, 200, (byte) 3);
            changed.cancelUpdate();
            assertThat(changed.bytes()).isEqualTo(ByteBuffer.wrap(content));
        }
    }

    @Test
    void wideLsnThatDoesNotFitChangesNothing() {
        page.beginUpdate();
        assertThatThrownBy(() -> page.putWideLsn(PAGE_BYTES - 8, new WideLsn(7, 7)))
                .isInstanceOf(IndexOutOfBoundsException.class);
        assertThat(bytes()).isEqualTo(content);
        page.endUnloggedUpdate();
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
        page.endUnloggedUpdate();
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

    /** A change of random bytes anywhere in the page, up to its ends. */
    private void change() {
        int length = 1 + random.nextInt(random.nextInt(8) == 0 ? PAGE_BYTES / 2 : 20);
        int count = 1 + random.nextInt(20);
        byte[] array = new byte[length];
        random.nextBytes(array);
        long number = random.nextLong();
        switch (random.nextInt(28)) {
            case 0 -> page.putByte(offset(1), (byte) number);
            case 1 -> page.putShort(offset(2), (short) number);
            case 2 -> page.putShortLittleEndian(offset(2), (short) number);
            case 3 -> page.putInt(offset(4), (int) number);
            case 4 -> page.putIntLittleEndian(offset(4), (int) number);
            case 5 -> page.putLong(offset(8), number);
            case 6 -> page.putLongLittleEndian(offset(8), number);
            case 7 -> page.putFloat(offset(4), random.nextFloat());
            case 8 -> page.putFloatLittleEndian(offset(4), random.nextFloat());
            case 9 -> page.putDouble(offset(8), random.nextDouble());
            case 10 -> page.putDoubleLittleEndian(offset(8), random.nextDouble());
            case 11 -> page.putWideLsn(offset(16) & -8, new WideLsn(number >>> 1, length));
            case 12 -> page.putBytes(offset(length), array, 0, length);
            case 13 -> page.putBytes(offset(length), ByteBuffer.wrap(array));
            case 14 -> page.putBytes(offset(length), page, offset(length), length);
            case 15 -> page.putBytes(offset(length), other, offset(length), length);
            case 16 -> page.fill(offset(length), length, (byte) number);
            case 17 -> page.putShorts(offset(2 * count), new short[count], 0, count);
            case 18 -> page.putShortsLittleEndian(offset(2 * count), new short[count], 0, count);
            case 19 -> page.putInts(offset(4 * count), new int[count], 0, count);
            case 20 -> page.putIntsLittleEndian(offset(4 * count), new int[count], 0, count);
            case 21 -> page.putLongs(offset(8 * count), longs(count), 0, count);
            case 22 -> page.putLongsLittleEndian(offset(8 * count), longs(count), 0, count);
            case 23 -> page.putFloats(offset(4 * count), new float[count], 0, count);
            case 24 -> page.putFloatsLittleEndian(offset(4 * count), new float[count], 0, count);
            case 25 -> page.putDoubles(offset(8 * count), new double[count], 0, count);
            case 26 -> page.putDoublesLittleEndian(offset(8 * count), new double[count], 0, count);
            default -> page.putLong(PAGE_BYTES - 8, number);
        }
    }

    /** {@return where some bytes begin that lie in the page} */
    private int offset(int bytes) {
        return random.nextInt(PAGE_BYTES - bytes + 1);
    }

    private long[] longs(int count) {
        long[] longs = new long[count];
        Arrays.setAll(longs, i -> random.nextLong());
        return longs;
    }
}
