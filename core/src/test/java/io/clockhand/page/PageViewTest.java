// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.page;

import static io.clockhand.page.SmallPools.PAGE_BYTES;
import static io.clockhand.page.SmallPools.small;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.clockhand.io.MemoryPageStore;
import io.clockhand.testing.Allocations;
import io.clockhand.testing.Workers;
import java.io.IOException;
import java.lang.reflect.Array;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.function.IntConsumer;
import java.util.function.IntFunction;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The bytes of a page as numbers and ranges, against a byte array with the same content. */
class PageViewTest {
    private final byte[] bytes = new byte[PAGE_BYTES];
    private final ByteBuffer big = ByteBuffer.wrap(bytes);
    private final ByteBuffer little = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    private final BufferPool pool = small().build();
    private PageGuard page;
    private PageGuard second;
    private long page0;

    @BeforeEach
    void fixPages() throws IOException {
        new SplittableRandom(1).nextBytes(bytes);
        MemoryPageStore store = new MemoryPageStore("m", PAGE_BYTES);
        store.write(0, ByteBuffer.wrap(bytes));
        byte[] shifted = bytes.clone();
        shifted[300]++;
        store.write(1, ByteBuffer.wrap(shifted));
        PagedFile file = pool.open(0, store);
        page0 = file.id(0);
        page = pool.fix(page0);
        second = pool.fix(file.id(1));
    }

    @AfterEach
    void closePool() throws IOException {
        page.close();
        second.close();
        pool.close();
    }

    @Test
    void numbersAreReadAtEveryOffset() {
        for (int at = 0; at < PAGE_BYTES; at++) {
            assertThat(page.getByte(at)).isEqualTo(bytes[at]);
            assertThat(page.getUnsignedByte(at)).isEqualTo(bytes[at] & 0xFF);
        }
        for (int at = 0; at <= PAGE_BYTES - Short.BYTES; at++) {
            assertThat(page.getShort(at)).isEqualTo(big.getShort(at));
            assertThat(page.getShortLittleEndian(at)).isEqualTo(little.getShort(at));
            assertThat(page.getUnsignedShort(at)).isEqualTo(big.getShort(at) & 0xFFFF);
            assertThat(page.getUnsignedShortLittleEndian(at)).isEqualTo(little.getShort(at) & 0xFFFF);
        }
        for (int at = 0; at <= PAGE_BYTES - Integer.BYTES; at++) {
            assertThat(page.getInt(at)).isEqualTo(big.getInt(at));
            assertThat(page.getIntLittleEndian(at)).isEqualTo(little.getInt(at));
            assertThat(page.getUnsignedInt(at)).isEqualTo(big.getInt(at) & 0xFFFF_FFFFL);
            assertThat(page.getUnsignedIntLittleEndian(at)).isEqualTo(little.getInt(at) & 0xFFFF_FFFFL);
        }
        for (int at = 0; at <= PAGE_BYTES - Long.BYTES; at++) {
            assertThat(page.getLong(at)).isEqualTo(big.getLong(at));
            assertThat(page.getLongLittleEndian(at)).isEqualTo(little.getLong(at));
        }
    }

    @Test
    void floatingPointNumbersAreReadAtEveryOffset() {
        for (int at = 0; at <= PAGE_BYTES - Double.BYTES; at++) { // the bits, of numbers that are none as well
            expectSameBits(page.getFloat(at), big.getFloat(at));
            expectSameBits(page.getFloatLittleEndian(at), little.getFloat(at));
            expectSameBits(page.getDouble(at), big.getDouble(at));
            expectSameBits(page.getDoubleLittleEndian(at), little.getDouble(at));
        }
    }

    private static void expectSameBits(double actual, double expected) {
        assertThat(Double.doubleToRawLongBits(actual)).isEqualTo(Double.doubleToRawLongBits(expected));
    }

    /** Copies numbers from a page, or to one. */
    private interface Copy<A> {
        void numbers(int offset, A array, int arrayOffset, int count);
    }

    @Test
    void manyNumbersAreCopiedAtEveryOffset() {
        expectCopies(Short.BYTES, page::getShorts, page::getShortsLittleEndian, short[]::new);
        expectCopies(Integer.BYTES, page::getInts, page::getIntsLittleEndian, int[]::new);
        expectCopies(Long.BYTES, page::getLongs, page::getLongsLittleEndian, long[]::new);
        expectCopies(Float.BYTES, page::getFloats, page::getFloatsLittleEndian, float[]::new);
        expectCopies(Double.BYTES, page::getDoubles, page::getDoublesLittleEndian, double[]::new);
    }

    private <A> void expectCopies(int size, Copy<A> copy, Copy<A> copyLittle, IntFunction<A> maker) {
        for (int at = 0; at < 20; at++) {
            for (int count = 0; count < 20; count++) {
                expectCopied(size, at, count, copy, big, maker);
                expectCopied(size, at, count, copyLittle, little, maker);
            }
        }
        int most = PAGE_BYTES / size;
        expectCopied(size, 0, most, copy, big, maker);
        expectCopied(size, 1, most - 1, copyLittle, little, maker);
        A array = maker.apply(most + 1);
        expectRefused(3 * size, at -> copy.numbers(at, array, 0, 3));
        expectRefused(3 * size, at -> copyLittle.numbers(at, array, 0, 3));
        expectOutside(() -> copy.numbers(0, array, 0, most + 1));
        expectOutside(() -> copy.numbers(0, array, most, 2));
        expectOutside(() -> copy.numbers(0, array, -1, 2));
        expectOutside(() -> copy.numbers(0, array, 0, -1));
        expectOutside(() -> copy.numbers(0, array, 0, Integer.MAX_VALUE));
    }

    private static void expectOutside(ThrowingCallable access) {
        assertThatThrownBy(access).isInstanceOf(IndexOutOfBoundsException.class);
    }

    private <A> void expectCopied(
            int size, int at, int count, Copy<A> copy, ByteBuffer expected, IntFunction<A> maker) {
        A array = maker.apply(count + 2);
        copy.numbers(at, array, 1, count);
        for (int i = 0; i < count; i++) {
            assertThat(bits(array, 1 + i))
                    .as("number %d from %d", i, at)
                    .isEqualTo(bits(expected, at + i * size, size));
        }
        assertThat(bits(array, 0)).isZero();
        assertThat(bits(array, count + 1)).isZero();
    }

    private static long bits(ByteBuffer bytes, int at, int size) {
        return switch (size) {
            case Short.BYTES -> bytes.getShort(at);
            case Integer.BYTES -> bytes.getInt(at);
            default -> bytes.getLong(at);
        };
    }

    private static long bits(Object array, int index) {
        if (array instanceof float[] floats) {
            return Float.floatToRawIntBits(floats[index]);
        }
        if (array instanceof double[] doubles) {
            return Double.doubleToRawLongBits(doubles[index]);
        }
        return Array.getLong(array, index);
    }

    @Test
    void manyNumbersArePut() throws IOException {
        page.close();
        try (WritablePage writable = pool.fixExclusive(page0)) {
            writable.beginUpdate();
            expectPuts(writable, Short.BYTES, writable::putShorts, writable::putShortsLittleEndian, short[]::new);
            expectPuts(writable, Integer.BYTES, writable::putInts, writable::putIntsLittleEndian, int[]::new);
            expectPuts(writable, Long.BYTES, writable::putLongs, writable::putLongsLittleEndian, long[]::new);
            expectPuts(writable, Float.BYTES, writable::putFloats, writable::putFloatsLittleEndian, float[]::new);
            expectPuts(writable, Double.BYTES, writable::putDoubles, writable::putDoublesLittleEndian, double[]::new);

            writable.putFloat(1, 1.5f);
            writable.putFloatLittleEndian(5, -2.5f);
            writable.putDouble(9, Math.PI);
            writable.putDoubleLittleEndian(17, Math.E);
            assertThat(writable.getFloat(1)).isEqualTo(1.5f);
            assertThat(writable.getFloatLittleEndian(5)).isEqualTo(-2.5f);
            assertThat(writable.getDouble(9)).isEqualTo(Math.PI);
            assertThat(writable.getDoubleLittleEndian(17)).isEqualTo(Math.E);
            writable.endUnloggedUpdate();
            assertThatThrownBy(() -> writable.putLongs(0, new long[1], 0, 1))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("call beginUpdate first");
        }
        page.fix(page0);
    }

    private static <A> void expectPuts(
            WritablePage page, int size, Copy<A> put, Copy<A> putLittle, IntFunction<A> maker) {
        for (ByteOrder order : new ByteOrder[] {ByteOrder.BIG_ENDIAN, ByteOrder.LITTLE_ENDIAN}) {
            Copy<A> tried = order == ByteOrder.BIG_ENDIAN ? put : putLittle;
            for (int at = 0; at < 10; at++) {
                for (int count = 0; count < 12; count++) {
                    expectPut(page, size, at, count, tried, order, maker);
                }
            }
            A array = maker.apply(10);
            expectRefused(3 * size, at -> tried.numbers(at, array, 0, 3));
            expectOutside(() -> tried.numbers(0, array, 8, 3));
        }
    }

    private static <A> void expectPut(
            WritablePage page, int size, int at, int count, Copy<A> put, ByteOrder order, IntFunction<A> maker) {
        int around = 3;
        byte[] content = new byte[at + count * size + around];
        new SplittableRandom(at + 100L * count).nextBytes(content);
        ByteBuffer expected = ByteBuffer.wrap(content).order(order);
        A array = maker.apply(count + 1);
        for (int i = 0; i < count; i++) {
            set(array, 1 + i, bits(expected, at + i * size, size));
        }
        page.putBytes(0, content, 0, content.length);
        page.fill(at, count * size, (byte) 0);

        put.numbers(at, array, 1, count);

        byte[] actual = new byte[content.length];
        page.getBytes(0, actual, 0, actual.length);
        assertThat(actual).as("%d numbers at %d, %s", count, at, order).isEqualTo(content);
    }

    private static void set(Object array, int index, long bits) {
        if (array instanceof short[] shorts) {
            shorts[index] = (short) bits;
        } else if (array instanceof int[] ints) {
            ints[index] = (int) bits;
        } else if (array instanceof long[] longs) {
            longs[index] = bits;
        } else if (array instanceof float[] floats) {
            floats[index] = Float.intBitsToFloat((int) bits);
        } else {
            ((double[]) array)[index] = Double.longBitsToDouble(bits);
        }
    }

    // --- sorted slots ------------------------------------------------------------------------------------------------

    /** Keys of up to three letters of two, so that many are prefixes of others, and some are equal. */
    @Test
    void slotsAreSearchedByKeysOfAnyLength() throws IOException {
        SplittableRandom random = new SplittableRandom(3);
        for (int round = 0; round < 200; round++) {
            int count = random.nextInt(12);
            byte[][] keys = new byte[count][];
            for (int i = 0; i < count; i++) {
                keys[i] = key(random, random.nextInt(11));
            }
            Arrays.sort(keys, Arrays::compareUnsigned);
            for (int i = 0; i < 40; i++) {
                byte[] wanted = key(random, random.nextInt(11));
                expectFound(keys, wanted, Slots.OF_ANY_LENGTH);
                expectFound(keys, wanted, Slots.WITH_HEADS);
            }
        }
    }

    @Test
    void slotsAreSearchedByKeysOfOneLength() throws IOException {
        SplittableRandom random = new SplittableRandom(4);
        for (int length = 0; length < 11; length++) {
            byte[][] keys = new byte[12][];
            for (int i = 0; i < keys.length; i++) {
                keys[i] = key(random, length);
            }
            Arrays.sort(keys, Arrays::compareUnsigned);
            for (int i = 0; i < 40; i++) {
                expectFound(keys, key(random, length), Slots.OF_ONE_LENGTH);
            }
        }
    }

    @Test
    void slotsAreSearchedByHeadsThatDiffer() throws IOException {
        SplittableRandom random = new SplittableRandom(5);
        for (int count = 0; count < 28; count++) {
            byte[][] keys = new byte[count][8];
            for (byte[] key : keys) {
                random.nextBytes(key);
            }
            Arrays.sort(keys, Arrays::compareUnsigned);
            for (byte[] key : keys) {
                expectFound(keys, key, Slots.WITH_HEADS);
                byte[] other = key.clone();
                other[random.nextInt(8)] ^= (byte) (1 << random.nextInt(8));
                expectFound(keys, other, Slots.WITH_HEADS);
            }
        }
    }

    @Test
    void headHasTheFirstBytesOfAKey() {
        byte[] key = {9, (byte) 0xfe, 2, 3, 4, 5};
        assertThat(PageView.head(key, 1, 5)).isEqualTo(0xfe020304);
        assertThat(PageView.head(key, 1, 2)).isEqualTo(0xfe020000);
        assertThat(PageView.head(key, 6, 0)).isZero();
        expectOutside(() -> PageView.head(key, 3, 4));
    }

    /** Most keys begin alike; some with a byte that is negative as a signed number. */
    private static byte[] key(SplittableRandom random, int length) {
        byte[] key = new byte[length];
        for (int i = 0; i < length; i++) {
            key[i] = (byte) (i < 6 ? 7 : random.nextInt(2) * 200);
        }
        if (length > 0 && random.nextInt(4) == 0) {
            key[0] = (byte) 200;
        }
        return key;
    }

    private static final int SLOTS = 6;

    /** Slots from 6; each cell has a byte, the length of its key, another byte, and the key. */
    private static byte[] node(byte[][] keys, boolean hasHeads) {
        ByteBuffer node = ByteBuffer.allocate(PAGE_BYTES);
        int slotBytes = hasHeads ? PageView.HEADED_SLOT_BYTES : Short.BYTES;
        int cell = SLOTS + keys.length * slotBytes;
        for (int i = 0; i < keys.length; i++) {
            node.putShort(SLOTS + i * slotBytes, (short) cell);
            if (hasHeads) {
                node.putInt(SLOTS + i * slotBytes + 2, PageView.head(keys[i], 0, keys[i].length));
            }
            node.putShort(cell + 1, (short) keys[i].length);
            node.put(cell + 4, keys[i]);
            cell += 4 + keys[i].length;
        }
        return node.array();
    }

    private enum Slots {
        OF_ONE_LENGTH,
        OF_ANY_LENGTH,
        WITH_HEADS
    }

    private void expectFound(byte[][] keys, byte[] wanted, Slots slots) throws IOException {
        byte[] node = node(keys, slots == Slots.WITH_HEADS);
        page.close();
        try (WritablePage writable = pool.fixExclusive(page0)) {
            writable.beginUpdate();
            writable.putBytes(0, node, 0, PAGE_BYTES);
            writable.endUnloggedUpdate();
        }
        page.fix(page0);
        byte[] array = new byte[wanted.length + 3];
        System.arraycopy(wanted, 0, array, 2, wanted.length);
        int found = switch (slots) {
            case OF_ONE_LENGTH -> page.searchSlots(SLOTS, keys.length, 4, array, 2, wanted.length);
            case OF_ANY_LENGTH -> page.searchSlots(SLOTS, keys.length, 1, 4, array, 2, wanted.length);
            case WITH_HEADS -> page.searchHeadedSlots(SLOTS, keys.length, 1, 4, array, 2, wanted.length);
        };
        int less = 0;
        int equal = 0;
        for (byte[] key : keys) {
            int order = Arrays.compareUnsigned(key, wanted);
            less += order < 0 ? 1 : 0;
            equal += order == 0 ? 1 : 0;
        }
        if (equal == 0) {
            assertThat(found).isEqualTo(-1 - less);
        } else {
            assertThat(found).isBetween(less, less + equal - 1);
        }
    }

    @Test
    void searchOutsideOfThePageIsRefused() throws IOException {
        byte[] key = {1, 2, 3};
        expectRefused(20, at -> page.searchSlots(at, 10, 0, key, 0, 3));
        expectRefused(20, at -> page.searchSlots(at, 10, 0, 2, key, 0, 3));
        expectRefused(60, at -> page.searchHeadedSlots(at, 10, 0, 2, key, 0, 3));
        expectOutside(() -> page.searchHeadedSlots(0, -1, 0, 2, key, 0, 3));
        expectOutside(() -> page.searchHeadedSlots(0, 1, 0, 2, key, 1, 3));
        expectOutside(() -> page.searchHeadedSlots(0, 1, -1, 2, key, 0, 3));
        expectOutside(() -> page.searchHeadedSlots(0, 1, 0, PAGE_BYTES, key, 0, 3));
        expectOutside(() -> page.searchSlots(0, -1, 0, key, 0, 3));
        expectOutside(() -> page.searchSlots(0, Integer.MAX_VALUE, 0, key, 0, 3));
        expectOutside(() -> page.searchSlots(0, 1, 0, key, 1, 3));
        expectOutside(() -> page.searchSlots(0, 1, PAGE_BYTES, key, 0, 3));
        expectOutside(() -> page.searchSlots(0, 1, -1, 2, key, 0, 3));
        page.close();
        try (WritablePage writable = pool.fixExclusive(page0)) {
            writable.beginUpdate();
            writable.putShort(0, (short) (PAGE_BYTES - 2)); // a cell that begins near the end
            writable.putShort(2, (short) 100);
            writable.putShort(4, (short) (PAGE_BYTES - 9)); // the first eight bytes of its key lie in the page
            writable.putInt(6, PageView.head(key, 0, 3)); // its head, if it has one
            writable.putShort(100, (short) PAGE_BYTES); // the length of a key
            writable.endUnloggedUpdate();
            expectOutside(() -> writable.searchSlots(0, 1, 0, key, 0, 3));
            expectOutside(() -> writable.searchSlots(0, 1, 1, 2, key, 0, 3));
            expectOutside(() -> writable.searchSlots(2, 1, 0, 2, key, 0, 3));
            expectOutside(() -> writable.searchHeadedSlots(4, 1, 2, 4, key, 0, 3));
            byte[] longKey = new byte[10];
            expectOutside(() -> writable.searchSlots(0, 1, 0, longKey, 0, 10));
            expectOutside(() -> writable.searchSlots(4, 1, 0, longKey, 0, 10));
            expectOutside(() -> writable.searchSlots(2, 1, 0, 2, longKey, 0, 10));
        }
        page.fix(page0);
    }

    // --- the slab ----------------------------------------------------------------------------------------------------

    @Test
    void slabHasThePageAndIsReadOnlyAndOneObject() {
        ByteBuffer slab = page.slab();
        assertThat(slab.isReadOnly()).isTrue();
        assertThat(second.slab()).isSameAs(slab);
        assertThat(slab.slice(page.slabOffset(), PAGE_BYTES)).isEqualTo(ByteBuffer.wrap(bytes));
        assertThat(slab.get(second.slabOffset() + 300)).isEqualTo((byte) (bytes[300] + 1));
        assertThat(page.slabOffset() % PAGE_BYTES).isZero();
    }

    // --- bytes -------------------------------------------------------------------------------------------------------

    @Test
    void accessOutsideOfThePageIsRefused() {
        expectRefused(1, page::getByte);
        expectRefused(1, page::getUnsignedByte);
        expectRefused(2, page::getShort);
        expectRefused(2, page::getShortLittleEndian);
        expectRefused(2, page::getUnsignedShort);
        expectRefused(2, page::getUnsignedShortLittleEndian);
        expectRefused(4, page::getInt);
        expectRefused(4, page::getIntLittleEndian);
        expectRefused(4, page::getUnsignedInt);
        expectRefused(4, page::getUnsignedIntLittleEndian);
        expectRefused(8, page::getLong);
        expectRefused(8, page::getLongLittleEndian);
        expectRefused(20, at -> page.getBytes(at, new byte[20], 0, 20));
        expectRefused(20, at -> page.getBytes(at, ByteBuffer.allocate(20)));
        expectRefused(20, at -> page.compareBytes(at, 20, new byte[20], 0, 20));
        expectRefused(20, at -> page.compareBytes(at, 20, ByteBuffer.allocate(20)));
        expectRefused(20, at -> page.compareBytes(at, 20, second, 0, 20));
        expectRefused(20, at -> page.compareBytes(0, 20, second, at, 20));
        assertThatThrownBy(() -> page.compareBytes(0, 20, new byte[20], 1, 20))
                .isInstanceOf(IndexOutOfBoundsException.class);
        assertThatThrownBy(() -> page.compareBytes(0, -1, new byte[20], 0, 20))
                .isInstanceOf(IndexOutOfBoundsException.class);
        assertThatThrownBy(() -> page.getBytes(0, new byte[20], 1, 20)).isInstanceOf(IndexOutOfBoundsException.class);
        expectOutside(() -> page.compareBytes(Integer.MAX_VALUE, Integer.MAX_VALUE, new byte[0], 0, 0));
        expectOutside(() -> page.compareBytes(2, Integer.MAX_VALUE, new byte[0], 0, 0));
    }

    private static void expectRefused(int length, IntConsumer access) {
        for (int at : new int[] {-1, Integer.MIN_VALUE, PAGE_BYTES - length + 1, PAGE_BYTES, Integer.MAX_VALUE}) {
            assertThatThrownBy(() -> access.accept(at)).isInstanceOf(IndexOutOfBoundsException.class);
        }
    }

    @Test
    void bytesAreCopiedToArraysAndBuffers() {
        for (int length = 0; length < 40; length++) {
            for (int at = 0; at < 20; at++) {
                byte[] expected = Arrays.copyOfRange(bytes, at, at + length);
                byte[] array = new byte[length + 2];
                page.getBytes(at, array, 1, length);
                assertThat(Arrays.copyOfRange(array, 1, length + 1)).isEqualTo(expected);
                for (ByteBuffer buffer :
                        new ByteBuffer[] {ByteBuffer.allocate(length + 3), ByteBuffer.allocateDirect(length + 3)}) {
                    buffer.position(1).limit(length + 1);
                    page.getBytes(at, buffer);
                    assertThat(buffer.position()).isEqualTo(length + 1);
                    assertThat(buffer.position(1).slice()).isEqualTo(ByteBuffer.wrap(expected));
                }
            }
        }
        assertThatThrownBy(() -> page.getBytes(0, page.bytes())).isInstanceOf(java.nio.ReadOnlyBufferException.class);
    }

    @Test
    void bytesAreComparedAsUnsignedNumbers() {
        SplittableRandom random = new SplittableRandom(2);
        for (int i = 0; i < 20_000; i++) {
            int at = random.nextInt(PAGE_BYTES - 40);
            int length = random.nextInt(40);
            int otherAt = random.nextInt(3) > 0 ? at : random.nextInt(PAGE_BYTES - 40);
            int otherLength = random.nextBoolean() ? length : random.nextInt(40);
            byte[] others = bytes.clone();
            if (random.nextBoolean()) {
                others[otherAt + random.nextInt(40)] = (byte) random.nextInt();
            }
            int expected = Integer.signum(
                    Arrays.compareUnsigned(bytes, at, at + length, others, otherAt, otherAt + otherLength));
            assertThat(Integer.signum(page.compareBytes(at, length, others, otherAt, otherLength)))
                    .isEqualTo(expected);
            for (ByteOrder order : new ByteOrder[] {ByteOrder.BIG_ENDIAN, ByteOrder.LITTLE_ENDIAN}) {
                ByteBuffer buffer =
                        ByteBuffer.wrap(others, otherAt, otherLength).order(order);
                assertThat(Integer.signum(page.compareBytes(at, length, buffer)))
                        .isEqualTo(expected);
                assertThat(buffer.position()).isEqualTo(otherAt);
            }
        }
    }

    @Test
    void pagesAreCompared() {
        byte[] others = bytes.clone();
        others[300]++;
        for (int at = 250; at < 310; at++) {
            for (int length = 0; length < 70; length += 3) {
                assertThat(Integer.signum(page.compareBytes(at, length, second, at, length)))
                        .isEqualTo(Integer.signum(
                                Arrays.compareUnsigned(bytes, at, at + length, others, at, at + length)));
            }
        }
        assertThat(page.compareBytes(0, PAGE_BYTES, page, 0, PAGE_BYTES)).isZero();
        assertThat(page.compareBytes(0, 10, page, 0, 11)).isNegative();
        assertThat(page.compareBytes(0, 11, page, 0, 10)).isPositive();
    }

    @Test
    @Tag("nightly")
    void readingComparingAndCopyingAllocateNothing() throws Exception {
        byte[] array = new byte[100];
        ByteBuffer buffer = ByteBuffer.allocateDirect(100);
        long[] sum = new long[1];
        float[] floats = new float[20];
        long[] longs = new long[20];
        Workers.Work work = () -> {
            for (int i = 0; i < 20_000; i++) {
                page.getFloats(i % 100, floats, 0, 20);
                page.getLongsLittleEndian(i % 100, longs, 0, 20);
                sum[0] += page.searchSlots(0, 0, 0, array, 0, 3)
                        + page.searchHeadedSlots(0, 0, 0, 0, array, 0, 3)
                        + page.slab().get(page.slabOffset());
                page.getBytes(i % 100, array, 0, 100);
                page.getBytes(i % 100, buffer.clear());
                sum[0] += page.getUnsignedIntLittleEndian(i % 100)
                        + page.compareBytes(i % 100, 100, array, 0, 100)
                        + page.compareBytes(i % 100, 100, buffer.flip())
                        + page.compareBytes(0, 100, second, 0, 100);
            }
        };
        work.run();
        assertThat(Allocations.ofEachRun(work)).isLessThan(10_000);
        assertThat(sum[0]).isNotZero();
    }
}
