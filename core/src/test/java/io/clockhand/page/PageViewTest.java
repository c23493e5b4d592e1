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
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.function.IntConsumer;
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

    @BeforeEach
    void fixPages() throws IOException {
        new SplittableRandom(1).nextBytes(bytes);
        MemoryPageStore store = new MemoryPageStore("m", PAGE_BYTES);
        store.write(0, ByteBuffer.wrap(bytes));
        byte[] shifted = bytes.clone();
        shifted[300]++;
        store.write(1, ByteBuffer.wrap(shifted));
        PagedFile file = pool.open(0, store);
        page = pool.fix(file.id(0));
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
        Workers.Work work = () -> {
            for (int i = 0; i < 20_000; i++) {
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
