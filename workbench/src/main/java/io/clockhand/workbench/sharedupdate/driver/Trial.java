// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.sharedupdate.driver;

import com.sun.management.ThreadMXBean;
import io.clockhand.page.SharedUpdatePage;
import io.clockhand.workbench.experiment.Answer;
import io.clockhand.workbench.experiment.Order;
import io.clockhand.workbench.experiment.Timing;
import io.clockhand.workbench.experiment.options.EnumNames;
import io.clockhand.workbench.pages.driver.WorkThreads;
import io.clockhand.workbench.sharedupdate.driver.Log.LogCost;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.DoubleConsumer;

/**
 * One run: a new page, the threads that update its rows, or allocate pages, and the check of the page.
 *
 * @param rows of the page; for allocations only their threads count
 * @param logCost of an append
 * @param stepsPerMicro of {@link CpuLoop}, the same for all that are compared
 * @param directory for the files of the pool and the log
 * @param counts whether waits and the log's time are measured, or the throughput is
 */
public record Trial(
        Load load,
        Protocol protocol,
        Rows rows,
        int pageLsnBytes,
        LogCost logCost,
        double stepsPerMicro,
        String directory,
        Timing timing,
        boolean counts)
        implements Order<Trial.RunAnswer> {
    /** The work of the threads. */
    public enum Load {
        /** Each updates rows of its own in one page. */
        ROWS,

        /** Each allocates and frees pages, by a free-space map. */
        ALLOCATE;

        @Override
        public String toString() {
            return EnumNames.of(this);
        }
    }

    @Override
    public RunAnswer perform(DoubleConsumer progress) throws Exception {
        Path own = Files.createDirectories(Path.of(directory));
        return load == Load.ALLOCATE ? AllocationTrial.run(this, own, progress) : updateRows(own, progress);
    }

    private RunAnswer updateRows(Path own, DoubleConsumer progress) throws Exception {
        Double contextBytes = counts && protocol == Protocol.SHARED
                ? Double.valueOf(ContextBytes.measure(Files.createDirectories(own.resolve("contexts"))))
                : null;
        try (Log log = Log.open(logCost, stepsPerMicro, own, counts);
                HotPage page = protocol.open(rows, pageLsnBytes, log, own);
                WorkThreads<Updater> threads = new WorkThreads<>(rows.threads()) {
                    @Override
                    protected Updater make(int thread) {
                        return page.updater(thread, counts);
                    }
                }) {
            WorkThreads.Measured measured = threads.measure(timing, WorkThreads.Interval.UNWATCHED, progress);
            List<Updater> updaters = threads.workers();
            return new RunAnswer(
                    measured.operations(),
                    measured.seconds(),
                    measured.cpuPercent(),
                    counts ? counted(updaters, log) : null,
                    contextBytes,
                    page.check(updaters));
        }
    }

    private static RunAnswer.Counted counted(List<Updater> updaters, Log log) {
        return new RunAnswer.Counted(
                updaters.stream().mapToLong(Updater::updates).sum(),
                updaters.stream().mapToLong(Updater::waits).sum(),
                log.medianMicros(),
                null);
    }

    /** Measures the memory that a page takes because many threads may update its rows. */
    private static final class ContextBytes {
        private static final int PAGES = 1024;

        /** In the first, classes are loaded. */
        private static final int ROUNDS = 3;

        private ContextBytes() {}

        /**
         * Updates a row of each of many pages whose contexts have gone with a flush; returns the bytes that the thread
         * has allocated for a page.
         */
        static double measure(Path directory) throws IOException {
            ThreadMXBean allocations = (ThreadMXBean) ManagementFactory.getThreadMXBean();
            double bytes = 0;
            try (Log log = Log.open(LogCost.parse("cpu:0us"), 1, directory, false);
                    PagesOfPool pages = PagesOfPool.open(true, Rows.LSN_OFFSET, PAGES, log, directory)) {
                SharedUpdatePage page = pages.pool().newSharedUpdatePage();
                for (int round = 0; round < ROUNDS; round++) {
                    pages.pool().flush();
                    long before = allocations.getCurrentThreadAllocatedBytes();
                    for (int number = 0; number < PAGES; number++) {
                        update(page, pages.id(number), log);
                    }
                    bytes = (double) (allocations.getCurrentThreadAllocatedBytes() - before) / PAGES;
                }
            }
            return bytes;
        }

        private static void update(SharedUpdatePage page, long id, Log log) throws IOException {
            try (SharedUpdatePage fixed = page.fix(id)) {
                fixed.beginUpdate();
                long lsn = log.append(Rows.PADDING, id);
                fixed.putLong(Rows.PADDING, id);
                fixed.endUpdate(lsn);
            }
        }
    }

    /**
     * The figures of a run.
     *
     * @param operations in the measured interval; 0 in a duel, whose referee counts
     * @param seconds of that interval
     * @param cpuPercent of the processors' time that this JVM used in it; null in a duel
     * @param counted null if the throughput was measured
     * @param contextBytes memory of a page because its rows are updated at the same time; null if they are not, or it
     *     was not measured
     * @param wrong what was wrong with the page in the end, in words, or null
     */
    public record RunAnswer(
            long operations, double seconds, Double cpuPercent, Counted counted, Double contextBytes, String wrong)
            implements Answer {

        /**
         * From the begin of the run to its end, warm-up included.
         *
         * @param operations to which the other figures belong
         * @param latchWaits how often a thread could not have the page at once
         * @param logMicros the median of the latest appends
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
