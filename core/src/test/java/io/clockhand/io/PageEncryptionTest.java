// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.io;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.clockhand.testing.Tier;
import io.clockhand.testing.Workers;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.zip.CRC32C;
import javax.crypto.Cipher;
import javax.crypto.Mac;
import javax.crypto.SecretKey;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The bytes of encrypted pages on the device, and what of their changes is detected. */
class PageEncryptionTest {
    private static final int PAGE_BYTES = 1024;
    private static final int DATA_BYTES = PAGE_BYTES - EncryptedPageStore.OWN_BYTES;
    /** Of the header, those that have a meaning. */
    private static final int HEADER_BYTES = 172;

    private static final EncryptionKeys KEYS = EncryptionKeys.of("2024-q3", key(32, 1));

    private final FailingStore device = new FailingStore(new MemoryPageStore("orders.db", PAGE_BYTES));
    private final Random random = new Random(1);

    @RegisterExtension
    private final Workers workers = new Workers();

    private static SecretKey key(int bytes, int value) {
        byte[] material = new byte[bytes];
        Arrays.fill(material, (byte) value);
        return new SecretKeySpec(material, "AES");
    }

    private EncryptedPageStore create() throws IOException {
        return EncryptedPageStore.create(device, KEYS);
    }

    private byte[] randomPage() {
        byte[] page = new byte[PAGE_BYTES];
        random.nextBytes(page);
        return page;
    }

    /** Of the store below: page 0 is the header. */
    private byte[] onDevice(long page) throws IOException {
        byte[] bytes = new byte[PAGE_BYTES];
        device.read(page, ByteBuffer.wrap(bytes));
        return bytes;
    }

    private void change(long page, byte[] bytes) throws IOException {
        device.write(page, ByteBuffer.wrap(bytes));
    }

    private static byte[] data(byte[] page) {
        return Arrays.copyOf(page, DATA_BYTES);
    }

    private static byte[] read(PageStore store, long page) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate(PAGE_BYTES);
        store.read(page, bytes);
        return data(bytes.array());
    }

    private static PageCorruptException readFails(PageStore store, long page) {
        PageCorruptException corrupt =
                catchThrowableOfType(PageCorruptException.class, () -> store.read(page, ByteBuffer.allocate(1024)));
        assertThat(corrupt).as("page %d", page).isNotNull();
        assertThat(corrupt).hasMessageContaining("page " + page + " of orders.db is corrupt");
        assertThat(corrupt.page()).isEqualTo(page);
        assertThat(corrupt.store()).isEqualTo("orders.db");
        assertThat(corrupt.file()).isEqualTo(PageCorruptException.NO_FILE);
        PageCorruptException inRun = catchThrowableOfType(
                PageCorruptException.class,
                () -> store.readRun(page, new ByteBuffer[] {ByteBuffer.allocateDirect(PAGE_BYTES)}, 1));
        assertThat(inRun).as("page %d, in a run", page).hasMessage(corrupt.getMessage());
        assertThat(inRun.isZero()).isEqualTo(corrupt.isZero());
        return corrupt;
    }

    // --- format ------------------------------------------------------------------------------------------------------

    /** By the JDK alone, after the description of the format. */
    @Test
    void pageCanBeDecryptedAfterTheDescription() throws IOException, GeneralSecurityException {
        byte[] page = randomPage();
        try (PageStore store = create()) {
            store.write(7, ByteBuffer.wrap(page));
            byte[] salt = Arrays.copyOfRange(onDevice(0), 84, 116);
            byte[] pseudorandom = hmac(salt, key(32, 1).getEncoded());
            byte[] fileKey = hmac(pseudorandom, "clockhand page encryption 1\1".getBytes(StandardCharsets.US_ASCII));
            byte[] check = hmac(pseudorandom, "clockhand key check 1\1".getBytes(StandardCharsets.US_ASCII));
            assertThat(onDevice(0)).startsWith("CHENCRPT".getBytes(StandardCharsets.US_ASCII));
            assertThat(Arrays.copyOfRange(onDevice(0), 116, 132)).isEqualTo(Arrays.copyOf(check, 16));

            byte[] found = onDevice(8);
            Cipher cipher = Cipher.getInstance("AES/GCM/NoPadding");
            cipher.init(
                    Cipher.DECRYPT_MODE,
                    new SecretKeySpec(fileKey, "AES"),
                    new GCMParameterSpec(128, found, PAGE_BYTES - 12, 12));
            cipher.updateAAD(ByteBuffer.allocate(8).putLong(7).flip());
            assertThat(cipher.doFinal(found, 0, PAGE_BYTES - 12)).isEqualTo(data(page));
        }
    }

    private static byte[] hmac(byte[] key, byte[] bytes) throws GeneralSecurityException {
        Mac mac = Mac.getInstance("HmacSHA256");
        mac.init(new SecretKeySpec(key, "HmacSHA256"));
        return mac.doFinal(bytes);
    }

    @Test
    void lastBytesAreThoseOfTheDeviceAfterARead() throws IOException {
        try (PageStore store = create()) {
            store.write(0, ByteBuffer.wrap(randomPage()));
            ByteBuffer bytes = ByteBuffer.allocate(PAGE_BYTES);
            store.read(0, bytes);

            assertThat(Arrays.copyOfRange(bytes.array(), DATA_BYTES, PAGE_BYTES))
                    .isEqualTo(Arrays.copyOfRange(onDevice(1), DATA_BYTES, PAGE_BYTES));
            assertThat(store.ownBytes())
                    .containsExactly(new ByteRange(DATA_BYTES, 28, "the nonce and tag of encryption"));
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {16, 24, 32})
    void masterKeysOfThreeSizesAreTaken(int bytes) throws IOException {
        EncryptionKeys keys = EncryptionKeys.of("some", key(bytes, 3));
        byte[] page = randomPage();
        EncryptedPageStore.create(device, keys).write(0, ByteBuffer.wrap(page));

        assertThat(read(EncryptedPageStore.open(device, keys), 0)).isEqualTo(data(page));
    }

    @Test
    void noncesAndBytesDifferWheneverTheSamePageIsWritten() throws IOException {
        try (PageStore store = create()) {
            byte[] page = randomPage();
            Set<ByteBuffer> nonces = new HashSet<>();
            Set<ByteBuffer> texts = new HashSet<>();
            int writes = 200;
            for (int i = 0; i < writes; i++) {
                store.write(3, ByteBuffer.wrap(page));
                byte[] found = onDevice(4);
                nonces.add(ByteBuffer.wrap(found, PAGE_BYTES - 12, 12));
                texts.add(ByteBuffer.wrap(found, 0, DATA_BYTES));
                assertThat(read(store, 3)).isEqualTo(data(page));
            }
            assertThat(nonces).hasSize(writes);
            assertThat(texts).hasSize(writes);
        }
    }

    @Test
    void noTextOfAPageIsInTheFile(@TempDir Path folder) throws IOException {
        Path path = folder.resolve("pages.db");
        byte[] text = "never to be seen".getBytes(StandardCharsets.US_ASCII);
        ByteBuffer pages = ByteBuffer.allocate(4 * PAGE_BYTES);
        while (pages.remaining() >= text.length) {
            pages.put(text);
        }
        pages.clear();
        PageStore file = FilePageStore.open(path, PAGE_BYTES, FileOption.CREATE);
        try (PageStore store = EncryptedPageStore.create(file, KEYS)) {
            store.writeRun(0, pages.duplicate());
            store.write(4, pages.duplicate().limit(PAGE_BYTES));
            store.writeBatch(new long[] {6, 8}, 0, 2, pages.duplicate().limit(2 * PAGE_BYTES));
            store.setLengthBytes(9 * PAGE_BYTES - 100);
        }

        String all = new String(Files.readAllBytes(path), StandardCharsets.ISO_8859_1);
        assertThat(all).hasSize(10 * PAGE_BYTES).contains("2024-q3");
        for (int from = 0; from + 6 <= text.length; from++) {
            assertThat(all).doesNotContain(new String(text, from, 6, StandardCharsets.US_ASCII));
        }
    }

    @Test
    void sourceIsNotChanged() throws IOException {
        try (PageStore store = create()) {
            for (boolean direct : new boolean[] {false, true}) {
                byte[] pages = new byte[3 * PAGE_BYTES];
                random.nextBytes(pages);
                ByteBuffer source = direct ? ByteBuffer.allocateDirect(pages.length) : ByteBuffer.wrap(pages.clone());
                source.put(0, pages);
                store.writeRun(0, source);
                store.writeBatch(new long[] {4, 6, 7}, 0, 3, source.clear());
                store.write(9, source.clear().limit(PAGE_BYTES));

                byte[] after = new byte[pages.length];
                source.clear().get(after);
                assertThat(after).isEqualTo(pages);
            }
        }
    }

    /** So that direct I/O copies them no more. */
    @Test
    void encryptedPagesLieAtMultiplesOfThePageSize() throws IOException {
        List<Integer> sizes = new ArrayList<>();
        PageStore below = new ForwardingStore(device) {
            @Override
            public void write(long page, ByteBuffer source) throws IOException {
                note(source);
                super.write(page, source);
            }

            @Override
            public void writeRun(long first, ByteBuffer source) throws IOException {
                note(source);
                super.writeRun(first, source);
            }

            private void note(ByteBuffer source) {
                assertThat(source.isDirect()).isTrue();
                assertThat(source.alignmentOffset(source.position(), PAGE_BYTES))
                        .isZero();
                sizes.add(source.remaining() / PAGE_BYTES);
            }
        };
        PageStore store = EncryptedPageStore.create(below, KEYS);
        int[] runs = {1, 2, 1, 300, 2, 1, 2000, 300};
        for (int pages : runs) {
            store.writeRun(0, ByteBuffer.allocate(pages * PAGE_BYTES));
        }
        assertThat(sizes).containsExactly(1, 1, 2, 1, 300, 2, 1, 2000, 300);
        assertThat(read(store, 1999)).containsOnly(0);
    }

    // --- changes on the device ---------------------------------------------------------------------------------------

    @Test
    void everyFlippedBitIsDetected() throws IOException {
        try (PageStore store = create()) {
            byte[] page = randomPage();
            store.write(2, ByteBuffer.wrap(page));
            byte[] found = onDevice(3);
            for (int at = 0; at < PAGE_BYTES; at++) {
                byte[] flipped = found.clone();
                flipped[at] ^= (byte) (1 << random.nextInt(8));
                change(3, flipped);
                assertThat(readFails(store, 2).isZero()).isFalse();
            }
            change(3, found);
            assertThat(read(store, 2)).isEqualTo(data(page));
        }
    }

    @Test
    void targetOfACorruptPageHasTheBytesThatWereFound() throws IOException {
        try (PageStore store = create()) {
            store.write(0, ByteBuffer.wrap(randomPage()));
            byte[] found = onDevice(1);
            found[5] ^= 1;
            change(1, found);
            ByteBuffer target = ByteBuffer.allocate(PAGE_BYTES);

            assertThatThrownBy(() -> store.read(0, target)).isInstanceOf(PageCorruptException.class);
            assertThat(target.array()).isEqualTo(found);
        }
    }

    @Test
    void pagesThatChangePlacesAreDetected() throws IOException {
        try (PageStore store = create()) {
            store.write(0, ByteBuffer.wrap(randomPage()));
            store.write(1, ByteBuffer.wrap(randomPage()));
            byte[] first = onDevice(1);
            change(1, onDevice(2));
            change(2, first);

            assertThat(readFails(store, 0)).hasMessageContaining("bytes of another page");
            readFails(store, 1);
            change(0, first); // as a header
            assertThatThrownBy(() -> EncryptedPageStore.open(device, KEYS)).isInstanceOf(IOException.class);
        }
    }

    @Test
    void pageOfAnotherFileWithTheSameKeyIsDetected() throws IOException {
        PageStore second = new MemoryPageStore("orders.db", PAGE_BYTES);
        byte[] page = randomPage();
        create().write(0, ByteBuffer.wrap(page));
        EncryptedPageStore other = EncryptedPageStore.create(second, KEYS);
        other.write(0, ByteBuffer.wrap(page));
        second.write(1, ByteBuffer.wrap(onDevice(1)));

        readFails(other, 0);
    }

    @Test
    void zeroedPageIsReportedAsSuch() throws IOException {
        try (PageStore store = create()) {
            store.write(0, ByteBuffer.wrap(randomPage()));
            store.extend(3);
            change(1, new byte[PAGE_BYTES]);

            for (int page = 0; page < 3; page++) {
                PageCorruptException zero = readFails(store, page);
                assertThat(zero.isZero()).isTrue();
                assertThat(zero).hasMessageContaining("never written");
            }
            store.write(2, ByteBuffer.wrap(new byte[PAGE_BYTES]));
            assertThat(read(store, 2)).containsOnly(0);
        }
    }

    @Test
    void runNamesTheFirstPageThatIsCorrupt() throws IOException {
        try (PageStore store = create()) {
            store.writeRun(0, ByteBuffer.allocate(4 * PAGE_BYTES));
            change(3, new byte[PAGE_BYTES]);
            change(4, randomPage());

            PageCorruptException corrupt = catchThrowableOfType(
                    PageCorruptException.class,
                    () -> store.readRun(0, new ByteBuffer[] {ByteBuffer.allocate(4 * PAGE_BYTES)}, 1));
            assertThat(corrupt.page()).isEqualTo(2);
            assertThat(corrupt.isZero()).isTrue();
        }
    }

    // --- header ------------------------------------------------------------------------------------------------------

    private void openFails(PageStore store, EncryptionKeys keys, String... words) {
        assertThatThrownBy(() -> EncryptedPageStore.open(store, keys))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("orders.db")
                .hasMessageContainingAll(words);
    }

    @Test
    void wrongKeyIsToldFromAnUnknownId() throws IOException {
        create();

        openFails(device, EncryptionKeys.of("2024-q3", key(32, 2)), "the key \"2024-q3\" is not the one that it was");
        openFails(device, EncryptionKeys.of("2025", key(32, 1)), "the key \"2024-q3\"", "there is no key \"2024-q3\"");
        openFails(device, keysOfAService("2024-q3", key(20, 1)), "the key \"2024-q3\"", "has 20 bytes");
        openFails(device, keysOfAService("2024-q3", null), "the key \"2024-q3\"", "is null");
        assertThatCode(() -> EncryptedPageStore.open(device, KEYS)).doesNotThrowAnyException();
    }

    private static EncryptionKeys keysOfAService(String id, SecretKey key) {
        return new EncryptionKeys() {
            @Override
            public String newest() {
                return id;
            }

            @Override
            public SecretKey key(String wanted) {
                return key;
            }
        };
    }

    @Test
    void eachDamagedByteOfTheHeaderIsDetected() throws IOException {
        create().close();
        byte[] header = newHeader();
        for (int at = 0; at < HEADER_BYTES; at++) {
            byte[] flipped = header.clone();
            flipped[at] ^= (byte) (1 << random.nextInt(8));
            MemoryPageStore damaged = deviceWith(flipped);
            openFails(damaged, KEYS, at < 8 ? "it is not an encrypted file" : "its header is damaged");
        }
        assertThatCode(() -> EncryptedPageStore.open(deviceWith(header), KEYS)).doesNotThrowAnyException();
    }

    private byte[] newHeader() throws IOException {
        MemoryPageStore store = new MemoryPageStore("orders.db", PAGE_BYTES);
        EncryptedPageStore.create(store, KEYS);
        ByteBuffer bytes = ByteBuffer.allocate(PAGE_BYTES);
        store.read(0, bytes);
        return bytes.array();
    }

    private static MemoryPageStore deviceWith(byte[] header) throws IOException {
        MemoryPageStore store = new MemoryPageStore("orders.db", header.length);
        store.write(0, ByteBuffer.wrap(header));
        return store;
    }

    /** By somebody who knows the format, but not the key: the checksum is right. */
    @Test
    void headerThatWasChangedOnPurposeIsDetected() throws IOException {
        byte[] header = newHeader();
        for (int at : new int[] {12, 15, 132, 139, 140, 167}) { // page size, length, tag, nonce
            byte[] changed = header.clone();
            changed[at] ^= 1;
            putChecksum(changed);
            openFails(deviceWith(changed), KEYS, "its header is damaged", "changed on purpose");
        }
        for (int at : new int[] {16, 19}) {
            byte[] changed = header.clone();
            changed[at] ^= (byte) 0x80;
            putChecksum(changed);
            openFails(deviceWith(changed), KEYS, "its header is damaged", "the id of its key has");
        }
    }

    private static void putChecksum(byte[] header) {
        CRC32C crc = new CRC32C();
        crc.update(header, 0, 168);
        ByteBuffer.wrap(header).putInt(168, (int) crc.getValue());
    }

    /** Not every key gives a copy away. */
    @Test
    void keyThatReturnsItsOwnArrayStaysAsItIs() throws IOException {
        byte[] material = new byte[32];
        Arrays.fill(material, (byte) 7);
        SecretKey own = new SecretKey() {
            private static final long serialVersionUID = 1L;

            @Override
            public String getAlgorithm() {
                return "AES";
            }

            @Override
            public String getFormat() {
                return "RAW";
            }

            @Override
            public byte[] getEncoded() {
                return material;
            }
        };
        EncryptedPageStore.create(device, EncryptionKeys.of("own", own));
        assertThat(material).as("the key").containsOnly(7);
        EncryptedPageStore.open(device, EncryptionKeys.of("own", new SecretKeySpec(material, "AES")));
    }

    @Test
    void journalAboveIsRefused() throws IOException {
        EncryptedPageStore store = EncryptedPageStore.create(device, KEYS);
        assertThatThrownBy(() -> DoubleWritePageStore.open(store, new MemoryPageStore("journal", store.pageBytes())))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("would have the plaintext");
    }

    /** The crash has lost the last write of the header. */
    @Test
    void lengthOfBeforeACrashDoesNotComeBack() throws IOException {
        EncryptedPageStore store = EncryptedPageStore.create(device, KEYS);
        store.extend(2);
        store.setLengthBytes(store.pageBytes() + 100);
        ByteBuffer header = ByteBuffer.allocate(device.pageBytes());
        device.read(0, header);
        store.extend(3);
        device.write(0, header.flip());
        EncryptedPageStore reopened = EncryptedPageStore.open(device, KEYS);
        assertThat(reopened.lengthBytes()).as("the length after the crash").isEqualTo(3L * store.pageBytes());
        reopened.truncate(2);
        assertThat(reopened.lengthBytes()).as("the length after the truncation").isEqualTo(2L * store.pageBytes());
        assertThat(EncryptedPageStore.open(device, KEYS).lengthBytes())
                .as("the length when it is opened again")
                .isEqualTo(2L * store.pageBytes());
    }

    @Test
    void otherFilesAndVersionsAreRefused() throws IOException {
        openFails(device, KEYS, "it is empty", "EncryptedPageStore.create");
        device.extend(1);
        openFails(device, KEYS, "its header is zero", "delete it, and create it again");
        device.extend(2);
        openFails(device, KEYS, "its header is damaged (it is zero)", "from a backup");
        change(0, randomPage());
        openFails(device, KEYS, "it is not an encrypted file, or its header is damaged");
        byte[] header = newHeader();
        header[11] = 9;
        putChecksum(header);
        openFails(deviceWith(header), KEYS, "its format has version 9");
        assertThatThrownBy(() -> EncryptedPageStore.create(device, KEYS))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("orders.db: it has 2 pages already");
    }

    @Test
    void anotherPageSizeIsRefused(@TempDir Path folder) throws IOException {
        Path path = folder.resolve("orders.db");
        PageStore file = FilePageStore.open(path, 2048, FileOption.CREATE);
        try (PageStore store = EncryptedPageStore.create(file, KEYS)) {
            store.write(0, ByteBuffer.allocate(2048));
        }
        for (int bytes : new int[] {512, 1024, 4096}) {
            try (PageStore other = FilePageStore.open(path, bytes)) {
                openFails(other, KEYS, "its pages have 2048 bytes, not " + bytes, "open it with pages of 2048");
            }
        }
    }

    @Test
    void storesThatCannotBeEncryptedAreRefused() throws IOException {
        PageStore checked = new ChecksummedPageStore(device, 1, 0);
        assertThatThrownBy(() -> EncryptedPageStore.create(checked, KEYS))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("orders.db")
                .hasMessageContaining("the checksum (bytes 0 to 3)");
        assertThatThrownBy(() -> EncryptedPageStore.open(checked, KEYS)).isInstanceOf(IllegalArgumentException.class);
        PageStore readOnly = new ForwardingStore(device) {
            @Override
            public boolean isReadOnly() {
                return true;
            }
        };
        assertThatThrownBy(() -> EncryptedPageStore.create(readOnly, KEYS))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("orders.db is read-only");
        assertThat(device.pages()).isZero();
        EncryptedPageStore encrypted = create();
        assertThatThrownBy(() -> new ChecksummedPageStore(encrypted, 1, 0))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("the pages of orders.db are encrypted");
    }

    @Test
    void keysThatAreNotValidAreRefused() {
        assertThatThrownBy(() -> EncryptionKeys.of("short", key(15, 1)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("\"short\" has 15 bytes; it must have 16, 24 or 32");
        for (String id : new String[] {"", "x".repeat(65), "\u00e4".repeat(33), "\ud800"}) {
            assertThatThrownBy(() -> EncryptionKeys.of(id, key(16, 1))).isInstanceOf(IllegalArgumentException.class);
        }
        assertThatCode(() -> EncryptionKeys.of("\u00e4".repeat(32), key(16, 1))).doesNotThrowAnyException();
    }

    @Test
    void onlyAFileThatIsMadeInANewStoreIsNew(@TempDir Path folder) throws IOException {
        assertThat(create().isNew()).as("the store existed").isFalse();
        Path path = folder.resolve("pages.db");
        try (PageStore made = EncryptedPageStore.create(FilePageStore.open(path, 512, FileOption.CREATE), KEYS)) {
            assertThat(made.isNew()).isTrue();
        }
        try (PageStore opened = EncryptedPageStore.open(FilePageStore.open(path, 512, FileOption.CREATE), KEYS)) {
            assertThat(opened.isNew()).isFalse();
        }
        try (PageStore reader = EncryptedPageStore.open(FilePageStore.open(path, 512, FileOption.READ_ONLY), KEYS)) {
            assertThat(reader.isReadOnly()).isTrue();
            assertThatThrownBy(() -> reader.setLengthBytes(0)).isInstanceOf(IOException.class);
        }
    }

    // --- length ------------------------------------------------------------------------------------------------------

    @Test
    void lengthIsKeptWhileNothingBehindItIsWritten() throws IOException {
        PageStore store = create();
        byte[] last = randomPage();
        store.writeRun(0, ByteBuffer.allocate(2 * PAGE_BYTES));
        store.write(2, ByteBuffer.wrap(last));
        assertThat(store.hasAnyLength()).isTrue();
        assertThat(store.lengthBytes()).isEqualTo(3 * PAGE_BYTES);
        long length = 2 * PAGE_BYTES + 100;
        store.setLengthBytes(length);

        store = EncryptedPageStore.open(device, KEYS);
        assertThat(store.lengthBytes()).isEqualTo(length);
        assertThat(store.pages()).isEqualTo(3);
        byte[] expected = Arrays.copyOf(Arrays.copyOf(last, 100), DATA_BYTES);
        assertThat(read(store, 2)).as("zeros behind the end").isEqualTo(expected);
        store.write(0, ByteBuffer.allocate(PAGE_BYTES));
        store.writeRun(0, ByteBuffer.allocate(2 * PAGE_BYTES));
        assertThat(store.lengthBytes()).isEqualTo(length);
        store.setLengthBytes(length + 50);
        assertThat(EncryptedPageStore.open(device, KEYS).lengthBytes()).isEqualTo(length + 50);
        assertThat(read(store, 2)).isEqualTo(expected);
    }

    /** How a file becomes longer or shorter. */
    private interface Step {
        void run(PageStore store) throws IOException;
    }

    @Test
    void lengthIsThatOfAllPagesAfterTheLastOneWasWrittenOrThereIsAnother() throws IOException {
        List<Step> steps = List.of(
                store -> store.write(1, ByteBuffer.allocate(PAGE_BYTES)),
                store -> store.write(5, ByteBuffer.allocate(PAGE_BYTES)),
                store -> store.writeRun(0, ByteBuffer.allocate(2 * PAGE_BYTES)),
                store -> store.writeBatch(new long[] {0, 1}, 0, 2, ByteBuffer.allocate(2 * PAGE_BYTES)),
                store -> store.extend(3),
                store -> store.truncate(1),
                store -> store.setLengthBytes(2 * PAGE_BYTES),
                store -> {
                    store.truncate(1);
                    store.extend(2);
                },
                store -> {
                    store.extend(3);
                    store.truncate(2);
                });
        for (Step step : steps) {
            MemoryPageStore below = new MemoryPageStore("orders.db", PAGE_BYTES);
            PageStore store = EncryptedPageStore.create(below, KEYS);
            store.writeRun(0, ByteBuffer.allocate(2 * PAGE_BYTES));
            store.setLengthBytes(PAGE_BYTES + 1);
            store.extend(2);
            store.truncate(2);
            assertThat(store.lengthBytes()).isEqualTo(PAGE_BYTES + 1);

            step.run(store);
            assertThat(store.lengthBytes()).isEqualTo(store.pages() * PAGE_BYTES);
            PageStore again = EncryptedPageStore.open(below, KEYS);
            assertThat(again.lengthBytes()).isEqualTo(store.lengthBytes());
        }
    }

    /** As after a crash that has lost a truncation of the store below, or that came before the header was written. */
    @Test
    void lengthThatDoesNotAgreeWithThePagesIsNotTaken() throws IOException {
        PageStore store = create();
        store.writeRun(0, ByteBuffer.allocate(2 * PAGE_BYTES));
        store.setLengthBytes(PAGE_BYTES + 1);
        device.write(3, ByteBuffer.allocate(PAGE_BYTES));

        assertThat(EncryptedPageStore.open(device, KEYS).lengthBytes()).isEqualTo(3 * PAGE_BYTES);
    }

    @Test
    void lengthOfOtherPagesIsRefused() throws IOException {
        PageStore store = create();
        store.writeRun(0, ByteBuffer.allocate(2 * PAGE_BYTES));
        for (long bytes : new long[] {-1, 0, PAGE_BYTES, 2 * PAGE_BYTES + 1, Long.MAX_VALUE}) {
            assertThatThrownBy(() -> store.setLengthBytes(bytes))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("orders.db to " + bytes + " bytes");
        }
        store.truncate(0);
        store.setLengthBytes(0);
        assertThat(store.lengthBytes()).isZero();
    }

    // --- failures ----------------------------------------------------------------------------------------------------

    @Test
    void failedWriteNamesThePageAndLeavesTheSource() throws IOException {
        PageStore store = create();
        byte[] page = randomPage();
        for (int round = 0; round < 100; round++) { // more than there are buffers and ciphers
            device.failWritesAfter(0);
            ByteBuffer source = ByteBuffer.wrap(page.clone());
            assertThatThrownBy(() -> store.write(6, source))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("cannot write page 6 of orders.db")
                    .hasMessageContaining("No space left");
            assertThat(source.array()).isEqualTo(page);
            ByteBuffer run = ByteBuffer.allocate(2 * PAGE_BYTES);
            assertThatThrownBy(() -> store.writeRun(5, run)).hasMessageContaining("begins with page 5 of orders.db");
            assertThatThrownBy(() -> store.writeBatch(new long[] {4, 9}, 0, 2, ByteBuffer.allocate(2 * PAGE_BYTES)))
                    .hasMessageContaining("begins with page 4 of orders.db");
            device.succeed();
            assertThatThrownBy(() -> read(store, 6))
                    .isInstanceOf(EOFException.class)
                    .hasMessageContaining("page 6");
        }
        store.write(6, ByteBuffer.wrap(page));
        assertThat(read(store, 6)).isEqualTo(data(page));
    }

    @Test
    void headerThatCannotBeWrittenLeavesTheLength() throws IOException {
        device.failWritesAfter(0);
        assertThatThrownBy(this::create).isInstanceOf(IOException.class).hasMessageContaining("header of orders.db");
        device.succeed();
        PageStore store = create();
        store.write(0, ByteBuffer.allocate(PAGE_BYTES));
        store.setLengthBytes(100);
        device.failWritesAfter(0);
        assertThatThrownBy(() -> store.setLengthBytes(200)).hasMessageContaining("header of orders.db");
        assertThatThrownBy(() -> store.extend(2)).hasMessageContaining("header of orders.db");
        device.succeed();

        assertThat(store.lengthBytes()).isEqualTo(100);
        store.setLengthBytes(300);
        assertThat(EncryptedPageStore.open(device, KEYS).lengthBytes()).isEqualTo(300);
    }

    // --- threads -----------------------------------------------------------------------------------------------------

    @Test
    void threadsDoNotMixTheirPages(@TempDir Path folder) throws IOException {
        PageStore file = FilePageStore.open(folder.resolve("pages.db"), PAGE_BYTES, FileOption.CREATE);
        int threads = 8;
        int steps = Tier.pick(300, 2_000, 50_000);
        try (PageStore store = EncryptedPageStore.create(file, KEYS)) {
            store.extend(threads * 16L);
            List<Workers.Worker<Void>> all = new ArrayList<>();
            for (int thread = 0; thread < threads; thread++) {
                int own = thread;
                all.add(workers.run(() -> writeAndRead(store, own * 16L, steps, new SplittableRandom(own))));
            }
            all.forEach(Workers.Worker::result);
        }
    }

    /** On the 16 pages from one on. */
    private static void writeAndRead(PageStore store, long first, int steps, SplittableRandom random)
            throws IOException {
        byte[][] written = new byte[16][];
        for (int step = 0; step < steps; step++) {
            int slot = random.nextInt(written.length);
            int count = Math.min(1 + random.nextInt(3), written.length - slot);
            if (written[slot] == null || random.nextBoolean()) {
                ByteBuffer source = ByteBuffer.allocate(count * PAGE_BYTES);
                random.nextBytes(source.array());
                store.writeRun(first + slot, source);
                for (int i = 0; i < count; i++) {
                    byte[] page = new byte[PAGE_BYTES];
                    source.get(i * PAGE_BYTES, page);
                    written[slot + i] = data(page);
                }
            } else {
                assertThat(read(store, first + slot)).isEqualTo(written[slot]);
            }
        }
    }
}
