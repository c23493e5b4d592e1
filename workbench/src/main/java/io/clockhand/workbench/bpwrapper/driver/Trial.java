// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.bpwrapper.driver;

import io.clockhand.PageId;
import io.clockhand.page.BufferPool;
import io.clockhand.policy.Policies;
import io.clockhand.policy.ReplacementPolicy;
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
}
