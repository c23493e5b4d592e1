// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.bpwrapper.driver;

import io.clockhand.PageId;
import io.clockhand.page.BufferPool;
import io.clockhand.page.PoolStats;
import io.clockhand.policy.Policies;
import io.clockhand.policy.ReplacementPolicy;
import io.clockhand.workbench.bpwrapper.driver.CountingLock.Counts;
import io.clockhand.workbench.bpwrapper.driver.RunAnswer.Counted;
import io.clockhand.workbench.pages.driver.GeneratedPages;
import io.clockhand.workbench.pages.driver.PageStream;
import io.clockhand.workbench.pages.driver.Players;
import java.util.SplittableRandom;
import java.util.function.DoubleConsumer;
import java.util.function.IntFunction;
import java.util.stream.LongStream;

/** One run: a new pool, filled with the pages, and the threads that refer to them. */
public final class Trial {
    private final RunOrder order;
    private final DoubleConsumer progress;
    /** While the pool was filled. */
    private long wrongPages;

    private String firstWrong;

    /**
     * Makes a run.
     *
     * @param progress receives several times a second the part that has passed
     */
    public Trial(RunOrder order, DoubleConsumer progress) {
        this.order = order;
        this.progress = progress;
    }

    /** Plays it; throws what broke it off. */
    public RunAnswer run() throws Exception {
        RunOrder.Pool wanted = order.pool();
        if (!order.countsLocks()) {
            return run(
                    frames -> wanted.form().make(wanted.policy(), frames, wanted.queueSize(), wanted.threshold()),
                    (pool, players) -> new RunAnswer(
                            players.time(order.timing(), Players.Interval.UNWATCHED, progress),
                            null,
                            wrongPages(players),
                            firstWrong(players)));
        }
        CountingLock lock = wanted.form().newCountingLock();
        RecordedHits policy = new RecordedHits(Policies.singleThreaded(wanted.policy(), wanted.frames()));
        return run(
                frames -> wanted.form().under(lock, policy, frames, wanted.queueSize(), wanted.threshold()),
                (pool, players) -> new RunAnswer(
                        null, count(new Tally(lock, policy, pool), players), wrongPages(players), firstWrong(players)));
    }

    private interface Work {
        RunAnswer doWith(BufferPool pool, Players players) throws Exception;
    }

    private RunAnswer run(IntFunction<ReplacementPolicy> maker, Work work) throws Exception {
        RunOrder.Pool wanted = order.pool();
        try (BufferPool pool = BufferPool.builder()
                .pageBytes(wanted.pageBytes())
                .frames(wanted.frames())
                .policy(wanted.form() + ":" + wanted.policy(), maker)
                .build()) {
            int file = pool.open(0, new GeneratedPages(PageId.GREATEST_PAGE + 1, wanted.pageBytes()))
                    .number();
            fill(pool, file);
            try (Players players = new Players(pool, file, order.threads(), streams(), Players.Style.reading(0))) {
                return work.doWith(pool, players);
            }
        }
    }

    /** Brings in all pages that are referred to again and again. */
    private void fill(BufferPool pool, int file) throws Exception {
        int pages = order.source().pages();
        PageStream each = LongStream.range(0, pages).iterator()::nextLong;
        try (Players one = new Players(pool, file, 1, thread -> each, Players.Style.reading(0))) {
            one.playReferences(0, pages, played -> progress.accept(0));
            wrongPages += one.wrongPages();
            firstWrong = one.firstWrong();
        }
    }

    private Counted count(Tally tally, Players players) throws Exception {
        if (order.timing() != null) {
            return tally.of(players.time(order.timing(), tally, progress).accesses());
        }
        long warmup = order.counting().warmupAccesses();
        long whole = warmup + order.counting().accesses();
        Players.Watch watch = played -> progress.accept((double) played / whole);

        players.playReferences(0, warmup, watch);
        tally.begins();
        players.playReferences(warmup, whole, watch);
        tally.ends();
        return tally.of(order.counting().accesses());
    }

    /** One for each thread, drawn from a generator of its own, which the thread makes. */
    private IntFunction<PageStream> streams() {
        long[] seeds = new SplittableRandom(order.source().seed())
                .longs(order.threads())
                .toArray();
        return thread -> stream(thread, new SplittableRandom(seeds[thread]));
    }

    private PageStream stream(int thread, SplittableRandom random) {
        RunOrder.Source source = order.source();
        PageStream stream = source.references().stream(source.pages(), thread, random);
        return source.missPercent() == 0
                ? stream
                : new WithMisses(
                        stream, source.missPercent(), random.split(), source.pages() + (long) thread, order.threads());
    }

    private long wrongPages(Players players) {
        return wrongPages + players.wrongPages();
    }

    private String firstWrong(Players players) {
        return firstWrong == null ? players.firstWrong() : firstWrong;
    }

    /** The counts of the lock, the policy and the pool in an interval. For one thread, while others play. */
    static final class Tally implements Players.Interval {
        private final CountingLock lock;
        private final RecordedHits policy;
        private final BufferPool pool;
        private Counts locks;
        private long recorded;
        private PoolStats before;
        private PoolStats after;

        /**
         * The pool counts from now on, not from the interval's begin, since code that begins to count is compiled anew.
         */
        Tally(CountingLock lock, RecordedHits policy, BufferPool pool) {
            this.lock = lock;
            this.policy = policy;
            this.pool = pool;
            pool.collectStats(true);
        }

        @Override
        public void begins() {
            locks = lock.counts();
            recorded = policy.count();
            before = pool.stats(); // scans all frames, which takes a while
        }

        @Override
        public void ends() {
            locks = lock.counts().since(locks);
            recorded = policy.count() - recorded;
            after = pool.stats();
        }

        /**
         * The counts, when the interval has ended.
         *
         * @param accesses that there were in it
         */
        Counted of(long accesses) {
            return new Counted(
                    accesses,
                    after.hits() - before.hits(),
                    after.misses() - before.misses(),
                    locks.acquisitions(),
                    locks.contentions(),
                    locks.failedTries(),
                    recorded);
        }
    }

    /**
     * A stream in which a share of the references, drawn by lot, go to pages that were never referred to before, and
     * never will be again.
     */
    static final class WithMisses implements PageStream {
        private static final double PERCENT = 100;

        private final PageStream stream;
        private final double share;
        private final SplittableRandom random;
        private final int step;
        private long fresh;

        /**
         * Mixes misses in.
         *
         * @param first the first of the new pages
         * @param step from one of them to the next, so that those of several threads differ
         */
        WithMisses(PageStream stream, double missPercent, SplittableRandom random, long first, int step) {
            this.stream = stream;
            this.share = missPercent / PERCENT;
            this.random = random;
            this.fresh = first;
            this.step = step;
        }

        @Override
        public long next() {
            if (random.nextDouble() < share) {
                long page = fresh;
                fresh += step;
                return page;
            }
            return stream.next();
        }
    }
}
