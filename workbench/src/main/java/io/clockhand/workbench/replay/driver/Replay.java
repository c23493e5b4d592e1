// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.replay.driver;

import io.clockhand.io.PageStore;
import io.clockhand.page.BufferPool;
import io.clockhand.page.PoolStats;
import io.clockhand.workbench.pages.driver.PageStream;
import io.clockhand.workbench.pages.driver.Players;
import io.clockhand.workbench.pages.driver.Timed;
import io.clockhand.workbench.replay.driver.RunAnswer.Counted;
import io.clockhand.workbench.workload.Workload;
import java.io.IOException;
import java.nio.file.Path;
import java.util.function.DoubleConsumer;

/** One run: a new pool, its file, and the threads that play a workload on it. */
public final class Replay {
    private final RunOrder order;
    private final DoubleConsumer progress;

    /**
     * Makes a run.
     *
     * @param progress receives several times a second the part that has passed
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
                    new Players(pool, file, order.threads(), t -> stream(workload, t), order.interleave())) {
                Timed timed = order.timing() == null
                        ? null
                        : players.time(order.timing(), Players.Interval.UNWATCHED, progress);
                Counted counted = order.counting() == null ? null : count(pool, players);
                return new RunAnswer(timed, counted, players.wrongPages(), players.firstWrong());
            }
        }
    }

    private PageStream stream(Workload workload, int thread) {
        Workload.References references = workload.references(thread, order.threads());
        int spread = order.pages().spread();
        return () -> (long) references.next() * spread;
    }

    private int open(BufferPool pool) throws IOException {
        RunOrder.Pages pages = order.pages();
        Path file = pages.file() == null ? null : Path.of(pages.file());
        PageStore store = pages.io().open(file, pages.count(), order.pool().pageBytes());
        boolean added = false;
        try {
            int number = pool.open(0, store).number();
            added = true;
            return number;
        } finally {
            if (!added) {
                store.close();
            }
        }
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
                stats.framesScanned(),
                free);
    }
}
