// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.kv.driver;

import com.sun.management.ThreadMXBean;
import io.clockhand.duel.SliceClock;
import io.clockhand.workbench.experiment.Timed.Percentiles;
import io.clockhand.workbench.kv.driver.RunOrder.Work;
import io.clockhand.workbench.pages.driver.WorkThreads;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.HdrHistogram.Histogram;

/** Plays work on a store in one thread, and checks all that it reads. */
final class Player implements WorkThreads.Worker {
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    /** Operations between two looks at the clock, of which the first is timed: a look costs a tenth of a short get. */
    private static final int GETS_AT_ONCE = 16;

    private static final int ENTRIES_OF_A_SCAN = 1_000;

    private final RunOrder order;
    private final KvStore store;
    private final AtomicLong nextNew;
    private final SplittableRandom random;
    private final Histogram nanos = new Histogram(2);
    private final long allocatedBefore = THREADS.getCurrentThreadAllocatedBytes();
    private long allocatedBytes;
    private long operations;
    private String firstWrong;
    private long lastKey;

    /**
     * Makes one in its thread.
     *
     * @param nextNew the number of the next entry that is inserted, for all threads
     */
    Player(RunOrder order, KvStore store, AtomicLong nextNew, int thread) {
        this.order = order;
        this.store = store;
        this.nextNew = nextNew;
        random = new SplittableRandom(order.seed() * 1_000 + thread);
    }

    /** Reads the whole store, which counts as no operation. */
    void readAll() throws Exception {
        scan(new byte[0], Long.MAX_VALUE);
        check(operations == order.setting().entries(), "a scan of all ends behind", operations);
        operations = 0;
    }

    @Override
    public int work(boolean measuring, SliceClock clock) throws IOException, InterruptedException {
        while (clock != null && clock.slice() == 0 && !clock.isOver()) {
            TimeUnit.MILLISECONDS.sleep(1); // the others are not ready yet
        }
        long before = operations;
        long slice = clock == null ? 0 : clock.slice();
        long begin = System.nanoTime();
        perform(order.setting().work());
        long elapsed = System.nanoTime() - begin;
        if (clock == null ? measuring : clock.counts(slice)) {
            nanos.recordValue(elapsed);
        }
        if (order.setting().work() == Work.GETS || order.setting().work() == Work.MIXED) {
            for (int i = 1; i < GETS_AT_ONCE; i++) {
                perform(order.setting().work());
            }
        }
        return (int) (operations - before);
    }

    private void perform(Work work) throws IOException {
        switch (work) {
            case GETS -> {
                long number = random.nextLong(order.setting().entries());
                byte[] key = Entries.key(number);
                check(Entries.isRight(key, store.get(key)), "a get gave a wrong value of", number);
                operations++;
            }
            case MIXED -> perform(random.nextInt(5) == 0 ? Work.UPDATES : Work.GETS);
            case INSERTS -> put(nextNew.getAndIncrement(), 0);
            case SCANS -> scan(Entries.key(random.nextLong(order.setting().entries())), ENTRIES_OF_A_SCAN);
            case UPDATES -> put(random.nextLong(order.setting().entries()), random.nextLong());
            default -> throw new IllegalArgumentException(work.toString());
        }
    }

    private void put(long number, long version) throws IOException {
        store.put(Entries.key(number), Entries.value(number, version));
        operations++;
    }

    /** Checks each entry, and that keys ascend. */
    private void scan(byte[] from, long most) throws IOException {
        long end = most == Long.MAX_VALUE ? most : operations + most;
        lastKey = from.length == 0 ? 0 : Entries.number(from, 0);
        store.scan(from, (key, keyAt, keyLength, value, valueAt, valueLength) -> {
            long number = Entries.number(key, keyAt);
            boolean ascends = Long.compareUnsigned(lastKey, number) <= 0 && keyLength == Long.BYTES;
            check(ascends && Entries.isRight(number, value, valueAt, valueLength), "a scan gave a wrong", operations);
            lastKey = number;
            return ++operations < end;
        });
    }

    private void check(boolean isRight, String otherwise, long number) {
        if (!isRight && firstWrong == null) {
            firstWrong = otherwise + " entry " + number;
        }
    }

    @Override
    public void close() {
        allocatedBytes = THREADS.getCurrentThreadAllocatedBytes() - allocatedBefore;
    }

    /** Adds what another one has played and found. */
    void add(Player other) {
        nanos.add(other.nanos);
        operations += other.operations;
        allocatedBytes += other.allocatedBytes;
        firstWrong = firstWrong == null ? other.firstWrong : firstWrong;
    }

    String firstWrong() {
        return firstWrong;
    }

    long allocatedBytes() {
        return allocatedBytes;
    }

    /** The part of a sum for each operation; null if there were none. */
    Double each(double sum) {
        return operations == 0 ? null : Double.valueOf(sum / operations);
    }

    Percentiles latencyMicros() {
        return Percentiles.of(nanos);
    }
}
