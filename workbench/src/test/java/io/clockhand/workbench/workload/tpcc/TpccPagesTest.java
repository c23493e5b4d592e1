// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.workload.tpcc;

import static org.assertj.core.api.Assertions.assertThat;

import io.clockhand.workbench.workload.tpcc.Orders.Order;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class TpccPagesTest {
    private static final int SEGMENT_SHIFT = 52;

    private static long[] pages(int warehouses, long seed, int count) {
        LongStream.Builder pages = LongStream.builder();
        TpccPages.draw(warehouses, seed, count, pages::add);
        return pages.build().toArray();
    }

    private static List<Long> path(Index index, long group, int entry) {
        List<Long> path = new ArrayList<>();
        index.search(group, entry, path::add);
        return path;
    }

    @Test
    void seedDecidesWhatIsDrawnAndNoMoreIsDrawnThanAskedFor() {
        long[] pages = pages(2, 1, 50_000);

        assertThat(pages).hasSize(50_000).isEqualTo(pages(2, 1, 50_000));
        assertThat(Arrays.copyOf(pages, 777)).isEqualTo(pages(2, 1, 777));
        assertThat(pages).isNotEqualTo(pages(2, 2, 50_000)).isNotEqualTo(pages(3, 1, 50_000));
    }

    /** Of the nine heaps and ten indexes. */
    @Test
    void everyHeapAndIndexIsReferredTo() {
        Map<Long, Integer> counts = new HashMap<>();
        for (long page : pages(1, 1, 200_000)) {
            counts.merge(page >>> SEGMENT_SHIFT, 1, Integer::sum);
        }

        assertThat(counts.keySet())
                .containsExactlyInAnyOrderElementsOf(
                        LongStream.range(0, 19).boxed().toList());
    }

    @Test
    void rowsOfAHeapLieOneBehindTheOther() {
        Heap heap = new Heap(3, 46, 2_000);
        List<Long> pages = new ArrayList<>();
        heap.fetch(0, pages::add);
        heap.fetch(heap.rowsPerPage() - 1, pages::add);
        heap.fetch(heap.rowsPerPage(), pages::add);
        long row = heap.append(pages::add);
        heap.fetch(2_000, pages::add);

        assertThat(heap.rowsPerPage()).isBetween(70, 90);
        assertThat(pages.get(1)).isEqualTo(pages.get(0));
        assertThat(pages.get(2)).isEqualTo(pages.get(0) + 1);
        assertThat(row).isEqualTo(2_000);
        assertThat(pages.get(4)).isEqualTo(pages.get(3));
        assertThat(heap.rows()).isEqualTo(2_001);
    }

    @Test
    void indexHasOneRootAndItsPathsPartNoMoreThanOnce() {
        Index index = new Index(0, 8, 10, 30_000);
        Set<Long> leaves = new HashSet<>();
        Set<Long> inner = new HashSet<>();
        for (int group = 0; group < 10; group++) {
            for (int entry = 0; entry < 30_000; entry++) {
                List<Long> path = path(index, group, entry);
                assertThat(path).hasSize(3).first().isEqualTo(path(index, 0, 0).get(0));
                inner.add(path.get(1));
                leaves.add(path.get(2));
            }
        }

        int leavesPerGroup = (30_000 - 1) / index.entriesPerPage() + 1;
        assertThat(leaves).hasSize(10 * leavesPerGroup);
        assertThat(inner).hasSize((10 * leavesPerGroup - 1) / index.entriesPerPage() + 1);
        assertThat(path(new Index(0, 4, 1, 10), 0, 9))
                .as("a root that is a leaf")
                .hasSize(1);
    }

    @Test
    void groupThatGrowsGetsLeavesOfItsOwn() {
        Index index = new Index(0, 8, 10, 30_000);
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
    void ordersAreThoseOfTheLoadAndThoseThatCameLater() {
        Scale scale = new Scale(1, 10, 30, 100, 1);
        Orders orders = new Orders(scale, 3);
        Set<Integer> customers = new HashSet<>();
        int entry = 0;
        for (int number = 0; number < 30; number++) {
            Order order = orders.get(number);
            assertThat(order.number()).isEqualTo(number);
            assertThat(order.firstEntry()).isEqualTo(entry);
            assertThat(order.lines()).isBetween(Orders.FEWEST_LINES, Orders.MOST_LINES);
            assertThat(order.row()).isEqualTo(3 * 30 + number);
            assertThat(order.items()).isEqualTo(orders.get(number).items());
            assertThat(orders.lastOf(order.customer()).number()).isEqualTo(number);
            customers.add(order.customer());
            entry += order.lines();
        }
        assertThat(customers).hasSize(30);
        assertThat(orders.entries()).isEqualTo(entry);

        orders.add(new Order(30, 7, 900, 901, entry, 902, List.of(1, 2, 3, 4, 5)));

        assertThat(orders.count()).isEqualTo(31);
        assertThat(orders.lastOf(7).number()).isEqualTo(30);
        assertThat(orders.entries()).isEqualTo(entry + 5);
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
