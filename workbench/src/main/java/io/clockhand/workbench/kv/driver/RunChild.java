// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.kv.driver;

import com.sun.management.ThreadMXBean;
import io.clockhand.duel.SliceClock;
import io.clockhand.workbench.environment.Child;
import io.clockhand.workbench.environment.ProcessTime;
import io.clockhand.workbench.pages.driver.Timed.Percentiles;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.HdrHistogram.Histogram;

/**
 * The child JVM of one engine. It opens the store, reads all of it if it has room for that, and plays while the referee
 * of the duel permits it; then it closes the store. Or it fills a store.
 */
public final class RunChild {
    /** Operations between two looks at the clock, of which the first is timed: a look costs a tenth of a short get. */
    private static final int GETS_AT_ONCE = 16;

    private static final int GETS_FOR_EACH_PUT = 4;
    private static final int FILLED_AT_ONCE = 1_000;
    private static final int DIGITS = 2;
    private static final double NANOS_PER_MICRO = 1_000;

    private final RunOrder order;
    private final Entries entries;
    private final AtomicLong nextNew;
    private volatile boolean failed;

    private RunChild(RunOrder order) {
        this.order = order;
        entries = new Entries(order.valueBytes());
        nextNew = new AtomicLong(order.work() == Work.LOAD ? 0 : order.entries());
    }

    public static void main(String[] arguments) {
        Child.serve(arguments, RunOrder.class, order -> new RunChild(order).run());
    }

    /** What one thread has played. */
    private static final class Tally {
        private final Histogram nanos = new Histogram(DIGITS);
        private long operations;
        private long allocatedBytes;
        private long wrong;
        private String firstWrong;
        private long lastKey;

        private void check(boolean isRight, String otherwise, long number) {
            if (!isRight) {
                wrong++;
                firstWrong = otherwise + " entry " + number;
            }
        }
    }

    private RunAnswer run() throws Exception {
        Path folder = Path.of(order.folder());
        Tally all = new Tally();
        long processorNanos;
        try (KvStore store = KvStore.open(order.engine(), folder, order.cacheBytes(), order.forced())) {
            if (order.slices() == null) {
                fill(store);
                return new RunAnswer(null, null, null, bytes(folder), 0, null);
            }
            if (order.warms()) {
                Tally warming = new Tally();
                scan(store, new byte[0], Long.MAX_VALUE, warming);
                warming.check(warming.operations == order.entries(), "a scan of all ends behind", warming.operations);
                add(warming, all);
                all.operations = 0;
            }
            processorNanos = ProcessTime.nanos();
            for (Tally tally : play(store)) {
                add(tally, all);
            }
            processorNanos = ProcessTime.nanos() - processorNanos;
        }
        return new RunAnswer(
                percentiles(all.nanos),
                each(processorNanos / NANOS_PER_MICRO, all),
                each((double) all.allocatedBytes, all),
                bytes(folder),
                all.wrong,
                all.firstWrong);
    }

    private void fill(KvStore store) throws Exception {
        for (long first = 0; first < order.entries(); first += FILLED_AT_ONCE) {
            store.put(newEntries(first, (int) Math.min(FILLED_AT_ONCE, order.entries() - first)));
            Child.progress((double) first / order.entries(), "filled");
        }
    }

    private List<Map.Entry<byte[], byte[]>> newEntries(long first, int count) {
        List<Map.Entry<byte[], byte[]>> list = new ArrayList<>(count);
        for (long number = first; number < first + count; number++) {
            list.add(Map.entry(Entries.key(number), entries.value(number)));
        }
        return list;
    }

    private static void add(Tally tally, Tally all) {
        all.nanos.add(tally.nanos);
        all.operations += tally.operations;
        all.allocatedBytes += tally.allocatedBytes;
        all.wrong += tally.wrong;
        all.firstWrong = all.firstWrong == null ? tally.firstWrong : all.firstWrong;
    }

    private static Double each(double sum, Tally all) {
        return all.operations == 0 ? null : Double.valueOf(sum / all.operations);
    }

    private static Percentiles percentiles(Histogram nanos) {
        return nanos.getTotalCount() == 0
                ? null
                : new Percentiles(micros(nanos, 50), micros(nanos, 95), micros(nanos, 99));
    }

    private static double micros(Histogram nanos, double percentile) {
        return nanos.getValueAtPercentile(percentile) / NANOS_PER_MICRO;
    }

    private static long bytes(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            return files.filter(Files::isRegularFile).mapToLong(RunChild::size).sum();
        }
    }

    private static long size(Path file) {
        try {
            return Files.size(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private List<Tally> play(KvStore store) throws Exception {
        SliceClock clock = SliceClock.open(Path.of(order.slices()));
        ExecutorService threads = Executors.newFixedThreadPool(order.threads());
        List<Future<Tally>> ends = new ArrayList<>();
        for (int t = 0; t < order.threads(); t++) {
            SliceClock.Counter counter = clock.counter(t);
            SplittableRandom random = new SplittableRandom(order.seed() * 1_000 + t);
            ends.add(threads.submit(() -> play(store, clock, counter, random)));
        }
        clock.ready();
        List<Tally> tallies = new ArrayList<>();
        for (Future<Tally> end : ends) {
            tallies.add(end.get());
        }
        threads.shutdown();
        return tallies;
    }

    private Tally play(KvStore store, SliceClock clock, SliceClock.Counter counter, SplittableRandom random)
            throws Exception {
        Tally tally = new Tally();
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long allocatedBefore = threads.getCurrentThreadAllocatedBytes();
        try {
            while (!clock.isOver() && !failed) {
                long before = tally.operations;
                long slice = clock.slice();
                long begin = System.nanoTime();
                perform(store, order.work(), random, tally);
                long nanos = System.nanoTime() - begin;
                if (clock.counts(slice)) {
                    tally.nanos.recordValue(nanos);
                }
                if (order.work() == Work.GETS || order.work() == Work.MIXED) {
                    for (int i = 1; i < GETS_AT_ONCE; i++) {
                        perform(store, order.work(), random, tally);
                    }
                }
                counter.add(tally.operations - before);
            }
        } catch (Throwable failure) {
            failed = true;
            throw failure;
        }
        tally.allocatedBytes = threads.getCurrentThreadAllocatedBytes() - allocatedBefore;
        return tally;
    }

    private void perform(KvStore store, Work work, SplittableRandom random, Tally tally) throws Exception {
        switch (work) {
            case LOAD -> {
                store.put(newEntries(nextNew.getAndAdd(Work.LOADED_AT_ONCE), Work.LOADED_AT_ONCE));
                tally.operations += Work.LOADED_AT_ONCE;
            }
            case GETS -> {
                long number = random.nextLong(order.entries());
                byte[] key = Entries.key(number);
                tally.check(entries.isRight(key, store.get(key)), "a get gave a wrong value of", number);
                tally.operations++;
            }
            case MIXED ->
                perform(store, random.nextInt(GETS_FOR_EACH_PUT + 1) == 0 ? Work.UPDATES : Work.GETS, random, tally);
            case INSERTS -> put(store, nextNew.getAndIncrement(), tally);
            case SCANS -> scan(store, Entries.key(random.nextLong(order.entries())), order.scanned(), tally);
            case UPDATES -> put(store, random.nextLong(order.entries()), tally);
            default -> throw new IllegalArgumentException(work.toString());
        }
    }

    private void put(KvStore store, long number, Tally tally) throws Exception {
        store.put(Entries.key(number), entries.value(number));
        tally.operations++;
    }

    /** Checks each entry, and that keys ascend. */
    private void scan(KvStore store, byte[] from, long most, Tally tally) throws Exception {
        long end = most == Long.MAX_VALUE ? most : tally.operations + most;
        tally.lastKey = from.length == 0 ? 0 : Entries.number(from);
        store.scan(from, (key, keyAt, keyLength, value, valueAt, valueLength) -> {
            long number = Entries.number(key, keyAt);
            boolean ascends = Long.compareUnsigned(tally.lastKey, number) <= 0 && keyLength == Long.BYTES;
            boolean isRight = ascends && entries.isRight(number, value, valueAt, valueLength);
            tally.check(isRight, "a scan gave a wrong", tally.operations);
            tally.lastKey = number;
            return ++tally.operations < end;
        });
    }
}
