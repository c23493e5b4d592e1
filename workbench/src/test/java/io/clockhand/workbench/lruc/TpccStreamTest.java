// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.lruc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.clockhand.workbench.pages.driver.PageStream;
import io.clockhand.workbench.workload.tpcc.Draw;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TpccStreamTest {
    private static final int PAGES = 40_960;
    private static final int THREADS = 8;
    private static final long SEED = 1;

    private static TpccStream[] streams(int pages, double readsPerWrite) {
        return IntStream.range(0, THREADS)
                .mapToObj(thread -> new TpccStream(pages, thread, THREADS, readsPerWrite, SEED))
                .toArray(TpccStream[]::new);
    }

    /** How often each page was referred to. */
    private static int[] uses(int pages, int each) {
        int[] uses = new int[pages];
        for (PageStream stream : streams(pages, 2)) {
            for (int i = 0; i < each; i++) {
                long next = stream.next();
                uses[(int) (next < 0 ? ~next : next)]++;
            }
        }
        return uses;
    }

    @ParameterizedTest
    @ValueSource(ints = {TpccStream.FEWEST_PAGES, 1_111, 6_000, PAGES})
    void referencesAreToThePagesThatThereAre(int pages) {
        assertThat(uses(pages, 50_000)).hasSize(pages);
    }

    @Test
    void streamIsThatOfSeedAndThread() {
        long[] first = head(2, 7);

        assertThat(head(2, 7)).isEqualTo(first);
        assertThat(head(3, 7)).isNotEqualTo(first);
        assertThat(head(2, 8)).isNotEqualTo(first);
    }

    private static long[] head(int thread, long seed) {
        PageStream stream = new TpccStream(PAGES, thread, 4, 2, seed);
        return LongStream.generate(stream::next).limit(10_000).toArray();
    }

    @Test
    void stockIsAsSkewedAsNuRandMakesIt() {
        TpccStream stream = streams(6_000, 2)[0];
        assertThat(stream.warehouses).isOne();
        int first = stream.stock.leafPage(0);
        int[] stock = Arrays.copyOfRange(uses(6_000, 500_000), first, first + stream.stock.leaves());

        int[] expected = new int[stock.length];
        Draw draw = new Draw(SEED);
        long all = Arrays.stream(stock).asLongStream().sum();
        for (long i = 0; i < all; i++) {
            expected[stream.stockLeaf(0, draw.nonUniform(8191, 77, 0, 99_999))]++;
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
        LruPool pool = new LruPool();
        TpccStream[] streams = streams(PAGES, ratio);
        pool.refer(streams, 700_000);
        pool.reads = 0;
        pool.writes = 0;
        pool.refer(streams, 1_500_000);

        assertThat((double) pool.reads / pool.writes).isEqualTo(ratio, within(0.06 * ratio));
    }

    /** Counts the pages that an LRU pool reads, and those that it writes when it evicts them. */
    private static final class LruPool extends LinkedHashMap<Long, Boolean> {
        private static final long serialVersionUID = 1;

        private long reads;
        private long writes;

        LruPool() {
            super(16, 0.75f, true);
        }

        /** The streams in turn. */
        void refer(TpccStream[] streams, int count) {
            for (int i = 0; i < count; i++) {
                long next = streams[i % streams.length].next();
                reads += containsKey(next < 0 ? ~next : next) ? 0 : 1;
                merge(next < 0 ? ~next : next, next < 0, Boolean::logicalOr);
            }
        }

        @Override
        protected boolean removeEldestEntry(Map.Entry<Long, Boolean> oldest) {
            boolean full = size() > PAGES / 10;
            writes += full && oldest.getValue() ? 1 : 0;
            return full;
        }
    }
}
