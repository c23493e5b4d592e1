// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.workload.tpcc;

import static org.assertj.core.api.Assertions.assertThat;

import io.clockhand.workbench.workload.tpcc.Orders.Order;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.LongStream;
import java.util.zip.CRC32;
import org.junit.jupiter.api.Test;

class TpccPagesTest {
    private static long[] pages(int warehouses, long seed, int count) {
        LongStream.Builder pages = LongStream.builder();
        TpccPages.draw(warehouses, seed, count, pages::add);
        return pages.build().toArray();
    }

    private final List<Long> referredTo = new ArrayList<>();

    private Index index(int keyBytes, long groups, int entriesPerGroup) {
        return new Index(referredTo::add, 0, keyBytes, groups, entriesPerGroup);
    }

    private List<Long> path(Index index, long group, int entry) {
        referredTo.clear();
        index.search(group, entry);
        return List.copyOf(referredTo);
    }

    @Test
    void seedDecidesWhatIsDrawnAndNoMoreIsDrawnThanAskedFor() {
        long[] pages = pages(2, 1, 50_000);

        assertThat(pages).hasSize(50_000).isEqualTo(pages(2, 1, 50_000));
        assertThat(Arrays.copyOf(pages, 777)).isEqualTo(pages(2, 1, 777));
        assertThat(pages).isNotEqualTo(pages(2, 2, 50_000)).isNotEqualTo(pages(3, 1, 50_000));
    }

    /** Pages are numbered in the order of their first references. */
    @Test
    void referencesAreThoseOfEarlierVersions() {
        Map<Long, Integer> numbers = new HashMap<>();
        CRC32 checksum = new CRC32();
        for (long page : pages(1, 1, 100_000)) {
            int number = numbers.computeIfAbsent(page, absent -> numbers.size());
            checksum.update(ByteBuffer.allocate(Integer.BYTES).putInt(number).array());
        }

        assertThat(checksum.getValue()).isEqualTo(3272425374L);
    }

    @Test
    void indexHasOneRootAndItsPathsPartNoMoreThanOnce() {
        Index index = index(8, 10, 30_000);
        long root = path(index, 0, 0).get(0);
        Set<Long> leaves = new HashSet<>();
        Set<Long> inner = new HashSet<>();
        for (int group = 0; group < 10; group++) {
            for (int entry = 0; entry < 30_000; entry += 10) {
                List<Long> path = path(index, group, entry);
                assertThat(path).hasSize(3).first().isEqualTo(root);
                inner.add(path.get(1));
                leaves.add(path.get(2));
            }
        }

        int leavesPerGroup = (30_000 - 1) / index.entriesPerPage() + 1;
        assertThat(leaves).hasSize(10 * leavesPerGroup);
        assertThat(inner).hasSize((10 * leavesPerGroup - 1) / index.entriesPerPage() + 1);
        assertThat(path(index(4, 1, 10), 0, 9)).as("a root that is a leaf").hasSize(1);
    }

    @Test
    void groupThatGrowsGetsLeavesOfItsOwn() {
        Index index = index(8, 10, 30_000);
        Set<Long> pages = new HashSet<>();
        for (int group = 0; group < 10; group++) {
            for (int entry = 0; entry < 60_000; entry += index.entriesPerPage()) {
                List<Long> path = path(index, group, entry);
                assertThat(path).hasSize(index.height());
                assertThat(pages.add(path.get(2))).as("leaf of entry %d", entry).isTrue();
            }
            assertThat(path(index, group, 60_000).get(0))
                    .isEqualTo(path(index, 0, 0).get(0));
        }
    }

    @Test
    void ordersAreDeliveredOnceTheOldestFirst() {
        Orders orders = new Orders(new Scale(1, 10, 30, 100, 1), 0);

        for (int number = 21; number < 30; number++) {
            assertThat(orders.deliver().number()).isEqualTo(number);
        }
        assertThat(orders.deliver()).isNull();
        orders.add(new Order(30, 7, 900, 901, orders.entries(), 902, List.of(1, 2, 3, 4, 5)));
        assertThat(orders.deliver().number()).isEqualTo(30);
        assertThat(orders.deliver()).isNull();
    }
}
