// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.example;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.clockhand.WaitTimeoutException;
import io.clockhand.io.ForwardingPageStore;
import io.clockhand.io.PageStore;
import io.clockhand.page.BufferPoolBuilder;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Splits, scans, isolation, rollback, checkpoints and mistakes. */
class StoreTest {
    private static final StoreConfig CONFIG = new StoreConfig(1024, 64, true, true, Duration.ofMinutes(1));

    @TempDir
    private Path folder;

    private Store store;

    /** Every access of a page by a thread that has not fixed it is an error. */
    private static final class CheckedStorage extends Storage {
        CheckedStorage(Path folder) {
            super(folder);
        }

        @Override
        BufferPoolBuilder pool(BufferPoolBuilder builder) {
            return builder.detectLeaks(true);
        }
    }

    /** The file of the pages is closed, but says that it is not. */
    private static final class UnclosableStorage extends Storage {
        UnclosableStorage(Path folder) {
            super(folder);
        }

        @Override
        PageStore pages(String name, int pageBytes) throws IOException {
            PageStore store = super.pages(name, pageBytes);
            return !name.equals("pages")
                    ? store
                    : new ForwardingPageStore(store) {
                        @Override
                        public void read(long page, ByteBuffer target) throws IOException {
                            store.read(page, target);
                        }

                        @Override
                        public void write(long page, ByteBuffer source) throws IOException {
                            store.write(page, source);
                        }

                        @Override
                        public void close() throws IOException {
                            super.close();
                            throw new IOException("cannot close pages");
                        }
                    };
        }
    }

    @BeforeEach
    void open() throws IOException {
        store = new Store(new CheckedStorage(folder), CONFIG);
    }

    @AfterEach
    void closeAndCheck() throws IOException {
        if (store != null) {
            TreeCheck.check(store);
            store.close();
        }
    }

    private void crash() throws IOException {
        store.closeWithoutWriting();
        open();
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private void put(String key, String value) throws IOException {
        try (Transaction transaction = store.begin()) {
            transaction.put(bytes(key), bytes(value));
            transaction.commit();
        }
    }

    private void putAll(List<String> keys, String value) throws IOException {
        try (Transaction transaction = store.begin()) {
            for (String key : keys) {
                transaction.put(bytes(key), bytes(value));
            }
            transaction.commit();
        }
    }

    private static String get(Transaction transaction, String key) throws IOException {
        byte[] value = transaction.get(bytes(key));
        return value == null ? null : new String(value, StandardCharsets.UTF_8);
    }

    private String get(String key) throws IOException {
        try (Transaction transaction = store.begin()) {
            return get(transaction, key);
        }
    }

    private List<String> keys(String from, String to) throws IOException {
        List<String> keys = new ArrayList<>();
        try (Transaction transaction = store.begin()) {
            transaction.scan(bytes(from), to == null ? null : bytes(to), Texts.visitor((key, value) -> keys.add(key)));
        }
        return keys;
    }

    private static List<String> numbers(int count) {
        return IntStream.range(0, count).mapToObj(i -> String.format("%06d", i)).toList();
    }

    /** A process that was killed while it extended a file may leave a part of a page. */
    @ParameterizedTest
    @ValueSource(strings = {"pages", "journal", "master"})
    void storeOneOfWhoseFilesEndsWithinAPageIsRecovered(String file) throws IOException {
        put("a", "1");
        store.closeWithoutWriting();
        Files.write(folder.resolve(file), new byte[100], StandardOpenOption.APPEND);

        open();

        assertThat(get("a")).isEqualTo("1");
    }

    // --- splits ------------------------------------------------------------------------------------------------------

    @ParameterizedTest
    @CsvSource({"0, 0", "10, 5", "100, 100", "200, 0", "0, 230"})
    void splitsKeepEntriesOfAllSizes(int keyBytes, int valueBytes) throws IOException {
        List<String> keys = new ArrayList<>(numbers(600).stream()
                .map(number -> number + "k".repeat(keyBytes))
                .toList());
        List<String> sorted = List.copyOf(keys);
        Collections.shuffle(keys, new Random(7));
        putAll(keys, "v".repeat(valueBytes));
        assertThat(TreeCheck.check(store)).isEqualTo(600);
        assertThat(keys("", null)).isEqualTo(sorted);
        crash();
        assertThat(TreeCheck.check(store)).isEqualTo(600);
        assertThat(keys("", null)).isEqualTo(sorted);
    }

    @Test
    void greatestEntriesFitAndGreaterOnesAreRefused() throws IOException {
        int greatest = Node.greatestEntry(1024) - Node.entryBytes(0, 0);
        for (String first : List.of("c", "a", "b", "e", "d", "f", "ab", "ac", "ad", "ae")) {
            put(first + "k".repeat(greatest - first.length()), "");
            put(first, "v".repeat(greatest - first.length()));
        }
        assertThat(keys("", null)).hasSize(20);
        try (Transaction transaction = store.begin()) {
            assertThatThrownBy(() -> transaction.put(bytes("k"), new byte[greatest]))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("a quarter of a page");
        }
    }

    @Test
    void emptyKeyIsTheFirstOne() throws IOException {
        putAll(numbers(100), "value");
        put("", "");
        assertThat(get("")).isEmpty();
        assertThat(keys("", null)).hasSize(101).startsWith("", "000000");
    }

    @Test
    void valuesGrowAndShrinkInPlace() throws IOException {
        for (int round = 0; round < 40; round++) {
            putAll(numbers(20), "v".repeat(round * 37 % 200));
        }
        assertThat(keys("", null)).isEqualTo(numbers(20));
    }

    // --- scans -------------------------------------------------------------------------------------------------------

    @Test
    void scanEndsBeforeItsBoundAndWhenItsVisitorSaysSo() throws IOException {
        putAll(numbers(300), "value");
        assertThat(keys("000010", "000020")).isEqualTo(numbers(20).subList(10, 20));
        assertThat(keys("000010x", "000013")).containsExactly("000011", "000012");
        assertThat(keys("000299", null)).containsExactly("000299");
        assertThat(keys("1", null)).isEmpty();
        assertThat(keys("5", "4")).isEmpty();
        List<String> some = new ArrayList<>();
        try (Transaction transaction = store.begin()) {
            transaction.scan(bytes("000050"), null, Texts.visitor((key, value) -> {
                some.add(key);
                return some.size() < 100;
            }));
        }
        assertThat(some).isEqualTo(numbers(300).subList(50, 150));
    }

    @Test
    void scanOverConcurrentSplitsMeetsAllOlderKeysOnce() throws Exception {
        List<String> older = numbers(200);
        putAll(older, "");
        AtomicInteger scans = new AtomicInteger();
        List<Threads.Task> tasks = new ArrayList<>();
        for (int thread = 0; thread < 2; thread++) {
            String suffix = "-" + thread;
            tasks.add(() -> {
                for (int i = 0; i < older.size(); i += 10) {
                    putAll(
                            older.subList(i, i + 10).stream()
                                    .map(key -> key + suffix)
                                    .toList(),
                            "v".repeat(100));
                }
            });
        }
        tasks.add(() -> {
            for (int i = 0; i < 20; i++) {
                List<String> found = keys("", null);
                assertThat(found).isSorted().doesNotHaveDuplicates().containsAll(older);
                scans.incrementAndGet();
            }
        });
        Threads.run(tasks);
        assertThat(scans).hasValue(20);
        assertThat(keys("", null)).hasSize(600);
    }

    // --- isolation ---------------------------------------------------------------------------------------------------

    @Test
    void transactionSeesItsOwnChanges() throws IOException {
        put("a", "1");
        try (Transaction transaction = store.begin()) {
            transaction.put(bytes("a"), bytes("2"));
            transaction.put(bytes("b"), bytes("3"));
            assertThat(get(transaction, "a")).isEqualTo("2");
            transaction.delete(bytes("a"));
            assertThat(get(transaction, "a")).isNull();
            List<String> found = new ArrayList<>();
            transaction.scan(new byte[0], null, Texts.visitor((key, value) -> found.add(key)));
            assertThat(found).containsExactly("b");
        }
        assertThat(get("a")).isEqualTo("1");
        assertThat(get("b")).isNull();
    }

    @Test
    void readersWaitForTheEndOfAChange() throws Exception {
        put("a", "1");
        put("b", "1");
        Transaction writer = store.begin();
        writer.put(bytes("a"), bytes("2"));
        writer.delete(bytes("b"));
        CountDownLatch begun = new CountDownLatch(2);
        List<String> read = Collections.synchronizedList(new ArrayList<>());
        Threads.run(List.of(
                () -> {
                    begun.countDown();
                    read.add(get("a"));
                },
                () -> {
                    begun.countDown();
                    read.addAll(keys("b", null));
                },
                () -> {
                    begun.await();
                    assertThat(read).isEmpty();
                    writer.rollback();
                }));
        assertThat(read).containsExactlyInAnyOrder("1", "b");
    }

    @Test
    void waitForALockEndsByTimeout() throws IOException {
        store.close();
        store = Store.open(folder, new StoreConfig(1024, 64, true, true, Duration.ofMillis(1)));
        try (Transaction first = store.begin();
                Transaction second = store.begin()) {
            first.put(bytes("a"), bytes("1"));
            assertThatThrownBy(() -> second.put(bytes("a"), bytes("2")))
                    .isInstanceOf(WaitTimeoutException.class)
                    .hasMessageContaining("has not ended in time");
            assertThatThrownBy(() -> get(second, "a")).isInstanceOf(WaitTimeoutException.class);
            second.rollback();
            first.commit();
        }
        assertThat(get("a")).isEqualTo("1");
    }

    // --- rollback and recovery ---------------------------------------------------------------------------------------

    @Test
    void rollbackTakesBackChangesAcrossSplits() throws IOException {
        putAll(numbers(100), "old");
        try (Transaction transaction = store.begin()) {
            for (String key : numbers(300)) {
                transaction.put(bytes(key), bytes("new".repeat(20)));
            }
            for (String key : numbers(50)) {
                transaction.delete(bytes(key));
            }
            transaction.rollback();
        }
        assertThat(keys("", null)).isEqualTo(numbers(100));
        assertThat(get("000007")).isEqualTo("old");
        assertThat(get("000099")).isEqualTo("old");
    }

    @Test
    void changesOfATransactionThatHasNotEndedAreUndoneByRecovery() throws IOException {
        putAll(numbers(100), "old");
        Transaction loser = store.begin();
        for (String key : numbers(150)) {
            loser.put(bytes(key), bytes("new".repeat(20)));
        }
        loser.delete(bytes("000007"));
        store.checkpoint(); // its changes are in the pages, and the log before is not needed for redo
        store.pool.sync();
        store.checkpoint();
        put("z", "");
        crash();
        assertThat(keys("", null)).hasSize(101).contains("000007", "z");
        assertThat(get("000007")).isEqualTo("old");
        store.closeWithoutWriting(); // the compensation records are in the log: nothing is undone twice
        open();
        assertThat(keys("", null)).hasSize(101);
        assertThat(get("000099")).isEqualTo("old");
    }

    @Test
    void checkpointDeletesTheLogThatNobodyNeeds() throws IOException {
        putAll(numbers(20), "old");
        Transaction old = store.begin();
        old.put(bytes("x"), bytes("1"));
        store.pool.sync();
        store.checkpoint();
        MasterRecord.Checkpoint checkpoint = lastCheckpoint();
        assertThat(checkpoint.redoLsn()).isGreaterThan(checkpoint.scanLsn());
        assertThat(checkpoint.scanLsn()).isEqualTo(old.firstLsn);
        old.commit();
        store.checkpoint();
        store.checkpoint();
        assertThat(lastCheckpoint().scanLsn()).isEqualTo(store.log.end());
    }

    private MasterRecord.Checkpoint lastCheckpoint() throws IOException {
        Path copy = Files.createDirectories(folder.resolve("copy"));
        Files.deleteIfExists(copy.resolve("master"));
        Files.write(copy.resolve("master"), Files.readAllBytes(folder.resolve("master")));
        try (MasterRecord master = new MasterRecord(new Storage(copy))) {
            return master.read();
        }
    }

    @Test
    void storeOfWhichAFileCannotBeClosedLeavesNoOtherOpen() throws IOException {
        put("a", "1");
        store.close();
        store = new Store(new UnclosableStorage(folder), CONFIG);
        assertThatThrownBy(() -> store.close()).hasMessageContaining("cannot close pages");
        open();
        assertThat(get("a")).isEqualTo("1");
    }

    // --- mistakes and damage -----------------------------------------------------------------------------------------

    @Test
    void mistakesAreRefused() throws IOException {
        Transaction transaction = store.begin();
        transaction.put(bytes("a"), bytes("1"));
        assertThatThrownBy(() -> store.close())
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("have not ended");
        transaction.commit();
        transaction.close();
        assertThatThrownBy(() -> transaction.get(bytes("a")))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("has ended");
        assertThatThrownBy(transaction::commit).isInstanceOf(IllegalStateException.class);
        store.close();
        store.close();
        assertThatThrownBy(() -> Store.open(folder, new StoreConfig(2048, 64, true, true, Duration.ofSeconds(1))))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("pages of 1024 bytes");
        open();
    }

    @Test
    void oneDamagedSlotOfTheMasterRecordDoesNotMatterBothDo() throws IOException {
        put("a", "1");
        store.close();
        store = null;
        Path master = folder.resolve("master");
        byte[] good = Files.readAllBytes(master);
        for (int slot = 0; slot < 2; slot++) {
            byte[] damaged = good.clone();
            damaged[slot * 4096 + 17] ^= 1;
            Files.write(master, damaged);
            open();
            assertThat(get("a")).isEqualTo("1");
            store.closeWithoutWriting();
            store = null;
        }
        byte[] damaged = good.clone();
        damaged[17] ^= 1;
        damaged[4096 + 17] ^= 1;
        Files.write(master, damaged);
        assertThatThrownBy(() -> Store.open(folder, CONFIG))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("are damaged");
    }
}
