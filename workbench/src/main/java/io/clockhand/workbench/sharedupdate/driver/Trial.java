// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.sharedupdate.driver;

import com.sun.management.ThreadMXBean;
import io.clockhand.page.SharedUpdatePage;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.DoubleConsumer;
import java.util.stream.LongStream;

/** One run: a new page, the threads that update its rows, and the check of the page. */
public final class Trial {
    /** Updates between two looks at a flag, where they do not wait. */
    private static final int CHUNK = 16;

    private final RunOrder order;
    private final DoubleConsumer progress;

    /**
     * Makes a run.
     *
     * @param progress receives several times a second the part that has passed
     */
    public Trial(RunOrder order, DoubleConsumer progress) {
        this.order = order;
        this.progress = progress;
    }

    private record Update(Updater updater) implements WorkThreads.Operation {
        @Override
        public void perform() throws IOException {
            updater.update();
        }

        @Override
        public void close() {
            updater.close();
        }
    }

    /** Runs it; throws what broke it off. */
    public RunAnswer run() throws Exception {
        Path directory = Files.createDirectories(Path.of(order.directory()));
        return order.load() == RunOrder.Load.ALLOCATE
                ? new AllocationTrial(order, progress).run(directory)
                : updateRows(directory);
    }

    private RunAnswer updateRows(Path directory) throws Exception {
        Double contextBytes = order.counts() && order.protocol() == Protocol.SHARED
                ? Double.valueOf(ContextBytes.measure(Files.createDirectories(directory.resolve("contexts"))))
                : null;
        try (Log log = Log.open(order.logCost(), order.stepsPerMicro(), directory);
                HotPage page = order.protocol().open(order.rows(), order.pageLsnBytes(), log, directory);
                WorkThreads<Update> threads = new WorkThreads<>(
                        order.rows().threads(),
                        order.logCost().waits() ? 1 : CHUNK,
                        thread -> new Update(page.updater(thread, order.counts())))) {
            WorkThreads.Measured measured = threads.time(order.timing(), progress);
            List<Updater> updaters =
                    threads.made().stream().map(Update::updater).toList();
            return new RunAnswer(
                    measured.operations(),
                    measured.seconds(),
                    measured.cpuPercent(),
                    order.counts() ? counted(updaters) : null,
                    contextBytes,
                    page.check(updaters));
        }
    }

    private static RunAnswer.Counted counted(List<Updater> updaters) {
        return new RunAnswer.Counted(
                updaters.stream().mapToLong(Updater::updates).sum(),
                updaters.stream().mapToLong(Updater::waits).sum(),
                medianMicros(updaters.stream().flatMapToLong(updater -> Arrays.stream(updater.appendNanos()))),
                null);
    }

    static Double medianMicros(LongStream nanos) {
        long[] sorted = nanos.sorted().toArray();
        return sorted.length == 0
                ? null
                : Double.valueOf((double) sorted[sorted.length / 2] / TimeUnit.MICROSECONDS.toNanos(1));
    }

    /** Measures the memory that a page takes because many threads may update its rows. */
    static final class ContextBytes {
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
            try (Log log = Log.open(new LogCost(LogCost.Kind.CPU, 0), 1, directory);
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
}
