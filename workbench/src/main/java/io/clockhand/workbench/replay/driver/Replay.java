// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.replay.driver;

import io.clockhand.io.PageStore;
import io.clockhand.page.BufferPool;
import io.clockhand.page.PageIn;
import io.clockhand.page.PoolStats;
import io.clockhand.page.PoolTuning;
import io.clockhand.policy.ClockHand;
import io.clockhand.wal.WriteAheadLog;
import io.clockhand.workbench.experiment.Answer;
import io.clockhand.workbench.experiment.Order;
import io.clockhand.workbench.experiment.Timed;
import io.clockhand.workbench.experiment.Timing;
import io.clockhand.workbench.experiment.report.Estimated;
import io.clockhand.workbench.pages.device.DeviceProfile;
import io.clockhand.workbench.pages.device.SimulatedSsd;
import io.clockhand.workbench.pages.driver.Counting;
import io.clockhand.workbench.pages.driver.PageContent;
import io.clockhand.workbench.pages.driver.PageStream;
import io.clockhand.workbench.pages.driver.Players;
import io.clockhand.workbench.pages.driver.WorkThreads;
import io.clockhand.workbench.replay.driver.Replay.RunAnswer.Counted;
import io.clockhand.workbench.replay.driver.Written.WriteMeter;
import io.clockhand.workbench.replay.driver.Written.Writes;
import io.clockhand.workbench.workload.TraceFormat;
import io.clockhand.workbench.workload.WithWrites;
import io.clockhand.workbench.workload.Workload;
import io.clockhand.workbench.workload.Workloads;
import java.io.Closeable;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.DoubleConsumer;
import java.util.function.LongConsumer;

/**
 * One run: a new pool, its file, and the threads that play a workload on it, for a time or a number of references.
 *
 * @param timing null if references are to be counted
 * @param counting null if the run is to be timed
 * @param writing null if all references are reads
 */
public record Replay(
        Pool pool,
        Source source,
        Pages pages,
        int threads,
        int interleave,
        Timing timing,
        Counting counting,
        Writing writing)
        implements Order<Replay.RunAnswer> {
    /** Seconds in which the pool is to be closed, apart from the time that a slow device needs. */
    private static final long CLOSE_SECONDS = 60;

    private static final Writing NO_WRITING = new Writing(0, 0, 0, -1);

    /**
     * Some references change their pages.
     *
     * @param sharePercent of the references; 0 for those that the trace marks
     * @param rate references a second that the threads attempt; 0 for as many as they can
     * @param deviceWrites pages a second that can be written; 0 for as many as the store can
     * @param logNanos for which a force of the log takes; negative for no log
     */
    public record Writing(double sharePercent, double rate, long deviceWrites, long logNanos) {}

    /**
     * The buffer pool.
     *
     * @param hand null for the default
     * @param advised policies besides its own, for which it estimates hit ratios; null if it estimates none
     */
    public record Pool(String policy, ClockHand hand, PageIn pageIn, int frames, int pageBytes, List<String> advised) {

        private BufferPool make(WriteAheadLog log) {
            return BufferPool.builder()
                    .pageBytes(pageBytes)
                    .frames(frames)
                    .policy(policy)
                    .log(log)
                    .tuning(this::tune)
                    .build();
        }

        private void tune(PoolTuning tuning) {
            tuning.hand(hand == null ? ClockHand.DEFAULT : hand).pageIn(pageIn).readAhead(1);
            if (advised != null) { // of each reference, since no time is measured
                tuning.advises(true)
                        .advisedPolicies(advised.toArray(new String[0]))
                        .adviceTimeFraction(1);
            }
        }
    }

    /**
     * The workload.
     *
     * @param keys of a workload that may have any number of them
     * @param format of a trace; null to find out
     */
    public record Source(String workload, int keys, long seed, TraceFormat format) {}

    /**
     * The pages.
     *
     * @param file null if there is none
     * @param count how many pages the file has
     * @param spread key k lies on page {@code spread * k}
     */
    public record Pages(Io io, String file, long count, int spread) {}

    /**
     * The figures of a run.
     *
     * @param counted null if nothing was counted
     * @param written null if all references were reads
     */
    public record RunAnswer(Timed timed, Counted counted, Written written, long wrongPages, String firstWrong)
            implements Answer.Played {

        /**
         * After the warm-up.
         *
         * @param framesScanned frames that the policy scanned in search of victims
         * @param freeAtStart frames that held nothing yet when the warm-up was over
         * @param changes that threads have made
         * @param writes null if all references were reads
         * @param estimates of the pool; null if it made none
         */
        public record Counted(
                long hits,
                long misses,
                long reads,
                long wastedReads,
                long framesScanned,
                int freeAtStart,
                long changes,
                Writes writes,
                List<Estimated> estimates) {

            public long accesses() {
                return hits + misses;
            }

            public double hitRatio() {
                return (double) hits / accesses();
            }

            /** Null without a miss. */
            public Double framesScannedPerMiss() {
                return misses == 0 ? null : Double.valueOf((double) framesScanned / misses);
            }
        }

        @Override
        public String wrong() {
            return wrongPages > 0 || written == null || written.lost() == 0
                    ? Answer.Played.super.wrong()
                    : "it made " + written.changes() + " changes, but its pages have " + written.found();
        }
    }

    @Override
    public RunAnswer perform(DoubleConsumer progress) throws Exception {
        Workload workload = Workloads.of(source.workload(), source.keys(), source.seed(), source.format());
        Writing changes = writing == null ? NO_WRITING : writing;
        if (changes.sharePercent() > 0) {
            workload = new WithWrites(workload, changes.sharePercent(), source.seed());
        }
        PageStore store = pages.io().open(pages, pool.pageBytes(), writing != null);
        WaitingLog log = new WaitingLog(changes.logNanos());
        BufferPool buffer = pool.make(writing == null ? WriteAheadLog.NONE : log);
        try (Players players = players(buffer, store, workload, changes, log)) {
            WriteMeter meter = new WriteMeter(buffer, log, players::done);
            Timed timed;
            Counted counted;
            try {
                WorkThreads.Interval interval = writing == null ? WorkThreads.Interval.UNWATCHED : meter;
                timed = timing == null ? null : players.time(timing, interval, progress);
                counted = counting == null ? null : count(buffer, players, meter, progress);
            } catch (Exception failure) {
                try (Closeable unwritten = buffer::closeWithoutWriting) {
                    throw failure;
                }
            }
            close(buffer, progress);
            Written written = writing == null
                    ? null
                    : new Written(meter.moments(), players.changes(), changesIn(store, workload.keys()));
            return new RunAnswer(timed, counted, written, players.wrongPages(), players.firstWrong());
        }
    }

    private Players players(BufferPool buffer, PageStore store, Workload workload, Writing changes, WaitingLog log)
            throws IOException {
        PageStore device = changes.deviceWrites() == 0
                ? store
                : new SimulatedSsd(store, DeviceProfile.writing(changes.deviceWrites()), 0);
        return new Players(
                buffer,
                buffer.open(0, device).number(),
                threads,
                t -> PageStream.of(workload, t, threads, pages.spread()),
                new Players.Style(
                        interleave, log::append, changes.rate(), changes.rate() > 0 || changes.deviceWrites() > 0));
    }

    private Counted count(BufferPool buffer, Players players, WriteMeter meter, DoubleConsumer progress)
            throws Exception {
        long warmup = counting.warmupAccesses();
        long whole = warmup + counting.accesses();
        LongConsumer watch = played -> progress.accept((double) played / whole);
        players.playReferences(0, warmup, watch);
        int free = buffer.stats().free();
        long changes = players.changes();
        Writes before = meter.now();
        buffer.collectStats(true);
        buffer.resetEstimates();
        players.playReferences(warmup, whole, watch);
        buffer.collectStats(false);
        PoolStats stats = buffer.stats();
        return new Counted(
                stats.hits(),
                stats.misses(),
                stats.reads(),
                stats.wastedReads(),
                stats.framesScanned(),
                free,
                players.changes() - changes,
                writing == null ? null : meter.now().since(before),
                pool.advised() == null ? null : Estimated.of(stats.estimates(), pool.frames()));
    }

    /** Writes what is dirty, and closes the pool; throws if that takes too long. */
    private void close(BufferPool buffer, DoubleConsumer progress) throws Exception {
        long seconds = CLOSE_SECONDS;
        if (writing != null && writing.deviceWrites() > 0) {
            seconds += 2L * pool.frames() / writing.deviceWrites(); // twice the time for all pages is enough
        }
        FutureTask<Void> close = new FutureTask<>(() -> {
            buffer.close();
            return null;
        });
        Thread closer = new Thread(close, "close of the pool");
        closer.setDaemon(true);
        closer.start();
        for (long second = 0; second < seconds; second++) {
            try {
                close.get(1, TimeUnit.SECONDS);
                return;
            } catch (ExecutionException e) {
                throw e.getCause() instanceof Exception cause ? cause : e;
            } catch (TimeoutException e) {
                progress.accept((double) second / seconds); // from 0 again, or the run would count as hung
            }
        }
        throw new IOException("the pool was not flushed and closed within " + seconds + " s; " + buffer.dirtyPages()
                + " pages are dirty still");
    }

    /** Reads all pages with a key; {@return how often they were changed, all together} Throws if one is another. */
    private long changesIn(PageStore closed, int keys) throws IOException {
        try (PageStore written = pages.io() == Io.MEMORY ? closed : Io.CACHED.open(pages, pool.pageBytes(), false)) {
            return PageContent.changes(written, keys, pages.spread(), part -> {});
        }
    }
}
