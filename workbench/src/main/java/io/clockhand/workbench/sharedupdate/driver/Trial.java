// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.sharedupdate.driver;

import io.clockhand.workbench.experiment.Answer;
import io.clockhand.workbench.experiment.Order;
import io.clockhand.workbench.experiment.Timing;
import io.clockhand.workbench.experiment.options.EnumNames;
import io.clockhand.workbench.experiment.report.Figures;
import io.clockhand.workbench.pages.driver.WorkThreads;
import io.clockhand.workbench.sharedupdate.driver.Log.LogCost;
import io.clockhand.workbench.sharedupdate.driver.Rows.RowLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.DoubleConsumer;

/**
 * One run: a new page, the threads that update its rows, or allocate pages, and the check of the page.
 *
 * @param stepsPerMicro of {@link CpuLoop}, the same for all that are compared
 * @param directory for the files of the pool and the log
 * @param counts whether waits and the log's time are measured, or the throughput is
 */
public record Trial(
        Setting setting,
        Protocol protocol,
        int threads,
        double stepsPerMicro,
        String directory,
        Timing timing,
        boolean counts)
        implements Order<Trial.RunAnswer> {
    /** The help of the command describes them. */
    public enum Load {
        ROWS,
        ALLOCATE;

        @Override
        public String toString() {
            return EnumNames.of(this);
        }
    }

    /**
     * What compared contenders have in common.
     *
     * @param logCost of an append
     * @param layout null for allocations
     */
    public record Setting(Load load, LogCost logCost, RowLayout layout, int rowBytes, int pageLsnBytes) {
        @Override
        public String toString() {
            return load == Load.ALLOCATE
                    ? "allocations, log " + logCost
                    : "log " + logCost + ", " + layout + " rows of " + Figures.counted(rowBytes, "bytes")
                            + ", page LSN of " + pageLsnBytes + " bytes";
        }
    }

    @Override
    public RunAnswer perform(DoubleConsumer progress) throws Exception {
        Path own = Files.createDirectories(Path.of(directory));
        return setting.load() == Load.ALLOCATE ? AllocationTrial.run(this, own, progress) : updateRows(own, progress);
    }

    private RunAnswer updateRows(Path own, DoubleConsumer progress) throws Exception {
        try (Log log = new Log(setting.logCost(), stepsPerMicro, own, counts);
                HotPage page = protocol.open(
                        new Rows(setting.layout(), setting.rowBytes(), threads), setting.pageLsnBytes(), log, own);
                WorkThreads<Updater> updating = new WorkThreads<>(threads) {
                    @Override
                    protected Updater make(int thread) {
                        return page.updater(thread, counts);
                    }
                }) {
            WorkThreads.Measured measured = updating.measure(timing, WorkThreads.Interval.UNWATCHED, progress);
            List<Updater> updaters = updating.workers();
            return new RunAnswer(
                    measured.operations(),
                    measured.seconds(),
                    measured.cpuPercent(),
                    counts ? counted(updaters, log) : null,
                    page.check(updaters));
        }
    }

    private static RunAnswer.Counted counted(List<Updater> updaters, Log log) {
        return new RunAnswer.Counted(
                updaters.stream().mapToLong(updater -> updater.updates).sum(),
                updaters.stream().mapToLong(updater -> updater.waits).sum(),
                log.medianMicros(),
                null);
    }

    /**
     * The figures of a run.
     *
     * @param operations in the measured interval; 0 in a duel, whose referee counts
     * @param seconds of that interval
     * @param cpuPercent of the processors' time that this JVM used in it; null in a duel
     * @param counted null if the throughput was measured
     * @param wrong what was wrong with the page in the end, in words, or null
     */
    public record RunAnswer(long operations, double seconds, Double cpuPercent, Counted counted, String wrong)
            implements Answer {

        /**
         * From the begin of the run to its end, warm-up included.
         *
         * @param operations to which the other figures belong
         * @param latchWaits how often a thread could not have the page at once
         * @param logMicros the median of the appends
         * @param waitingThreads how many threads waited for a latch on average; null if that was not measured
         */
        public record Counted(long operations, long latchWaits, Double logMicros, Double waitingThreads) {
            public Double waitsPerMillion() {
                return operations == 0 ? null : Double.valueOf(1e6 * latchWaits / operations);
            }
        }

        @Override
        public Double operationsPerSecond() {
            return operations / seconds;
        }
    }
}
