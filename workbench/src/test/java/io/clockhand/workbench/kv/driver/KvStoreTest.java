// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.kv.driver;

import static org.assertj.core.api.Assertions.assertThat;

import io.clockhand.workbench.experiment.Timing;
import io.clockhand.workbench.kv.driver.RunOrder.Durability;
import io.clockhand.workbench.kv.driver.RunOrder.RunAnswer;
import io.clockhand.workbench.kv.driver.RunOrder.Setting;
import io.clockhand.workbench.kv.driver.RunOrder.Work;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Each engine does what a map does, and what is wrong in one is told. */
class KvStoreTest {
    private static final long CACHE_BYTES = 2 << 20;
    private static final int STEPS = 600;
    private static final int KEYS = 100;

    @TempDir
    private Path folder;

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.ISO_8859_1);
    }

    private static List<String> scanned(KvStore store, String from, int most) throws Exception {
        List<String> found = new ArrayList<>();
        store.scan(bytes(from), (key, keyAt, keyLength, value, valueAt, valueLength) -> {
            found.add(new String(key, keyAt, keyLength, StandardCharsets.ISO_8859_1) + "="
                    + new String(value, valueAt, valueLength, StandardCharsets.ISO_8859_1));
            return found.size() < most;
        });
        return found;
    }

    @ParameterizedTest
    @EnumSource
    void engineDoesWhatAMapDoesAndKeepsItWhenItIsClosed(Engine engine) throws Exception {
        TreeMap<String, String> model = new TreeMap<>();
        SplittableRandom random = new SplittableRandom(engine.toString().hashCode());
        for (boolean forced : new boolean[] {false, true}) {
            try (KvStore store = KvStore.open(engine, folder, CACHE_BYTES, forced)) {
                for (int step = 0; step < (forced ? 60 : STEPS); step++) {
                    String key = "key " + random.nextInt(KEYS);
                    String value = "value " + step;
                    if (random.nextBoolean()) {
                        store.put(bytes(key), bytes(value));
                    } else {
                        store.put(List.of(
                                Map.entry(bytes(key), bytes(value)), Map.entry(bytes("x" + key), bytes(value))));
                        model.put("x" + key, value);
                    }
                    model.put(key, value);
                    String other = "key " + random.nextInt(2 * KEYS);
                    byte[] found = store.get(bytes(other));
                    assertThat(found == null ? null : new String(found, StandardCharsets.ISO_8859_1))
                            .isEqualTo(model.get(other));
                }
                List<String> expected = model.tailMap("key 2").entrySet().stream()
                        .map(entry -> entry.getKey() + "=" + entry.getValue())
                        .toList();
                assertThat(scanned(store, "key 2", Integer.MAX_VALUE)).isEqualTo(expected);
                assertThat(scanned(store, "key 2", 7)).isEqualTo(expected.subList(0, 7));
            }
        }
        try (KvStore store = KvStore.open(engine, folder, CACHE_BYTES, false)) {
            assertThat(scanned(store, "", Integer.MAX_VALUE)).hasSize(model.size());
        }
    }

    private RunAnswer play(Work work, Timing timing) throws Exception {
        Setting setting = new Setting(work, 1, 1_000, 100, Durability.LAZY);
        return new RunOrder(Engine.EXAMPLE, setting, folder.toString(), CACHE_BYTES, 1, timing).perform(fraction -> {});
    }

    @Test
    void missingEntryIsTold() throws Exception {
        assertThat(play(Work.SCANS, Timing.alone(0, 0)).wrong()).isEqualTo("a scan of all ends behind entry 0");
    }

    @Test
    void runByItselfIsMeasuredAndWrongEntryIsTold() throws Exception {
        play(Work.MIXED, null);
        RunAnswer answer = play(Work.MIXED, Timing.alone(0, 1));
        assertThat(answer.wrong()).isNull();
        assertThat(answer.operations()).isPositive();
        assertThat(answer.operationsPerSecond()).isPositive();
        assertThat(answer.latencyMicros().p99()).isPositive();
        assertThat(answer.storeBytes()).isGreaterThan(100_000);

        try (KvStore store = KvStore.open(Engine.EXAMPLE, folder, CACHE_BYTES, false)) {
            store.put(Entries.key(7), Entries.value(8, 0));
        }
        assertThat(play(Work.GETS, Timing.alone(0, 0)).wrong()).startsWith("a scan gave a wrong entry");
    }
}
