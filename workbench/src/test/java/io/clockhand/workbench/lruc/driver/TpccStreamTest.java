// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.lruc.driver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import com.sun.management.ThreadMXBean;
import io.clockhand.workbench.pages.driver.PageStream;
import io.clockhand.workbench.workload.tpcc.Draw;
import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TpccStreamTest {
    private static final int PAGES = 40_960;
    private static final int THREADS = 8;
    private static final long SEED = 1;

    private static TpccStream[] streams(int pages, WriteMix mix) {
        return IntStream.range(0, THREADS)
                .mapToObj(thread -> new TpccStream(pages, thread, THREADS, mix, SEED))
                .toArray(TpccStream[]::new);
    }

    /** How often each page was referred to. */
    private static int[] uses(int pages, int each) {
        int[] uses = new int[pages];
        for (PageStream stream : streams(pages, WriteMix.TPCC)) {
            for (int i = 0; i < each; i++) {
                long next = stream.next();
                uses[(int) (next < 0 ? ~next : next)]++;
            }
        }
        return uses;
    }

    @ParameterizedTest
    @ValueSource(ints = {TpccTables.FEWEST_PAGES, 1_111, 6_000, PAGES})
    void referencesAreToThePagesThatThereAre(int pages) {
        assertThat(uses(pages, 50_000)).hasSize(pages);
    }

    @Test
    void tooFewPagesAreRefused() {
        assertThatThrownBy(() -> new TpccStream(249, 0, 1, WriteMix.TPCC, SEED))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("needs 250 pages or more for its tables, not 249");
    }

    @Test
    void tablesHaveTheirPartsOfThePages() {
        TpccTables tables = new TpccTables(163_840);

        assertThat(tables.warehouses).isEqualTo(32);
        assertThat(tables.lines.end()).isEqualTo(163_840);
        assertThat(tables.stock.leaves() / 163_840.0).isEqualTo(0.41, within(0.01));
        assertThat(tables.customers.leaves() / 163_840.0).isEqualTo(0.25, within(0.01));
        assertThat(tables.lines.leaves() / 163_840.0).isEqualTo(0.28, within(0.01));
        assertThat(tables.items.leaves()).isBetween(620, 680);
        assertThat(tables.stockLeaf(31, TpccTables.ITEMS - 1)).isEqualTo(tables.stock.leaves() - 1);
        assertThat(tables.lineLeaf(319, -1)).isEqualTo(tables.lines.leaves() - 1);
    }

    @Test
    void streamIsThatOfSeedAndThread() {
        PageStream one = new TpccStream(PAGES, 2, 4, WriteMix.TPCC, 7);
        PageStream same = new TpccStream(PAGES, 2, 4, WriteMix.TPCC, 7);
        PageStream otherSeed = new TpccStream(PAGES, 2, 4, WriteMix.TPCC, 8);
        PageStream otherThread = new TpccStream(PAGES, 3, 4, WriteMix.TPCC, 7);
        int differences = 0;
        int differencesOfThreads = 0;
        for (int i = 0; i < 10_000; i++) {
            long next = one.next();
            assertThat(same.next()).isEqualTo(next);
            differences += otherSeed.next() == next ? 0 : 1;
            differencesOfThreads += otherThread.next() == next ? 0 : 1;
        }

        assertThat(differences).isGreaterThan(3_000);
        assertThat(differencesOfThreads).isGreaterThan(3_000);
    }

    @Test
    void stockIsAsSkewedAsNuRandMakesIt() {
        TpccTables tables = new TpccTables(6_000);
        assertThat(tables.warehouses).isEqualTo(1);
        int first = tables.stock.leafPage(0);
        int[] stock = Arrays.copyOfRange(uses(6_000, 500_000), first, first + tables.stock.leaves());

        int[] expected = new int[stock.length];
        Draw draw = new Draw(SEED);
        long all = Arrays.stream(stock).asLongStream().sum();
        for (long i = 0; i < all; i++) {
            expected[tables.stockLeaf(0, draw.nonUniform(8191, 77, 0, TpccTables.ITEMS - 1))]++;
        }
        assertThat(shareOfHottestFifth(stock)).isCloseTo(shareOfHottestFifth(expected), within(0.005));
        assertThat(shareOfHottestFifth(stock)).isGreaterThan(0.5);
    }

    private static double shareOfHottestFifth(int[] uses) {
        int[] sorted = uses.clone();
        Arrays.sort(sorted);
        long hottest = Arrays.stream(sorted)
                .skip(sorted.length - sorted.length / 5)
                .asLongStream()
                .sum();
        return (double) hottest / Arrays.stream(uses).asLongStream().sum();
    }

    @Test
    void ratioOfTpccIsTwoToOne() {
        assertThat(WriteMix.ofRatio(2)).isEqualTo(WriteMix.TPCC);
    }

    @Test
    void lruPoolReadsAndWritesPagesInTheRatio() {
        readAndWriteInTheRatio(2);
    }

    @Tag("nightly")
    @ParameterizedTest
    @ValueSource(doubles = {1, 1.5, 3, 4})
    void lruPoolReadsAndWritesPagesInOtherRatios(double ratio) {
        readAndWriteInTheRatio(ratio);
    }

    private static void readAndWriteInTheRatio(double ratio) {
        LruPool pool = new LruPool(PAGES / 10);
        TpccStream[] streams = streams(PAGES, WriteMix.ofRatio(ratio));
        pool.refer(streams, 700_000);
        pool.reads = 0;
        pool.writes = 0;
        pool.refer(streams, 1_500_000);

        assertThat((double) pool.reads / pool.writes).isEqualTo(ratio, within(0.06 * ratio));
    }

    @Test
    void writesAreTheirShareOfTheReferences() {
        TpccStream[] streams = streams(PAGES, WriteMix.TPCC);
        int references = 1_000_000;
        int writes = 0;
        for (int i = 0; i < references; i++) {
            writes += streams[i % THREADS].next() < 0 ? 1 : 0;
        }

        assertThat((double) writes / references).isEqualTo(0.17, within(0.01));
    }

    @Test
    void impossibleRatiosAreRefused() {
        assertThatThrownBy(() -> WriteMix.ofRatio(0.9)).hasMessageContaining("must be 1 or more, not 0.9");
        assertThatThrownBy(() -> WriteMix.ofRatio(Double.NaN)).hasMessageContaining("not NaN");
        assertThatThrownBy(() -> new WriteMix(1.1, 0)).hasMessageContaining("1.1 and 0.0");
    }

    @Tag("nightly")
    @Test
    void referencesAllocateNothing() {
        PageStream stream = new TpccStream(PAGES, 0, 1, WriteMix.TPCC, SEED);
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long thread = Thread.currentThread().getId();
        long sum = 0;
        for (int i = 0; i < 100_000; i++) {
            sum += stream.next();
        }
        long before = threads.getThreadAllocatedBytes(thread);
        for (int i = 0; i < 1_000_000; i++) {
            sum += stream.next();
        }
        long allocated = threads.getThreadAllocatedBytes(thread) - before;

        assertThat(sum).isNotZero();
        assertThat(allocated).isLessThan(10_000);
    }

    /** Counts the pages that an LRU pool reads, and those that it writes when it evicts them. */
    private static final class LruPool {
        private final int frames;
        /** Whether the page is dirty. */
        private final Map<Long, Boolean> pages = new LinkedHashMap<>(16, 0.75f, true);

        private long reads;
        private long writes;

        LruPool(int frames) {
            this.frames = frames;
        }

        /** The streams in turn. */
        void refer(TpccStream[] streams, int count) {
            for (int i = 0; i < count; i++) {
                long next = streams[i % streams.length].next();
                refer(next < 0 ? ~next : next, next < 0);
            }
        }

        private void refer(long page, boolean isWrite) {
            Boolean dirty = pages.get(page);
            if (dirty == null) {
                reads++;
                if (pages.size() == frames) {
                    evict();
                }
            }
            if (dirty == null || (isWrite && !dirty)) {
                pages.put(page, isWrite);
            }
        }

        private void evict() {
            Map.Entry<Long, Boolean> oldest = pages.entrySet().iterator().next();
            writes += oldest.getValue() ? 1 : 0;
            pages.remove(oldest.getKey());
        }
    }
}
