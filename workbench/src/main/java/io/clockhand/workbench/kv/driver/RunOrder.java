// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.kv.driver;

import io.clockhand.workbench.environment.ProcessorTimes.ProcessTime;
import io.clockhand.workbench.experiment.Answer;
import io.clockhand.workbench.experiment.Order;
import io.clockhand.workbench.experiment.Timed.Percentiles;
import io.clockhand.workbench.experiment.Timing;
import io.clockhand.workbench.experiment.options.EnumNames;
import io.clockhand.workbench.pages.driver.WorkThreads;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.DoubleConsumer;
import java.util.stream.Stream;

/**
 * Fill a store, or play work on one: open it, read all of it if it has room for that, play, and close it.
 *
 * @param folder of the store
 * @param cacheBytes the memory for pages
 * @param warms whether all of the store is read before
 * @param entries that the store has, or gets
 * @param timing null to fill the store
 */
public record RunOrder(
        Engine engine,
        Work work,
        int threads,
        String folder,
        long cacheBytes,
        boolean warms,
        Durability durability,
        long entries,
        long seed,
        Timing timing)
        implements Order<RunOrder.RunAnswer> {
    private static final int FILLED_AT_ONCE = 1_000;

    public enum Work {
        /** The values of keys that are drawn, all alike. */
        GETS,
        /** Four gets for each new value of a key that is there. */
        MIXED,
        /** New keys, one in a transaction. */
        INSERTS,
        /** Entries in the order of their keys, from a drawn key on. */
        SCANS,
        /** New values for keys that are there, one in a transaction. */
        UPDATES;

        @Override
        public String toString() {
            return EnumNames.of(this);
        }
    }

    /** What a commit has done when it returns. */
    public enum Durability {
        /** Others see it; a crash may lose the last ones. */
        LAZY,
        /** It survives a power failure. */
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
        AtomicLong nextNew = new AtomicLong(entries);
        Player all;
        WorkThreads.Measured measured;
        long processorNanos;
        try (KvStore store = KvStore.open(engine, Path.of(folder), cacheBytes, durability == Durability.FORCED);
                WorkThreads<Player> players = new WorkThreads<>(threads) {
                    @Override
                    protected Player make(int thread) {
                        return new Player(RunOrder.this, store, nextNew, thread);
                    }
                }) {
            if (timing == null) {
                fill(store, progress);
                return new RunAnswer(null, entries, null, null, null, null, storeBytes());
            }
            all = new Player(this, store, nextNew, 0);
            if (warms) {
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
        for (long first = 0; first < entries; first += FILLED_AT_ONCE) {
            List<Map.Entry<byte[], byte[]>> list = new ArrayList<>();
            for (long number = first; number < Math.min(first + FILLED_AT_ONCE, entries); number++) {
                list.add(Map.entry(Entries.key(number), Entries.value(number)));
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
