// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.replay.driver;

import io.clockhand.io.PageStore;
import io.clockhand.page.BufferPool;
import io.clockhand.page.PoolStats;
import io.clockhand.wal.WriteAheadLog;
import io.clockhand.workbench.pages.device.DeviceProfile;
import io.clockhand.workbench.pages.device.SimulatedSsd;
import io.clockhand.workbench.pages.driver.PageStream;
import io.clockhand.workbench.pages.driver.Players;
import io.clockhand.workbench.pages.driver.Timed;
import io.clockhand.workbench.pages.driver.WorkloadStream;
import io.clockhand.workbench.replay.driver.RunAnswer.Counted;
import io.clockhand.workbench.replay.driver.RunOrder.Writing;
import io.clockhand.workbench.replay.driver.Written.Writes;
import io.clockhand.workbench.report.Estimated;
import io.clockhand.workbench.workload.WithWrites;
import io.clockhand.workbench.workload.Workload;
import java.io.IOException;
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
        return order.writing() == null ? read(workload) : write(workload);
    }

    private RunAnswer read(Workload workload) throws Exception {
        try (BufferPool pool = order.pool().make(WriteAheadLog.NONE)) {
            int file = open(pool, store(false));
            try (Players players = players(pool, file, workload, Players.Style.reading(order.interleave()))) {
                Timed timed = order.timing() == null
                        ? null
                        : players.time(order.timing(), Players.Interval.UNWATCHED, progress);
                Counted counted = order.counting() == null ? null : count(pool, players, null);
                return new RunAnswer(timed, counted, null, players.wrongPages(), players.firstWrong());
            }
        }
    }

    /** With a log, perhaps a slow device, and a pool that is closed and whose pages are checked at the end. */
    private RunAnswer write(Workload workload) throws Exception {
        Writing writing = order.writing();
        Workload all = writing.sharePercent() == 0
                ? workload
                : new WithWrites(
                        workload, writing.sharePercent(), order.source().seed());
        WaitingLog log = new WaitingLog(writing.logNanos());
        BufferPool pool = order.pool().make(log);
        boolean played = false;
        try {
            PageStore store = store(true);
            int file = open(pool, writing.deviceWrites() == 0 ? store : slowed(store, writing.deviceWrites()));
            Players.Style style = new Players.Style(
                    order.interleave(), log::append, writing.rate(), writing.rate() > 0 || writing.deviceWrites() > 0);
            Ending ending = new Ending(order, pool, store);
            try (Players players = players(pool, file, all, style)) {
                WriteMeter meter = new WriteMeter(pool, log, players::played);
                Timed timed = order.timing() == null ? null : players.time(order.timing(), meter, progress);
                Counted counted = order.counting() == null ? null : count(pool, players, meter);
                played = true;
                double closeSeconds = ending.close(progress);
                long found = ending.changes(all.keys());
                Written written = new Written(meter.moments(), players.changes(), found, closeSeconds);
                return new RunAnswer(timed, counted, written, players.wrongPages(), players.firstWrong());
            }
        } catch (Exception failure) {
            if (!played) {
                closeWithoutWriting(pool, failure);
            }
            throw failure;
        }
    }

    private static void closeWithoutWriting(BufferPool pool, Exception failure) {
        try {
            pool.closeWithoutWriting();
        } catch (IOException | RuntimeException e) {
            failure.addSuppressed(e);
        }
    }

    private Players players(BufferPool pool, int file, Workload workload, Players.Style style) {
        return new Players(pool, file, order.threads(), t -> stream(workload, t), style);
    }

    private PageStream stream(Workload workload, int thread) {
        return new WorkloadStream(
                workload, thread, order.threads(), order.pages().spread());
    }

    private static PageStore slowed(PageStore store, long writesPerSecond) {
        return new SimulatedSsd(store, DeviceProfile.writing(writesPerSecond), 0);
    }

    private PageStore store(boolean writes) throws IOException {
        return order.pages().io().open(order.pages(), order.pool().pageBytes(), writes);
    }

    private static int open(BufferPool pool, PageStore store) throws IOException {
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

    /** The meter may be null. */
    private Counted count(BufferPool pool, Players players, WriteMeter meter) throws Exception {
        long warmup = order.counting().warmupAccesses();
        long whole = warmup + order.counting().accesses();
        Players.Watch watch = played -> progress.accept((double) played / whole);

        players.playReferences(0, warmup, watch);
        int free = pool.stats().free();
        long changes = players.changes();
        Writes before = meter == null ? null : meter.now();
        pool.collectStats(true);
        pool.resetEstimates();
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
                free,
                players.changes() - changes,
                meter == null ? null : meter.now().since(before),
                order.pool().advised() == null
                        ? null
                        : Estimated.of(stats.estimates(), order.pool().frames()));
    }
}
