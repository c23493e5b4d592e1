// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.example;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.SplittableRandom;
import java.util.TreeMap;

/**
 * The transactions of one thread, one after the other, and what the store must hold of them. Transaction n depends only
 * on the seed, the thread and n, so another process can tell what it was. Each thread has keys of its own, which lie
 * between those of others.
 */
final class Plan {
    private static final int KEYS = 400;

    /** A change; null removes the key. */
    private record Change(String key, String value) {}

    private final long seed;
    private final int thread;
    private final int greatestEntry;
    private final NavigableMap<String, String> model = new TreeMap<>();
    private long done;

    Plan(long seed, int thread, int pageBytes) {
        this.seed = seed;
        this.thread = thread;
        this.greatestEntry = Node.greatestEntry(pageBytes);
    }

    static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.ISO_8859_1);
    }

    static String text(byte[] bytes) {
        return new String(bytes, StandardCharsets.ISO_8859_1);
    }

    /** {@return the number of transactions that have ended} */
    long done() {
        return done;
    }

    private SplittableRandom random(long transaction) {
        return new SplittableRandom((seed * 1_000_003 + thread) * 1_000_003 + transaction);
    }

    private List<Change> changes(SplittableRandom random) {
        List<Change> changes = new ArrayList<>();
        int count = random.nextInt(20) == 0 ? 60 : 1 + random.nextInt(8);
        for (int i = 0; i < count; i++) {
            String key = key(random.nextInt(KEYS));
            changes.add(new Change(key, random.nextInt(4) == 0 ? null : value(key, random)));
        }
        return changes;
    }

    private String key(int number) {
        SplittableRandom shape = new SplittableRandom(31L * number + thread);
        int most = greatestEntry / 2;
        int length = shape.nextInt(10) == 0 ? shape.nextInt(8, most) : shape.nextInt(8, 16);
        StringBuilder key = new StringBuilder(String.format("%08x", shape.nextInt()));
        while (key.length() < length - 1) {
            key.append((char) shape.nextInt(256));
        }
        return key.append((char) ('0' + thread)).toString();
    }

    private String value(String key, SplittableRandom random) {
        int most = greatestEntry - Node.entryBytes(key.length(), 0);
        int length = random.nextInt(10) == 0 ? random.nextInt(most + 1) : random.nextInt(Math.min(most, 40));
        return Character.toString('a' + random.nextInt(26)).repeat(length);
    }

    private static boolean rollsBack(SplittableRandom random) {
        return random.nextInt(6) == 0;
    }

    /** Runs the next transaction, which is done when this returns. */
    void run(Store store) throws IOException {
        SplittableRandom random = random(done + 1);
        boolean rollsBack = rollsBack(random);
        NavigableMap<String, String> changed = new TreeMap<>();
        try (Transaction transaction = store.begin()) {
            for (Change change : changes(random)) {
                byte[] found = transaction.get(bytes(change.key()));
                String expected =
                        changed.containsKey(change.key()) ? changed.get(change.key()) : model.get(change.key());
                assertThat(found == null ? null : text(found))
                        .as("value of %s in transaction %d of thread %d", change.key(), done + 1, thread)
                        .isEqualTo(expected);
                changed.put(change.key(), change.value());
                if (change.value() == null) {
                    transaction.delete(bytes(change.key()));
                } else {
                    transaction.put(bytes(change.key()), bytes(change.value()));
                }
            }
            if (!rollsBack) {
                transaction.commit();
            }
        }
        skip();
    }

    /** Takes the next transaction for done. */
    void skip() {
        SplittableRandom random = random(done + 1);
        done++;
        if (!rollsBack(random)) {
            for (Change change : changes(random)) {
                if (change.value() == null) {
                    model.remove(change.key());
                } else {
                    model.put(change.key(), change.value());
                }
            }
        }
    }

    /** Checks that the store holds what was acknowledged; perhaps the next transaction as well, all of it. */
    void checkRecovered(Store store) throws IOException {
        NavigableMap<String, String> found = contents(store, thread);
        if (!found.equals(model)) {
            skip();
            assertThat(found)
                    .as("entries of thread %d: those of %d transactions, or of %d", thread, done - 1, done)
                    .isEqualTo(model);
        }
    }

    void check(Store store) throws IOException {
        assertThat(contents(store, thread)).as("entries of thread %d", thread).isEqualTo(model);
    }

    private static NavigableMap<String, String> contents(Store store, int thread) throws IOException {
        NavigableMap<String, String> found = new TreeMap<>();
        List<String> inOrder = new ArrayList<>();
        try (Transaction transaction = store.begin()) {
            transaction.scan(new byte[0], null, Texts.visitor((name, value) -> {
                if (name.charAt(name.length() - 1) == '0' + thread) {
                    found.put(name, value);
                    inOrder.add(name);
                }
                return true;
            }));
        }
        assertThat(inOrder).as("keys of a scan").isSorted().doesNotHaveDuplicates();
        return found;
    }
}
