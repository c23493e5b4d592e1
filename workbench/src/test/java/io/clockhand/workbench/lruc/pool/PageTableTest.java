// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.lruc.pool;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class PageTableTest {
    private static final int NUMBERS = 600;
    private static final int PAGES = 2000;
    private static final long SEED = 18;

    @Test
    void tableIsAMap() {
        PageTable table = new PageTable(NUMBERS);
        Map<Long, Integer> model = new HashMap<>();
        SplittableRandom random = new SplittableRandom(SEED);
        for (int step = 0; step < 50_000; step++) {
            long page = random.nextInt(PAGES);
            int number = random.nextInt(NUMBERS);
            Integer mapped = model.get(page);
            assertThat(table.find(page))
                    .as("seed %d, step %d", SEED, step)
                    .isEqualTo(mapped == null ? PageTable.NONE : mapped);
            if (mapped != null) {
                assertThat(table.pageOf(mapped)).isEqualTo(page);
                table.remove(mapped);
                model.remove(page);
            } else if (!model.containsValue(number)) {
                table.add(page, number);
                model.put(page, number);
            }
        }
    }

    @Test
    void pagesOfOneChainHaveOneLock() {
        PageTable table = new PageTable(1);
        for (long page = 0; page < 1000; page++) {
            assertThat(table.lockOf(page)).isSameAs(table.lockOf(page));
        }
    }
}
