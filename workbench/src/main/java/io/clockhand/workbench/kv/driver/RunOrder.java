// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.kv.driver;

import io.clockhand.workbench.environment.ProcessorTimes.ProcessTime;
import io.clockhand.workbench.experiment.Answer;
import io.clockhand.workbench.experiment.Order;
import io.clockhand.workbench.experiment.Timed.Percentiles;
import io.clockhand.workbench.experiment.Timing;
import io.clockhand.workbench.experiment.options.EnumNames;
import io.clockhand.workbench.experiment.report.Figures;
import io.clockhand.workbench.pages.driver.WorkThreads;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.DoubleConsumer;
import java.util.stream.Stream;

/**
 * Fill a store, or play work on one: open it, read all of it if there is memory for that, play, and close it.
 *
 * @param folder of the store
 * @param cacheBytes the memory for pages
 * @param timing null to fill the store
 */
public record RunOrder(Engine engine, Setting setting, String folder, long cacheBytes, long seed, Timing timing)
        implements Order<RunOrder.RunAnswer> {
    private static final int FILLED_AT_ONCE = 1_000;

    /**
     * What compared engines have in common.
     *
     * @param entries that the store has, or gets
     * @param memoryPercent the cache as a share of the store; 100 for room for all
     */
    public record Setting(Work work, int threads, long entries, double memoryPercent, Durability durability) {
        @Override
        public String toString() {
            return String.format(
                    Locale.ROOT,
                    "%s, %s, %,d entries, memory for %s %%, %s commits",
                    work,
                    Figures.counted(threads, "threads"),
                    entries,
                    Figures.brief(memoryPercent),
                    durability);
        }
    }

    /** The help of the command describes them. */
    public enum Work {
        GETS,
        MIXED,
        INSERTS,
        SCANS,
        UPDATES;

        @Override
        public String toString() {
            return EnumNames.of(this);
        }
    }

    /** Whether a commit survives a power failure when it returns, or others just see it. */
    public enum Durability {
        LAZY,
        FORCED;

        @Override
        public String toString() {
            return EnumNames.of(this);
        }
    }

    /**
     * The figures of a run. An operation is a get, an entry that is put, or one that is scanned.
     *
     * @param wrong the first result that was wrong, in words; null if there was none
     * @param operations measured, without the warm-up; 0 in a duel
     * @param operationsPerSecond null in a duel
     * @param latencyMicros of single gets and puts, and of whole scans, sampled; null if none lay within one slice
     * @param processorMicros of all threads of the process, for each operation, warm-up included
     * @param allocatedBytes on the heap by the threads that play, for each operation, warm-up included
     * @param storeBytes of the files in the end
     */
    public record RunAnswer(
            String wrong,
            long operations,
            Double operationsPerSecond,
            Percentiles latencyMicros,
            Double processorMicros,
            Double allocatedBytes,
            long storeBytes)
            implements Answer {}

    @Override
    public RunAnswer perform(DoubleConsumer progress) throws Exception {
        AtomicLong nextNew = new AtomicLong(setting.entries());
        Player all;
        WorkThreads.Measured measured;
        long processorNanos;
        try (KvStore store =
                        KvStore.open(engine, Path.of(folder), cacheBytes, setting.durability() == Durability.FORCED);
                WorkThreads<Player> players = new WorkThreads<>(setting.threads()) {
                    @Override
                    protected Player make(int thread) {
                        return new Player(RunOrder.this, store, nextNew, thread);
                    }
                }) {
            if (timing == null) {
                fill(store, progress);
                return new RunAnswer(null, setting.entries(), null, null, null, null, storeBytes());
            }
            all = new Player(this, store, nextNew, 0);
            if (setting.memoryPercent() >= 100) {
                all.readAll();
            }
            processorNanos = ProcessTime.nanos();
            measured = players.measure(timing, WorkThreads.Interval.UNWATCHED, progress);
            processorNanos = ProcessTime.nanos() - processorNanos;
            players.workers().forEach(all::add);
        }
        return new RunAnswer(
                all.firstWrong(),
                measured.operations(),
                measured.seconds() == 0 ? null : Double.valueOf(measured.operations() / measured.seconds()),
                all.latencyMicros(),
                all.each(processorNanos / 1e3),
                all.each((double) all.allocatedBytes()),
                storeBytes());
    }

    private void fill(KvStore store, DoubleConsumer progress) throws Exception {
        long entries = setting.entries();
        for (long first = 0; first < entries; first += FILLED_AT_ONCE) {
            List<Map.Entry<byte[], byte[]>> list = new ArrayList<>();
            for (long number = first; number < Math.min(first + FILLED_AT_ONCE, entries); number++) {
                list.add(Map.entry(Entries.key(number), Entries.value(number, 0)));
            }
            store.put(list);
            progress.accept((double) first / entries);
        }
        store.settle();
    }

    private long storeBytes() throws IOException {
        try (Stream<Path> files = Files.walk(Path.of(folder))) {
            return files.filter(Files::isRegularFile).mapToLong(RunOrder::size).sum();
        }
    }

    private static long size(Path file) {
        try {
            return Files.size(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
