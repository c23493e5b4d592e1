// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.page;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.clockhand.PoolFailedException;
import io.clockhand.io.ChecksummedPageStore;
import io.clockhand.io.DoubleWritePageStore;
import io.clockhand.io.PageStore;
import io.clockhand.testkit.DiskCrashedException;
import io.clockhand.testkit.DiskFault;
import io.clockhand.testkit.FaultRule;
import io.clockhand.testkit.SeededDisks;
import io.clockhand.testkit.SimulatedDisk;
import io.clockhand.testkit.SimulatedFile;
import io.clockhand.wal.WriteAheadLog;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.AtomicReference;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A small engine whose pages are counters, with a log and a master record, on a disk whose power fails in the middle of
 * a call, a different one for each seed. Writes that were not forced are lost, reordered or torn. After redo from the
 * position of the last checkpoint, each page has exactly the changes of the records that survived, and those are all
 * that were acknowledged. {@code -Dclockhand.crash.seeds=1000} has more crashes.
 */
class CrashRecoveryTest {
    private static final int SEEDS = Integer.getInteger("clockhand.crash.seeds", 100);
    /** A rule that is broken in recovery shows only after a second crash, about once in two hundred seeds. */
    private static final int SEEDS_TO_FIND = 3_000;

    private static final int PAGE_BYTES = 1024;
    private static final int PAGES = 12;
    private static final int FRAMES = 6;
    private static final int THREADS = 3;
    private static final int COUNTERS = 16;
    private static final int LSN = 8;
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    /** The rules that an engine or a pool could break. */
    enum Broken {
        NOTHING,
        /** Pages are written before the log is durable. */
        LOG_RULE,
        /** A checkpoint forces nothing. */
        FORCE,
        /** The position of the checkpoint is one record too high. */
        REDO,
        /** An update that repeats a record begins at the end of the log. */
        REDO_POSITION
    }

    // --- the engine's log and master record ----------------------------------------------------------------------

    private static final class Log implements WriteAheadLog {
        static final int RECORD = 32;
        private final SimulatedFile file;
        private final List<ByteBuffer> pending = new ArrayList<>();
        private long end = RECORD; // an LSN is the place of a record, and not 0
        private long written = RECORD;
        private long durable = RECORD;

        Log(SimulatedFile file) {
            this.file = file;
        }

        synchronized long append(long page, long value) {
            long lsn = end;
            ByteBuffer record = ByteBuffer.allocate(RECORD);
            record.putLong(lsn).putLong(page).putLong(value);
            record.putLong(checksum(record)).flip();
            pending.add(record);
            end += RECORD;
            return lsn;
        }

        private static long checksum(ByteBuffer record) {
            CRC32C crc = new CRC32C();
            crc.update(record.duplicate().position(0).limit(RECORD - Long.BYTES));
            return crc.getValue() + 1;
        }

        @Override
        public synchronized long end() {
            return end;
        }

        @Override
        public synchronized void makeDurable(long lsn) throws IOException {
            if (lsn < durable) {
                return;
            }
            for (ByteBuffer record : pending) {
                for (long at = written; record.hasRemaining(); ) {
                    at += file.write(at, record);
                }
                written += RECORD;
            }
            pending.clear();
            file.force();
            durable = written;
        }

        /**
         * Reads the records that have survived, and truncates the file behind them; {@return LSN, page and value of
         * each}
         */
        synchronized List<long[]> recover() throws IOException {
            List<long[]> records = new ArrayList<>();
            ByteBuffer record = ByteBuffer.allocate(RECORD);
            while (read(end, record) && record.getLong(0) == end && checksum(record) == record.getLong(24)) {
                records.add(new long[] {end, record.getLong(8), record.getLong(16)});
                end += RECORD;
            }
            written = end;
            durable = end;
            file.truncate(Math.min(file.size(), end));
            file.force();
            return records;
        }

        private boolean read(long at, ByteBuffer record) throws IOException {
            record.clear();
            for (int got; record.hasRemaining(); at += got) {
                got = file.read(at, record);
                if (got <= 0) {
                    return false;
                }
            }
            return true;
        }
    }

    /** Two slots in turn, so that one is whole. */
    private static final class Master {
        private static final long SLOT = 512;
        private final SimulatedFile file;
        private long sequence;

        Master(SimulatedFile file) {
            this.file = file;
        }

        synchronized void store(long redo) throws IOException {
            sequence++;
            ByteBuffer slot = ByteBuffer.allocate(32);
            slot.putLong(sequence).putLong(redo).putLong(0);
            slot.putLong(Log.checksum(slot)).flip();
            for (long at = SLOT * (sequence % 2); slot.hasRemaining(); ) {
                at += file.write(at, slot);
            }
            file.force();
        }

        synchronized long recover() throws IOException {
            long redo = Log.RECORD;
            for (int which = 0; which < 2; which++) {
                ByteBuffer slot = ByteBuffer.allocate(32);
                file.read(which * SLOT, slot);
                if (!slot.hasRemaining() && Log.checksum(slot) == slot.getLong(24) && slot.getLong(0) > sequence) {
                    sequence = slot.getLong(0);
                    redo = slot.getLong(8);
                }
            }
            return redo;
        }
    }

    // --- the engine ----------------------------------------------------------------------------------------------

    private static final class Engine {
        final SimulatedDisk disk;
        final Broken broken;
        final AtomicLongArray acknowledged;
        final AtomicReference<Throwable> wrong = new AtomicReference<>();
        final Log log;
        final Master master;
        final BufferPool pool;
        final PagedFile file;

        Engine(SimulatedDisk disk, Broken broken, AtomicLongArray acknowledged) throws IOException {
            this.disk = disk;
            this.broken = broken;
            this.acknowledged = acknowledged;
            this.log = new Log(disk.file("log"));
            this.master = new Master(disk.file("master"));
            this.pool = BufferPool.builder()
                    .pageBytes(PAGE_BYTES)
                    .frames(FRAMES)
                    .log(broken == Broken.LOG_RULE ? new Unruly(log) : log)
                    .lsnOffset(LSN)
                    .exhaustedAfter(PATIENCE)
                    .waitTimeout(PATIENCE)
                    .tuning(t -> t.flushThreads((int) (disk.seed() % 3)).flushInterval(Duration.ofMillis(2)))
                    .build();
            PageStore pages = unforced(disk.pages("pages", PAGE_BYTES));
            PageStore journal = unforced(disk.pages("journal", PAGE_BYTES));
            this.file = pool.open(7, new ChecksummedPageStore(DoubleWritePageStore.open(pages, journal, 20), 7, 0));
        }

        /** A log that says that it is durable, but is not. */
        private record Unruly(Log log) implements WriteAheadLog {
            @Override
            public long end() {
                return log.end();
            }

            @Override
            public void makeDurable(long lsn) {
                // nothing
            }
        }

        private PageStore unforced(PageStore store) {
            return broken != Broken.FORCE
                    ? store
                    : (PageStore) Proxy.newProxyInstance(
                            PageStore.class.getClassLoader(),
                            new Class<?>[] {PageStore.class},
                            (proxy, method, arguments) -> {
                                if (method.getName().equals("force")) {
                                    return null;
                                }
                                try {
                                    return method.invoke(store, arguments);
                                } catch (InvocationTargetException e) {
                                    throw e.getCause();
                                }
                            });
        }

        void create() throws IOException {
            for (int page = 0; page < PAGES; page++) {
                file.create().close();
            }
            file.flush();
            file.force();
        }

        void work(int number) {
            SplittableRandom random = new SplittableRandom(31 * disk.seed() + number);
            try {
                while (wrong.get() == null) {
                    if (number == 0 && random.nextInt(10) == 0) {
                        checkpoint(random.nextBoolean());
                    }
                    long page = random.nextInt(PAGES);
                    long[] record = increment(page);
                    if (random.nextInt(4) == 0) {
                        log.makeDurable(record[0]);
                        acknowledged.accumulateAndGet((int) page, record[1], Math::max);
                    }
                }
            } catch (DiskCrashedException | PoolFailedException end) {
                // the power is gone
            } catch (Throwable failure) {
                if (!isCausedByTheCrash(failure)) {
                    wrong.compareAndSet(null, failure);
                }
            }
        }

        private static boolean isCausedByTheCrash(Throwable failure) {
            for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
                if (cause instanceof DiskCrashedException) {
                    return true;
                }
            }
            return false;
        }

        private long[] increment(long page) throws IOException {
            try (WritablePage changed = pool.fixExclusive(file.id(page))) {
                changed.beginUpdate();
                long value = changed.getLong(COUNTERS) + 1;
                long lsn = log.append(page, value);
                put(changed, value);
                changed.endUpdate(lsn);
                return new long[] {lsn, value};
            }
        }

        private static void put(WritablePage page, long value) {
            for (int at = COUNTERS; at < PAGE_BYTES; at += Long.BYTES) {
                page.putLong(at, value);
            }
        }

        private void checkpoint(boolean advances) throws IOException {
            long redo = advances ? pool.checkpoint(log.end()) : pool.checkpoint();
            master.store(broken == Broken.REDO ? redo + Log.RECORD : redo);
        }

        /** Redo, then the check. */
        void recover() throws IOException {
            List<long[]> records = log.recover();
            long from = master.recover();
            long[] expected = new long[PAGES];
            for (long[] record : records) {
                expected[(int) record[1]] = record[2];
                if (record[0] >= from) {
                    redo(record);
                }
            }
            for (int page = 0; page < PAGES; page++) {
                assertThat(expected[page])
                        .as("increments of page %d in the log", page)
                        .isGreaterThanOrEqualTo(acknowledged.get(page));
                try (PageGuard guard = pool.fix(file.id(page))) {
                    for (int at = COUNTERS; at < PAGE_BYTES; at += Long.BYTES) {
                        assertThat(guard.getLong(at))
                                .as("page %d at %d", page, at)
                                .isEqualTo(expected[page]);
                    }
                }
            }
        }

        private void redo(long[] record) throws IOException {
            try (WritablePage page = pool.fixExclusive(file.id(record[1]))) {
                if (broken == Broken.REDO_POSITION) {
                    page.beginUpdate();
                } else {
                    page.beginRedo(record[0]);
                }
                if (page.getLong(LSN) < record[0]) {
                    put(page, record[2]);
                }
                page.endUpdate(record[0]);
            }
        }

        void stop() {
            try {
                pool.closeWithoutWriting();
            } catch (IOException e) {
                // the disk is gone
            }
        }
    }

    private static void crashAndRecover(SimulatedDisk disk, Broken broken) throws Exception {
        AtomicLongArray acknowledged = new AtomicLongArray(PAGES);
        Engine first = new Engine(disk, broken, acknowledged);
        first.create();
        for (int crash = 0; crash < 2; crash++) {
            Engine engine = crash == 0 ? first : recovered(disk, broken, acknowledged);
            disk.faults()
                    .add(FaultRule.of(DiskFault.POWER_LOSS)
                            .skip(Math.floorMod(7 * disk.seed() + 31L * crash, 150))
                            .times(1));
            run(engine);
            engine.stop();
            if (crash == 0 && disk.seed() % 4 == 3) {
                disk.kill(); // the process ended, and what it has not forced is in the system's cache
            } else {
                disk.crash();
            }
            disk.faults().clear();
        }
        recovered(disk, Broken.NOTHING, acknowledged).stop();
    }

    private static Engine recovered(SimulatedDisk disk, Broken broken, AtomicLongArray acknowledged)
            throws IOException {
        Engine engine = new Engine(disk, broken, acknowledged);
        boolean right = false;
        try {
            engine.recover();
            right = true;
        } finally {
            if (!right) {
                engine.stop();
            }
        }
        return engine;
    }

    private static void run(Engine engine) throws InterruptedException {
        List<Thread> threads = new ArrayList<>();
        for (int number = 0; number < THREADS; number++) {
            int which = number;
            threads.add(new Thread(() -> engine.work(which), "client-" + number));
        }
        threads.forEach(Thread::start);
        for (Thread thread : threads) {
            thread.join(PATIENCE.toMillis());
            assertThat(thread.isAlive()).as("%s hangs", thread.getName()).isFalse();
        }
        assertThat(engine.wrong.get()).isNull();
    }

    @Test
    void acknowledgedChangesSurviveAndNoOther() {
        SeededDisks.run(SEEDS, disk -> crashAndRecover(disk, Broken.NOTHING));
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "NOTHING")
    void brokenRuleIsFound(Broken rule) {
        assertThatThrownBy(() -> SeededDisks.run(SEEDS_TO_FIND, disk -> crashAndRecover(disk, rule)))
                .isInstanceOf(AssertionError.class);
    }
}
