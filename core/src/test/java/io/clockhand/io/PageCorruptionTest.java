// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.io;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.clockhand.testing.Allocations;
import io.clockhand.testing.Tier;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.Random;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Checksums of pages: their place and value, and the damage that they detect. */
class PageCorruptionTest {
    private static final int PAGE_BYTES = 1024;
    private static final int FILE = 3;
    private static final int OFFSET = 8;

    private final FailingStore device = new FailingStore(new MemoryPageStore("orders.db", PAGE_BYTES));
    private final PageStore store = new ChecksummedPageStore(device, FILE, OFFSET);
    private final Random random = new Random(1);

    private byte[] randomPage() {
        byte[] page = new byte[PAGE_BYTES];
        random.nextBytes(page);
        return page;
    }

    private byte[] written(long page) throws IOException {
        byte[] bytes = randomPage();
        store.write(page, ByteBuffer.wrap(bytes));
        return bytes;
    }

    private byte[] onDevice(long page) throws IOException {
        byte[] bytes = new byte[PAGE_BYTES];
        device.read(page, ByteBuffer.wrap(bytes));
        return bytes;
    }

    private void damage(long page, byte[] bytes) throws IOException {
        device.write(page, ByteBuffer.wrap(bytes));
    }

    private PageCorruptException readFails(PageStore from, long page) {
        PageCorruptException corrupt = catchThrowableOfType(
                PageCorruptException.class, () -> from.read(page, ByteBuffer.allocateDirect(PAGE_BYTES)));
        assertThat(corrupt).as("page %d of %s", page, from.name()).isNotNull();
        assertThat(corrupt.store()).isEqualTo(from.name());
        assertThat(corrupt.page()).isEqualTo(page);
        assertThat(corrupt.expected()).isNotEqualTo(corrupt.found());
        return corrupt;
    }

    private void readSucceeds(long page) {
        assertThatCode(() -> store.read(page, ByteBuffer.allocate(PAGE_BYTES))).doesNotThrowAnyException();
    }

    @Test
    void exceptionNamesFileAndPageAndBothChecksums() throws IOException {
        byte[] page = written(5);
        int valid = ByteBuffer.wrap(page).getInt(OFFSET);
        ByteBuffer.wrap(page).putInt(OFFSET, 0x00abcdef);
        damage(5, page);

        PageCorruptException corrupt = readFails(store, 5);
        assertThat(corrupt.file()).isEqualTo(FILE);
        assertThat(corrupt.expected()).isEqualTo(valid);
        assertThat(corrupt.found()).isEqualTo(0x00abcdef);
        assertThat(corrupt.isZero()).isFalse();
        assertThat(corrupt)
                .hasMessageContaining("page 5 of orders.db (file 3) is corrupt")
                .hasMessageContaining(String.format("is 0x%08x, but 0x00abcdef is stored", valid))
                .hasMessageContaining("torn or changed on the device, or holds the bytes of another page");
    }

    @Test
    void checksumIsTheCrcOfFilePageAndBytesInBigEndianOrder() throws IOException {
        byte[] page = written(5);

        CRC32C crc = new CRC32C();
        crc.update(ByteBuffer.allocate(12).putInt(FILE).putLong(5).flip());
        crc.update(page, 0, OFFSET);
        crc.update(page, OFFSET + 4, PAGE_BYTES - OFFSET - 4);
        assertThat(ByteBuffer.wrap(page).getInt(OFFSET)).isEqualTo((int) crc.getValue());
        assertThat(onDevice(5)).isEqualTo(page);
    }

    @Test
    void orderOfABufferIsOfNoImportance() throws IOException {
        byte[] page = randomPage();
        store.write(1, ByteBuffer.wrap(page));
        byte[] again = page.clone();
        store.write(1, ByteBuffer.wrap(again).order(ByteOrder.LITTLE_ENDIAN));

        assertThat(again).isEqualTo(page);
        store.read(1, ByteBuffer.allocateDirect(PAGE_BYTES).order(ByteOrder.LITTLE_ENDIAN));
        readSucceeds(1);
    }

    @Test
    void everyFlippedBitIsDetected() throws IOException {
        byte[] page = written(2);
        int step = Tier.pick(7, 1, 1);
        for (int bit = 0; bit < PAGE_BYTES * Byte.SIZE; bit += step) {
            byte[] flipped = page.clone();
            flipped[bit / Byte.SIZE] ^= (byte) (1 << (bit % Byte.SIZE));
            damage(2, flipped);
            assertThat(readFails(store, 2).isZero()).isFalse();
        }
        damage(2, page);
        readSucceeds(2);
    }

    @Test
    void everyPageTornAtASectorIsDetected() throws IOException {
        byte[] before = written(2);
        byte[] after = written(2);
        byte[] newBeginning = after.clone();
        System.arraycopy(before, 512, newBeginning, 512, PAGE_BYTES - 512);
        byte[] newEnd = after.clone();
        System.arraycopy(before, 0, newEnd, 0, 512);

        damage(2, newBeginning);
        readFails(store, 2);
        damage(2, newEnd);
        readFails(store, 2);
    }

    @Test
    void pageWhoseSectorsAreZeroIsDetected() throws IOException {
        byte[] page = written(2);
        for (int sector = 0; sector < PAGE_BYTES; sector += 512) {
            byte[] zeroed = page.clone();
            Arrays.fill(zeroed, sector, sector + 512, (byte) 0);
            damage(2, zeroed);
            assertThat(readFails(store, 2).isZero()).isFalse();
        }
    }

    @Test
    void zeroedPageAndOneThatWasNeverWrittenAreNamedSo() throws IOException {
        written(2);
        damage(2, new byte[PAGE_BYTES]);
        store.extend(6);

        for (long page : new long[] {0, 1, 2, 3, 5}) {
            PageCorruptException corrupt = readFails(store, page);
            assertThat(corrupt.isZero()).isTrue();
            assertThat(corrupt.found()).isZero();
            assertThat(corrupt).hasMessageContaining("the page is all zeros: it was never written, or was zeroed");
        }
    }

    @Test
    void bytesOfAnotherPageAreDetected() throws IOException {
        byte[] page = written(0);
        for (long other : new long[] {1, 2, 256, 1L << 31, (1L << 32) + 1, 1L << 42}) {
            damage(other, page);
            readFails(store, other);
        }
        readSucceeds(0);
    }

    @Test
    void bytesOfAnotherFileAreDetected() throws IOException {
        written(4);
        for (int file : new int[] {0, 1, 2, 4, 1 << 19}) {
            PageStore other = new ChecksummedPageStore(device, file, OFFSET);
            assertThat(readFails(other, 4).file()).isEqualTo(file);
        }
        readSucceeds(4);
    }

    /** The page's last bytes are chosen so that its CRC is 0, which would be the checksum of a page of zeros. */
    @Test
    void checksumThatComputesToZeroIsStoredAsAnother() throws IOException {
        byte[] page = pageWithCrcZero(9);
        store.write(9, ByteBuffer.wrap(page));

        assertThat(ByteBuffer.wrap(page).getInt(OFFSET)).isOne();
        readSucceeds(9);
        ByteBuffer.wrap(page).putInt(OFFSET, 0);
        damage(9, page);
        readFails(store, 9);
    }

    private byte[] pageWithCrcZero(long number) {
        byte[] page = randomPage();
        // The CRC is affine in the last 4 bytes, so the bits to set solve 32 linear equations.
        int none = crc(number, page, 0);
        int[] effect = new int[Integer.SIZE];
        int[] bits = new int[Integer.SIZE];
        for (int bit = 0; bit < Integer.SIZE; bit++) {
            effect[bit] = crc(number, page, 1 << bit) ^ none;
            bits[bit] = 1 << bit;
        }
        int solution = 0;
        int rest = none;
        for (int column = 0; column < Integer.SIZE; column++) {
            int pivot = column;
            while (((effect[pivot] >>> column) & 1) == 0) {
                pivot++;
            }
            swap(effect, pivot, column);
            swap(bits, pivot, column);
            for (int row = 0; row < Integer.SIZE; row++) {
                if (row != column && ((effect[row] >>> column) & 1) == 1) {
                    effect[row] ^= effect[column];
                    bits[row] ^= bits[column];
                }
            }
        }
        for (int column = 0; column < Integer.SIZE; column++) {
            if (((rest >>> column) & 1) == 1) {
                solution ^= bits[column];
            }
        }
        assertThat(crc(number, page, solution)).isZero();
        return page;
    }

    private static void swap(int[] array, int one, int other) {
        int kept = array[one];
        array[one] = array[other];
        array[other] = kept;
    }

    /** The CRC with the last four bytes of the page set to a value. */
    private static int crc(long number, byte[] page, int last) {
        ByteBuffer.wrap(page).putInt(PAGE_BYTES - 4, last);
        CRC32C crc = new CRC32C();
        crc.update(ByteBuffer.allocate(12).putInt(FILE).putLong(number).flip());
        crc.update(page, 0, OFFSET);
        crc.update(page, OFFSET + 4, PAGE_BYTES - OFFSET - 4);
        return (int) crc.getValue();
    }

    @Test
    void readOnlySourceStaysAsItIs() throws IOException {
        for (boolean direct : new boolean[] {false, true}) {
            for (int pages : new int[] {1, 3, 2}) { // a copy that is large enough is used again
                byte[] bytes = new byte[pages * PAGE_BYTES];
                random.nextBytes(bytes);
                ByteBuffer source =
                        direct ? ByteBuffer.allocateDirect(bytes.length) : ByteBuffer.allocate(bytes.length);
                source.put(bytes).flip();
                if (pages == 1) {
                    store.write(0, source.asReadOnlyBuffer());
                } else {
                    store.writeRun(0, source.asReadOnlyBuffer());
                }

                assertThat(source).isEqualTo(ByteBuffer.wrap(bytes));
                for (int page = 0; page < pages; page++) {
                    byte[] read = new byte[PAGE_BYTES];
                    store.read(page, ByteBuffer.wrap(read));
                    ByteBuffer.wrap(read).putInt(OFFSET, ByteBuffer.wrap(bytes).getInt(page * PAGE_BYTES + OFFSET));
                    assertThat(read).isEqualTo(Arrays.copyOfRange(bytes, page * PAGE_BYTES, (page + 1) * PAGE_BYTES));
                }
            }
        }
    }

    @Test
    void runOfPagesIsOneRunOfTheOtherStore() throws IOException {
        ByteBuffer run = ByteBuffer.allocateDirect(5 * PAGE_BYTES);
        store.writeRun(2, run);
        store.writeRun(2, run.flip().asReadOnlyBuffer());

        assertThat(device.writes).isEqualTo(2);
        for (long page = 2; page < 7; page++) {
            readSucceeds(page);
        }
    }

    @Test
    void targetHoldsTheBytesOfACorruptPage() throws IOException {
        byte[] page = written(2);
        page[100] ^= 1;
        damage(2, page);
        ByteBuffer target =
                ByteBuffer.allocate(3 * PAGE_BYTES).position(PAGE_BYTES).limit(2 * PAGE_BYTES);

        assertThatThrownBy(() -> store.read(2, target)).isInstanceOf(PageCorruptException.class);
        assertThat(target.limit()).isEqualTo(2 * PAGE_BYTES);
        assertThat(Arrays.copyOfRange(target.array(), PAGE_BYTES, 2 * PAGE_BYTES))
                .isEqualTo(page);
    }

    @Test
    void failedWriteIsNotHidden() throws IOException {
        written(0);
        device.failWritesAfter(0);

        assertThatThrownBy(() -> written(0))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("page 0 of orders.db");
        assertThatThrownBy(() -> store.extend(9))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("orders.db");
        assertThat(store.pages()).isOne();
        readSucceeds(0);
    }

    @ParameterizedTest
    @ValueSource(ints = {-1, PAGE_BYTES - 3, PAGE_BYTES})
    void checksumOutsideOfThePageIsRefused(int offset) {
        assertThatThrownBy(() -> new ChecksummedPageStore(device, FILE, offset))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("at byte " + offset + " of each page of orders.db")
                .hasMessageContaining("between 0 and 1020");
    }

    @Test
    void negativeFileIsRefused() {
        assertThatThrownBy(() -> new ChecksummedPageStore(device, -1, OFFSET))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("orders.db is -1");
    }

    @Tag("nightly")
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void compiledReadsAndWritesAllocateNoMoreThanAChecksum(boolean direct) throws Exception {
        int pages = 1000;
        PageStore over = new ChecksummedPageStore(new EmptyStore(), FILE, OFFSET);
        ByteBuffer page = direct ? ByteBuffer.allocateDirect(PAGE_BYTES) : ByteBuffer.allocate(PAGE_BYTES);
        long least = Long.MAX_VALUE;
        for (int run = 0; run < 200 && least > MOST_BYTES * pages; run++) {
            least = Math.min(least, Allocations.during(() -> {
                for (int number = 0; number < pages; number++) {
                    over.write(number, page.clear());
                    over.read(number, page.clear());
                }
            }));
        }

        assertThat(least).as("bytes allocated for %d writes and reads", pages).isLessThanOrEqualTo(MOST_BYTES * pages);
    }

    /** Two objects of CRC-32C, if the compiler has not removed them, as it does where it inlines all calls. */
    private static final long MOST_BYTES = 64;

    /** Transfers nothing, so that the page that was written is the one that is read. */
    private static final class EmptyStore extends ForwardingStore {
        EmptyStore() {
            super(new MemoryPageStore("empty", PAGE_BYTES));
        }

        @Override
        public void read(long page, ByteBuffer target) {
            target.position(target.limit());
        }

        @Override
        public void write(long page, ByteBuffer source) {
            source.position(source.limit());
        }
    }
}
