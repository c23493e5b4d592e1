// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.internal.table;

import static org.assertj.core.api.Assertions.assertThat;

import io.clockhand.testing.Tier;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ChainedTableTest {
    /** A tag that is a hash, so the table compares keys. */
    private static final long HASH = Long.MIN_VALUE | 5;

    private static final int CHANGES = Tier.pick(10_000, 50_000, 1_000_000);

    private static final class Node extends ChainedTable.Node<Integer> {
        Node(int key, long tag) {
            super(key, tag);
        }
    }

    private final ChainedTable<Integer, Node> table = new ChainedTable<>(10);

    /** Creates a node in the same chain as all others that this method creates. */
    private static Node inOneChain(int key) {
        return new Node(key, HASH);
    }

    private static long scattered(int key) {
        return key * 0x9E37_79B9L | Long.MIN_VALUE;
    }

    private Node get(int key) {
        return table.get(key, HASH);
    }

    @Test
    void keyIsFoundFromItsInsertionToItsRemoval() {
        Node node = inOneChain(1);
        assertThat(get(1)).isNull();
        assertThat(table.putIfAbsent(node)).isTrue();
        assertThat(get(1)).isSameAs(node);
        assertThat(table.remove(node)).isTrue();
        assertThat(get(1)).isNull();
        assertThat(table.remove(node)).isFalse();
        assertThat(table.size()).isZero();
    }

    @Test
    void tagOfOneKeyIsComparedWithoutTheKey() {
        Node node = new Node(1, 5);
        table.putIfAbsent(node);

        assertThat(table.get(2, 5)).isSameAs(node);
        assertThat(table.get(1, 6)).isNull();
        assertThat(table.putIfAbsent(new Node(2, 5))).isFalse();
    }

    @Test
    void secondEntryOfAKeyIsRefusedAndCanBeInsertedLater() {
        Node first = inOneChain(1);
        Node second = inOneChain(1);
        table.putIfAbsent(first);
        assertThat(table.putIfAbsent(second)).isFalse();
        assertThat(table.remove(second)).as("it is not there").isFalse();
        assertThat(get(1)).isSameAs(first);
        table.remove(first);
        assertThat(table.putIfAbsent(second)).isTrue();
        assertThat(get(1)).isSameAs(second);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2})
    void removalFromAnyPositionOfAChainKeepsTheOtherEntries(int removed) {
        List<Node> nodes = new ArrayList<>();
        for (int key = 0; key < 3; key++) {
            nodes.add(inOneChain(key));
            table.putIfAbsent(nodes.get(key));
        }
        assertThat(table.remove(nodes.get(removed))).isTrue();
        for (int key = 0; key < 3; key++) {
            assertThat(get(key)).isSameAs(key == removed ? null : nodes.get(key));
        }
        assertThat(table.size()).isEqualTo(2);
    }

    @Test
    void tableHoldsMoreEntriesThanItsCapacity() {
        for (int key = 0; key < 1000; key++) {
            assertThat(table.putIfAbsent(new Node(key, scattered(key)))).isTrue();
        }
        assertThat(table.size()).as("more than its capacity").isEqualTo(1000);
        for (int key = 0; key < 1000; key++) {
            assertThat(table.get(key, scattered(key)).key()).isEqualTo(key);
        }
        assertThat(table.get(1000, scattered(1000))).isNull();
    }

    /** A lookup always finds a key that stays, while its neighbours are inserted and removed; no key is there twice. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void chainsKeepTheirEntriesWhileNeighboursAreInsertedAndRemoved(long seed) throws Exception {
        int threads = 4;
        int keys = 12;
        for (int key = 0; key < keys; key += 3) {
            table.putIfAbsent(inOneChain(key));
        }
        AtomicBoolean done = new AtomicBoolean();
        CountDownLatch start = new CountDownLatch(1);
        ExecutorService pool = Executors.newFixedThreadPool(threads + 1);
        try {
            List<Future<Integer>> churners = new ArrayList<>();
            for (int t = 0; t < threads; t++) {
                Random random = new Random(seed * 31 + t);
                churners.add(pool.submit(() -> churn(random, keys, start)));
            }
            Future<Boolean> reader = pool.submit(() -> {
                boolean found = true;
                start.await();
                while (!done.get()) {
                    for (int key = 0; key < keys; key += 3) {
                        found &= get(key) != null;
                    }
                }
                return found;
            });
            start.countDown();
            int left = 0;
            for (Future<Integer> churner : churners) {
                left += resultOf(churner);
            }
            done.set(true);
            assertThat(resultOf(reader))
                    .as("what stays was found, seed " + seed)
                    .isTrue();
            assertThat(table.size())
                    .as("inserted and not removed, seed " + seed)
                    .isEqualTo(left + keys / 3);
        } finally {
            done.set(true);
            pool.shutdownNow();
        }
    }

    private static <T> T resultOf(Future<T> thread) throws Exception {
        try {
            return thread.get(2, TimeUnit.MINUTES);
        } catch (TimeoutException e) {
            throw new AssertionError("a thread is stuck", e);
        }
    }

    /** {@return how many entries it has inserted more than removed} */
    private int churn(Random random, int keys, CountDownLatch start) throws InterruptedException {
        List<Node> mine = new ArrayList<>();
        start.await();
        for (int i = 0; i < CHANGES; i++) {
            int key = random.nextInt(keys);
            if (key % 3 == 0) {
                continue;
            }
            if (random.nextBoolean() || mine.isEmpty()) {
                Node node = inOneChain(key);
                if (table.putIfAbsent(node)) {
                    mine.add(node);
                }
            } else {
                Collections.swap(mine, random.nextInt(mine.size()), mine.size() - 1);
                Node gone = mine.remove(mine.size() - 1);
                assertThat(table.remove(gone)).isTrue();
                assertThat(table.get(gone.key(), HASH)).isNotSameAs(gone);
            }
        }
        return mine.size();
    }
}
