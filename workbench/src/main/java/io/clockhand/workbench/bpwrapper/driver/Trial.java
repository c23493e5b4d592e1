// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.bpwrapper.driver;

import io.clockhand.PageId;
import io.clockhand.page.BufferPool;
import io.clockhand.page.PoolStats;
import io.clockhand.policy.Policies;
import io.clockhand.workbench.bpwrapper.driver.CountingLock.RecordedHits;
import io.clockhand.workbench.bpwrapper.driver.Trial.RunAnswer.Counted;
import io.clockhand.workbench.experiment.Answer;
import io.clockhand.workbench.experiment.Order;
import io.clockhand.workbench.experiment.Timed;
import io.clockhand.workbench.experiment.Timing;
import io.clockhand.workbench.pages.driver.Counting;
import io.clockhand.workbench.pages.driver.GeneratedPages;
import io.clockhand.workbench.pages.driver.PageStream;
import io.clockhand.workbench.pages.driver.Players;
import io.clockhand.workbench.pages.driver.WorkThreads;
import java.util.SplittableRandom;
import java.util.function.DoubleConsumer;
import java.util.function.IntFunction;
import java.util.function.LongConsumer;
import java.util.stream.LongStream;

/**
 * One run: a new pool, filled with the pages, and the threads that refer to them, for a time or a number of references.
 *
 * @param queueSize of each queue of hits; 0 for a form that has none to choose
 * @param threshold of a queue; 0 as well
 * @param pages that are referred to again and again
 * @param missPercent how many of a hundred references go to a new page
 * @param timing null if it is for a number
 * @param counting null if it is for a time
 * @param countsLocks whether locks and hits are counted, or the throughput is measured, which needs a time
 */
public record Trial(
        Form form,
        String policy,
        int queueSize,
        int threshold,
        int frames,
        References references,
        int pages,
        double missPercent,
        long seed,
        int threads,
        Timing timing,
        Counting counting,
        boolean countsLocks)
        implements Order<Trial.RunAnswer> {
    public static final int PAGE_BYTES = 4096;

    @Override
    public RunAnswer perform(DoubleConsumer progress) throws Exception {
        CountingLock lock = countsLocks ? form.newCountingLock() : null;
        RecordedHits recorded = countsLocks ? new RecordedHits(Policies.singleThreaded(policy, frames)) : null;
        try (BufferPool pool = BufferPool.builder()
                .pageBytes(PAGE_BYTES)
                .frames(frames)
                .policy(
                        form + ":" + policy,
                        count -> countsLocks
                                ? form.under(lock, recorded, count, queueSize, threshold)
                                : form.make(policy, count, queueSize, threshold))
                .build()) {
            int file = pool.open(0, new GeneratedPages(PageId.GREATEST_PAGE + 1, PAGE_BYTES))
                    .number();
            Players filler = fill(pool, file, progress);
            try (Players players = new Players(pool, file, threads, streams(), Players.Style.reading(0))) {
                Timed timed = countsLocks ? null : players.time(timing, WorkThreads.Interval.UNWATCHED, progress);
                Counted counted = countsLocks ? count(new Tally(lock, recorded, pool), players, progress) : null;
                return new RunAnswer(
                        timed,
                        counted,
                        filler.wrongPages() + players.wrongPages(),
                        filler.firstWrong() == null ? players.firstWrong() : filler.firstWrong());
            }
        }
    }

    /** Brings in all pages that are referred to again and again; returns the player that has done so. */
    private Players fill(BufferPool pool, int file, DoubleConsumer progress) throws Exception {
        PageStream each = LongStream.range(0, pages).iterator()::nextLong;
        try (Players one = new Players(pool, file, 1, thread -> each, Players.Style.reading(0))) {
            one.playReferences(0, pages, played -> progress.accept(0));
            return one;
        }
    }

    private Counted count(Tally tally, Players players, DoubleConsumer progress) throws Exception {
        if (timing != null) {
            return tally.of(players.time(timing, tally, progress).accesses());
        }
        long warmup = counting.warmupAccesses();
        long whole = warmup + counting.accesses();
        LongConsumer watch = played -> progress.accept((double) played / whole);
        players.playReferences(0, warmup, watch);
        tally.begins();
        players.playReferences(warmup, whole, watch);
        tally.ends();
        return tally.of(counting.accesses());
    }

    /** One for each thread, drawn from a generator of its own, which the thread makes. */
    private IntFunction<PageStream> streams() {
        long[] seeds = new SplittableRandom(seed).longs(threads).toArray();
        return thread -> {
            SplittableRandom random = new SplittableRandom(seeds[thread]);
            PageStream stream = references.stream(pages, thread, random);
            return missPercent == 0
                    ? stream
                    : withMisses(stream, missPercent, random.split(), pages + (long) thread, threads);
        };
    }

    /**
     * A stream in which a share of the references, drawn by lot, go to pages that were never referred to before, and
     * never will be again.
     *
     * @param first the first of the new pages
     * @param step from one of them to the next, so that those of several threads differ
     */
    static PageStream withMisses(PageStream stream, double percent, SplittableRandom random, long first, int step) {
        return new PageStream() {
            private final double share = percent / 100;
            private long fresh = first;

            @Override
            public long next() {
                if (random.nextDouble() < share) {
                    long page = fresh;
                    fresh += step;
                    return page;
                }
                return stream.next();
            }
        };
    }

    /** The counts of the lock, the policy and the pool in an interval. For one thread, while others play. */
    static final class Tally implements WorkThreads.Interval {
        private final CountingLock lock;
        private final RecordedHits recorded;
        private final BufferPool pool;
        private Counted before;
        private Counted after;

        /**
         * The pool counts from now on, not from the interval's begin, since code that begins to count is compiled anew.
         */
        Tally(CountingLock lock, RecordedHits recorded, BufferPool pool) {
            this.lock = lock;
            this.recorded = recorded;
            this.pool = pool;
            pool.collectStats(true);
        }

        @Override
        public void begins() {
            before = now();
        }

        @Override
        public void ends() {
            after = now();
        }

        private Counted now() {
            long hits = recorded.count();
            long acquisitions = lock.acquisitions();
            long contentions = lock.contentions();
            long failedTries = lock.failedTries();
            PoolStats stats = pool.stats(); // last, since it scans all frames, which takes a while
            return new Counted(0, stats.hits(), stats.misses(), acquisitions, contentions, failedTries, hits);
        }

        /** The counts of an interval with that many accesses, when it has ended. */
        Counted of(long accesses) {
            return new Counted(
                    accesses,
                    after.hits - before.hits,
                    after.misses - before.misses,
                    after.lockAcquisitions - before.lockAcquisitions,
                    after.contentions - before.contentions,
                    after.failedTries - before.failedTries,
                    after.recordedHits - before.recordedHits);
        }
    }

    /**
     * The figures of a run.
     *
     * @param counted null if nothing was counted
     */
    public record RunAnswer(Timed timed, Counted counted, long wrongPages, String firstWrong) implements Answer.Played {

        /**
         * After the warm-up.
         *
         * @param accesses to which the other figures belong
         * @param lockAcquisitions how often the policy's lock was taken
         * @param contentions how many requests for it had to wait
         * @param failedTries how often a try to take it failed
         * @param recordedHits that the policy recorded, those included that had been queued since the warm-up
         */
        public record Counted(
                long accesses,
                long hits,
                long misses,
                long lockAcquisitions,
                long contentions,
                long failedTries,
                long recordedHits) {

            public double hitRatio() {
                return (double) hits / (hits + misses);
            }
        }
    }
}
