// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.bpwrapper;

import io.clockhand.PageId;
import io.clockhand.page.BufferPool;
import io.clockhand.page.PageGuard;
import io.clockhand.page.PoolStats;
import io.clockhand.policy.Policies;
import io.clockhand.workbench.bpwrapper.BpWrapper.Setting;
import io.clockhand.workbench.bpwrapper.CountingLock.RecordedHits;
import io.clockhand.workbench.bpwrapper.Trial.RunAnswer.Counted;
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

/**
 * One run: a new pool, filled with the pages, and the threads that refer to them, for a time or a number of references.
 *
 * @param timing null if it is for a number
 * @param counting null if it is for a time
 * @param countsLocks whether locks and hits are counted, or the throughput is measured, which needs a time
 */
record Trial(Contender contender, Setting setting, long seed, Timing timing, Counting counting, boolean countsLocks)
        implements Order<Trial.RunAnswer> {
    static final int PAGE_BYTES = 4096;
    static final int FRAMES = 8192;

    /** Frames of a pool for each page of a stream with misses: with fewer, the new pages would evict the others. */
    private static final int FRAMES_PER_PAGE = 4;

    @Override
    public RunAnswer perform(DoubleConsumer progress) throws Exception {
        CountingLock lock = countsLocks ? new CountingLock(contender.form().spins) : null;
        RecordedHits recorded =
                countsLocks ? new RecordedHits(Policies.singleThreaded(setting.policy(), FRAMES)) : null;
        try (BufferPool pool = BufferPool.builder()
                .pageBytes(PAGE_BYTES)
                .frames(FRAMES)
                .policy(
                        contender.form() + ":" + setting.policy(),
                        frames -> countsLocks
                                ? contender.under(lock, recorded, frames)
                                : contender.make(setting.policy(), frames))
                .build()) {
            int file = pool.open(0, new GeneratedPages(PageId.GREATEST_PAGE + 1, PAGE_BYTES))
                    .number();
            PageGuard guard = pool.newGuard();
            for (int page = 0; page < pages(); page++) {
                guard.fix(PageId.of(file, page)).close();
            }
            try (Players players = new Players(pool, file, setting.threads(), streams(), Players.Style.reading(0))) {
                Timed timed = countsLocks ? null : players.time(timing, WorkThreads.Interval.UNWATCHED, progress);
                Counted counted = countsLocks ? count(new Tally(lock, recorded, pool), players, progress) : null;
                return new RunAnswer(timed, counted, players.wrongPages(), players.firstWrong());
            }
        }
    }

    /** The pages that are referred to again and again. */
    private int pages() {
        return setting.missPercent() == 0 ? FRAMES : FRAMES / FRAMES_PER_PAGE;
    }

    private Counted count(Tally tally, Players players, DoubleConsumer progress) throws Exception {
        if (timing != null) {
            players.time(timing, tally, progress);
        } else {
            long warmup = counting.warmupAccesses();
            long whole = warmup + counting.accesses();
            LongConsumer watch = played -> progress.accept((double) played / whole);
            players.playReferences(0, warmup, watch);
            tally.begins();
            players.playReferences(warmup, whole, watch);
            tally.ends();
        }
        return tally.counted;
    }

    /** One for each thread, drawn from a generator of its own, which the thread makes. */
    private IntFunction<PageStream> streams() {
        long[] seeds = new SplittableRandom(seed).longs(setting.threads()).toArray();
        return thread -> {
            SplittableRandom random = new SplittableRandom(seeds[thread]);
            PageStream stream = setting.stream().stream(pages(), thread, random);
            return setting.missPercent() == 0
                    ? stream
                    : withMisses(
                            stream, setting.missPercent(), random.split(), pages() + (long) thread, setting.threads());
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
    private static final class Tally implements WorkThreads.Interval {
        private final CountingLock lock;
        private final RecordedHits recorded;
        private final BufferPool pool;
        private Counted before;
        /** Null before the end of the interval. */
        private Counted counted;

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
            counted = now().since(before);
        }

        private Counted now() {
            long hits = recorded.count();
            long acquisitions = lock.acquisitions();
            long contentions = lock.contentions();
            long failedTries = lock.failedTries();
            PoolStats stats = pool.stats(); // last, since it scans all frames, which takes a while
            return new Counted(stats.hits(), stats.misses(), acquisitions, contentions, failedTries, hits);
        }
    }

    /**
     * The figures of a run.
     *
     * @param counted null if nothing was counted
     */
    record RunAnswer(Timed timed, Counted counted, long wrongPages, String firstWrong) implements Answer.Played {

        /**
         * After the warm-up.
         *
         * @param lockAcquisitions how often the policy's lock was taken
         * @param contentions how many requests for it had to wait
         * @param failedTries how often a try to take it failed
         * @param recordedHits that the policy recorded, those included that had been queued since the warm-up
         */
        record Counted(
                long hits, long misses, long lockAcquisitions, long contentions, long failedTries, long recordedHits) {

            Counted since(Counted before) {
                return new Counted(
                        hits - before.hits,
                        misses - before.misses,
                        lockAcquisitions - before.lockAcquisitions,
                        contentions - before.contentions,
                        failedTries - before.failedTries,
                        recordedHits - before.recordedHits);
            }

            /** The references to which the other figures belong. */
            long accesses() {
                return hits + misses;
            }

            double hitRatio() {
                return (double) hits / accesses();
            }
        }
    }
}
