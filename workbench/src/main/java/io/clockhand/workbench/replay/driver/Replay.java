// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.replay.driver;

import io.clockhand.BufferPool;
import io.clockhand.PoolStats;
import io.clockhand.io.PageStore;
import io.clockhand.workbench.replay.driver.RunAnswer.Counted;
import io.clockhand.workbench.replay.driver.RunAnswer.Percentiles;
import io.clockhand.workbench.replay.driver.RunAnswer.Timed;
import io.clockhand.workbench.workload.Workload;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.DoubleConsumer;
import org.HdrHistogram.Histogram;

/** One run: a new pool, its file, and the threads that play a workload on it. */
public final class Replay {
    private static final double NANOS_PER_MICRO = 1_000;

    private final RunOrder order;
    private final DoubleConsumer progress;

    /**
     * Makes a run.
     *
     * @param progress is told several times a second which part has passed
     */
    public Replay(RunOrder order, DoubleConsumer progress) {
        this.order = order;
        this.progress = progress;
    }

    /** Plays it; throws what broke it off. */
    public RunAnswer run() throws Exception {
        Workload workload = order.source().make();
        try (BufferPool pool = order.pool().make()) {
            int file = open(pool);
            try (Players players =
                    new Players(pool, file, order.pages().spread(), workload, order.threads(), order.interleave())) {
                Timed timed = order.timing() == null ? null : time(players);
                Counted counted = order.counting() == null ? null : count(pool, players);
                return new RunAnswer(timed, counted, players.wrongPages(), players.firstWrong());
            }
        }
    }

    private int open(BufferPool pool) throws IOException {
        RunOrder.Pages pages = order.pages();
        Path file = pages.file() == null ? null : Path.of(pages.file());
        PageStore store = pages.io().open(file, pages.count(), order.pool().pageBytes());
        boolean added = false;
        try {
            int number = pool.open(store);
            added = true;
            return number;
        } finally {
            if (!added) {
                store.close();
            }
        }
    }

    private Timed time(Players players) throws Exception {
        RunOrder.Timing timing = order.timing();
        double whole = TimeUnit.SECONDS.toNanos((long) timing.warmupSeconds() + timing.seconds());
        long start = System.nanoTime();
        Players.Watch watch = played -> progress.accept(Math.min(1, (System.nanoTime() - start) / whole));

        List<Future<Void>> ends = players.playOn();
        long warmup = TimeUnit.SECONDS.toNanos(timing.warmupSeconds());
        players.pause(warmup / 2, watch);
        players.endRehearsal();
        players.pause(warmup - warmup / 2, watch);
        players.time(true);
        long playedBefore = players.played();
        long begin = System.nanoTime();
        players.pause(TimeUnit.SECONDS.toNanos(timing.seconds()), watch);
        long played = players.played() - playedBefore;
        long nanos = System.nanoTime() - begin;
        players.time(false);
        players.stop();
        players.await(ends, watch);
        return new Timed(played, played * (double) TimeUnit.SECONDS.toNanos(1) / nanos, percentiles(players.nanos()));
    }

    private static Percentiles percentiles(Histogram nanos) {
        return nanos.getTotalCount() == 0
                ? null
                : new Percentiles(micros(nanos, 50), micros(nanos, 95), micros(nanos, 99));
    }

    private static double micros(Histogram nanos, double percentile) {
        return nanos.getValueAtPercentile(percentile) / NANOS_PER_MICRO;
    }

    private Counted count(BufferPool pool, Players players) throws Exception {
        long warmup = order.counting().warmupAccesses();
        long whole = warmup + order.counting().accesses();
        Players.Watch watch = played -> progress.accept((double) played / whole);

        players.playReferences(0, warmup, watch);
        int free = pool.stats().free();
        pool.collectStats(true);
        players.playReferences(warmup, whole, watch);
        pool.collectStats(false);
        PoolStats stats = pool.stats();
        return new Counted(
                order.counting().accesses(),
                stats.hits(),
                stats.misses(),
                stats.reads(),
                stats.wastedReads(),
                stats.inspected(),
                free);
    }
}
