// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.kv.driver;

import com.sun.management.ThreadMXBean;
import io.clockhand.duel.SliceClock;
import io.clockhand.workbench.environment.ProcessorTimes.ProcessTime;
import io.clockhand.workbench.experiment.Timed.Percentiles;
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
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.DoubleConsumer;
import java.util.stream.Stream;
import org.HdrHistogram.Histogram;

/**
 * Plays work on a store: opens it, reads all of it if it has room for that, plays, and closes it. Or fills a store.
 * Progress is told while the store is filled only.
 */
final class Play {
    /** Operations between two looks at the clock, of which the first is timed: a look costs a tenth of a short get. */
    private static final int GETS_AT_ONCE = 16;

    private static final int GETS_FOR_EACH_PUT = 4;
    private static final int FILLED_AT_ONCE = 1_000;
    private static final int DIGITS = 2;
    private static final double NANOS_PER_MICRO = 1_000;
    private static final double NANOS_PER_SECOND = 1e9;

    private final RunOrder order;
    private final DoubleConsumer progress;
    private final Entries entries;
    private final AtomicLong nextNew;
    private final LongAdder done = new LongAdder();
    private volatile boolean isOver;
    /** Without a referee: whether the warm-up is over. */
    private volatile boolean measures;

    private long measured;
    private Double perSecond;

    Play(RunOrder order, DoubleConsumer progress) {
        this.order = order;
        this.progress = progress;
        entries = new Entries(order.valueBytes());
        nextNew = new AtomicLong(order.work() == Work.LOAD ? 0 : order.entries());
    }

    /** What one thread has played. */
    private static final class Tally {
        private final Histogram nanos = new Histogram(DIGITS);
        private long operations;
        private long allocatedBytes;
        private String firstWrong;
        private long lastKey;

        private void check(boolean isRight, String otherwise, long number) {
            if (!isRight) {
                firstWrong = firstWrong == null ? otherwise + " entry " + number : firstWrong;
            }
        }
    }

    RunAnswer run() throws Exception {
        Path folder = Path.of(order.folder());
        Tally all = new Tally();
        long processorNanos;
        try (KvStore store =
                KvStore.open(order.engine(), folder, order.cacheBytes(), order.durability() == Durability.FORCED)) {
            if (order.timing() == null) {
                fill(store);
                return new RunAnswer(null, order.entries(), null, null, null, null, bytes(folder));
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
                all.firstWrong,
                measured,
                perSecond,
                percentiles(all.nanos),
                each(processorNanos / NANOS_PER_MICRO, all),
                each((double) all.allocatedBytes, all),
                bytes(folder));
    }

    private void fill(KvStore store) throws Exception {
        for (long first = 0; first < order.entries(); first += FILLED_AT_ONCE) {
            store.put(newEntries(first, (int) Math.min(FILLED_AT_ONCE, order.entries() - first)));
            progress.accept((double) first / order.entries());
        }
        store.settle();
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
            return files.filter(Files::isRegularFile).mapToLong(Play::size).sum();
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
        String slices = order.timing().slices();
        SliceClock clock = slices == null ? null : SliceClock.open(Path.of(slices));
        ExecutorService threads = Executors.newFixedThreadPool(order.threads());
        List<Future<Tally>> ends = new ArrayList<>();
        for (int t = 0; t < order.threads(); t++) {
            SliceClock.Counter counter = clock == null ? null : clock.counter(t);
            SplittableRandom random = new SplittableRandom(order.seed() * 1_000 + t);
            ends.add(threads.submit(() -> play(store, clock, counter, random)));
        }
        if (clock == null) {
            measure();
        } else {
            clock.ready();
        }
        List<Tally> tallies = new ArrayList<>();
        for (Future<Tally> end : ends) {
            tallies.add(end.get());
        }
        threads.shutdown();
        return tallies;
    }

    /** Without a referee: counts what is done in the seconds after the warm-up. */
    private void measure() throws InterruptedException {
        TimeUnit.SECONDS.sleep(order.timing().warmupSeconds());
        measures = true;
        long before = done.sum();
        long begin = System.nanoTime();
        TimeUnit.SECONDS.sleep(order.timing().seconds());
        measured = done.sum() - before;
        perSecond = measured * NANOS_PER_SECOND / (System.nanoTime() - begin);
        measures = false;
        isOver = true;
    }

    private Tally play(KvStore store, SliceClock clock, SliceClock.Counter counter, SplittableRandom random)
            throws Exception {
        Tally tally = new Tally();
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long allocatedBefore = threads.getCurrentThreadAllocatedBytes();
        try {
            while (clock != null && clock.slice() == 0 && !clock.isOver()) {
                TimeUnit.MILLISECONDS.sleep(1); // the others are not ready yet
            }
            while (!isOver && (clock == null || !clock.isOver())) {
                long before = tally.operations;
                long slice = clock == null ? 0 : clock.slice();
                long begin = System.nanoTime();
                perform(store, order.work(), random, tally);
                long nanos = System.nanoTime() - begin;
                if (clock == null ? measures : clock.counts(slice)) {
                    tally.nanos.recordValue(nanos);
                }
                if (order.work() == Work.GETS || order.work() == Work.MIXED) {
                    for (int i = 1; i < GETS_AT_ONCE; i++) {
                        perform(store, order.work(), random, tally);
                    }
                }
                if (counter == null) {
                    done.add(tally.operations - before);
                } else {
                    counter.add(tally.operations - before);
                }
            }
        } catch (Throwable failure) {
            isOver = true;
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
            case INSERTS -> put(store, nextNew.getAndIncrement(), 0, tally);
            case SCANS -> scan(store, Entries.key(random.nextLong(order.entries())), order.scanned(), tally);
            case UPDATES -> put(store, random.nextLong(order.entries()), random.nextLong(), tally);
            default -> throw new IllegalArgumentException(work.toString());
        }
    }

    private void put(KvStore store, long number, long version, Tally tally) throws Exception {
        store.put(Entries.key(number), entries.value(number, version));
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
