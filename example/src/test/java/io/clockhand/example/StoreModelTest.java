// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.example;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Random transactions against maps, with checkpoints, and restarts after a close and after a crash of the process.
 * {@code -Dexample.model.transactions=10000} has more of them, {@code -Dexample.model.seed} others.
 */
class StoreModelTest {
    private static final int TRANSACTIONS = Work.amount("example.model.transactions", 100, 1_000, 10_000);
    private static final long SEED = Long.getLong("example.model.seed", 1);

    @TempDir
    private Path folder;

    private StoreConfig config(int pageBytes) {
        return new StoreConfig(pageBytes, 40, true, true, Duration.ofMinutes(1));
    }

    @ParameterizedTest
    @ValueSource(ints = {512, 4096})
    void transactionsOfOneThreadAreThoseOfAMap(int pageBytes) throws IOException {
        Plan plan = new Plan(SEED, 0, pageBytes);
        Store store = Store.open(folder, config(pageBytes));
        for (int i = 1; i <= TRANSACTIONS; i++) {
            plan.run(store);
            if (i % 20 == 0) {
                store.checkpoint();
            }
            if (i % 50 == 0) {
                if (i % 100 == 0) {
                    store.close();
                } else {
                    store.closeWithoutWriting();
                }
                store = Store.open(folder, config(pageBytes));
                plan.check(store);
                TreeCheck.check(store);
            }
        }
        store.close();
    }

    @Test
    void transactionsOfManyThreadsAreThoseOfMaps() throws Exception {
        List<Plan> plans = new ArrayList<>();
        for (int thread = 0; thread < 4; thread++) {
            plans.add(new Plan(SEED, thread, 512));
        }
        for (int round = 0; round < 3; round++) {
            Store store = Store.open(folder, config(512));
            List<Threads.Task> tasks = new ArrayList<>();
            for (Plan plan : plans) {
                tasks.add(() -> {
                    for (int i = 0; i < TRANSACTIONS / 3; i++) {
                        plan.run(store);
                        if (i % 20 == 10) {
                            store.checkpoint();
                        }
                    }
                });
            }
            Threads.run(tasks);
            for (Plan plan : plans) {
                plan.check(store);
            }
            assertThat(TreeCheck.check(store)).isPositive();
            if (round == 1) {
                store.close();
            } else {
                store.closeWithoutWriting();
            }
        }
        try (Store store = Store.open(folder, config(512))) {
            for (Plan plan : plans) {
                plan.check(store);
            }
            TreeCheck.check(store);
        }
    }
}
