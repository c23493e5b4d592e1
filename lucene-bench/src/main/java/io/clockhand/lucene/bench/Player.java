// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.lucene.bench;

import io.clockhand.duel.SliceClock;
import io.clockhand.workbench.experiment.Timed.Percentiles;
import io.clockhand.workbench.pages.driver.WorkThreads;
import java.io.IOException;
import java.nio.LongBuffer;
import java.util.SplittableRandom;
import org.HdrHistogram.Histogram;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.Query;

/** One thread of a run: plays searches and compares what they find. */
final class Player implements WorkThreads.Worker {
    private static final int LEAST_REHEARSED = 100;
    private static final long REHEARSAL_NANOS = 1_000_000_000;
    private static final int DIGITS = 2;

    private final IndexSearcher searcher;
    private final Work work;
    private final Query[] queries;
    private final LongBuffer expected;
    private final SplittableRandom random;
    private final Histogram nanos = new Histogram(DIGITS);
    private long searches;
    private long wrong;
    private String firstWrong;

    /**
     * Makes one.
     *
     * @param expected the result of each of the queries
     */
    Player(IndexSearcher searcher, Work work, Query[] queries, LongBuffer expected, long seed) {
        this.searcher = searcher;
        this.work = work;
        this.queries = queries;
        this.expected = expected;
        random = new SplittableRandom(seed);
    }

    /** Plays searches that are checked, but not counted. */
    void rehearse() throws IOException {
        long end = System.nanoTime() + REHEARSAL_NANOS;
        for (int i = 0; i < LEAST_REHEARSED || System.nanoTime() < end; i++) {
            search();
        }
        searches = 0;
    }

    @Override
    public int work(boolean measuring, SliceClock clock) throws IOException {
        long slice = clock.slice();
        long begin = System.nanoTime();
        search();
        long elapsed = System.nanoTime() - begin;
        if (clock.counts(slice)) {
            nanos.recordValue(elapsed);
        }
        return 1;
    }

    /** Draws the next search, since a cycle would be the worst case of some caches. */
    private void search() throws IOException {
        int number = random.nextInt(queries.length);
        searches++;
        if (Searches.play(searcher, work, queries[number]) != expected.get(number)) {
            wrong++;
            firstWrong = "search " + number + " (" + queries[number] + ") found other documents or scores";
        }
    }

    /** Adds what another one has played and found. */
    void add(Player other) {
        nanos.add(other.nanos);
        searches += other.searches;
        wrong += other.wrong;
        firstWrong = firstWrong == null ? other.firstWrong : firstWrong;
    }

    long searches() {
        return searches;
    }

    long wrong() {
        return wrong;
    }

    /** One of the wrong results in words, or null. */
    String firstWrong() {
        return firstWrong;
    }

    /** Null if no search lay within one slice. */
    Percentiles latencyMicros() {
        return Percentiles.of(nanos);
    }
}
