// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.page;

import static org.assertj.core.api.Assertions.assertThat;

import io.clockhand.io.ChecksummedPageStore;
import io.clockhand.io.DoubleWritePageStore;
import io.clockhand.io.PageCorruptException;
import io.clockhand.io.PageStore;
import io.clockhand.testkit.DiskFault;
import io.clockhand.testkit.SimulatedDisk;
import io.clockhand.wal.WriteAheadLog;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.UnaryOperator;

/**
 * The files and the log of {@link SoakRun} on a simulated disk, which go on from one pool to the next: how a file is
 * truncated, dropped and opened again, checkpoints, and redo. Which file has which number is remembered by the test.
 */
final class SoakEngine {
    /** Counts the events of all pools. */
    static final class Counts {
        final LongAdder steps = new LongAdder();
        final LongAdder failures = new LongAdder();
        final LongAdder refusals = new LongAdder();
        final LongAdder missing = new LongAdder();
        final LongAdder reads = new LongAdder();
        final LongAdder updates = new LongAdder();
        final LongAdder acknowledged = new LongAdder();
        final LongAdder created = new LongAdder();
        final LongAdder truncations = new LongAdder();
        final LongAdder resizes = new LongAdder();
        final LongAdder drops = new LongAdder();
        final LongAdder reopened = new LongAdder();
        final LongAdder checkpoints = new LongAdder();
        final LongAdder interrupts = new LongAdder();
        final LongAdder failedPools = new LongAdder();
        final LongAdder recoveries = new LongAdder();
        final LongAdder redone = new LongAdder();

        @Override
        public String toString() {
            return String.format(
                    "%,d steps: %,d reads, %,d updates (%,d acknowledged), %,d pages created, %,d truncations,"
                            + " %,d drops, %,d files reopened, %,d resizes, %,d checkpoints; %,d failed calls,"
                            + " %,d refused,"
                            + " %,d pages missing, %,d interrupts; %,d pools failed, %,d recoveries with %,d records",
                    steps.sum(),
                    reads.sum(),
                    updates.sum(),
                    acknowledged.sum(),
                    created.sum(),
                    truncations.sum(),
                    drops.sum(),
                    reopened.sum(),
                    resizes.sum(),
                    checkpoints.sum(),
                    failures.sum(),
                    refusals.sum(),
                    missing.sum(),
                    interrupts.sum(),
                    failedPools.sum(),
                    recoveries.sum(),
                    redone.sum());
        }
    }

    final SimulatedDisk disk;
    final Counts counts = new Counts();
    final AtomicReferenceArray<SoakFile> files = new AtomicReferenceArray<>(SoakRun.FILES);
    SoakLog log;

    private final boolean journaled;
    private final boolean unruly;
    private final UnaryOperator<PageStore> planted;
    private int salts;
    private long era;

    /**
     * @param journaled whether all files have journals, since the machine crashes; else one has
     * @param unruly whether pages are written before the log
     * @param planted wraps the store of a file, perhaps with a fault
     */
    SoakEngine(SimulatedDisk disk, boolean journaled, boolean unruly, UnaryOperator<PageStore> planted)
            throws IOException {
        this.disk = disk;
        this.journaled = journaled;
        this.unruly = unruly;
        this.planted = planted;
        for (int number = 0; number < SoakRun.FILES; number++) {
            files.set(number, new SoakFile(number, ++salts));
        }
        log = new SoakLog(disk, ++era);
        log.allocate();
    }

    WriteAheadLog logOfPool() {
        return unruly ? log.unruly() : log;
    }

    // --- stores ------------------------------------------------------------------------------------------------------

    private PageStore store(int number) throws IOException {
        PageStore pages = planted.apply(disk.pages("pages-" + number, SoakFile.PAGE_BYTES));
        if (journaled || number == 2) {
            PageStore journal = disk.pages("journal-" + number, SoakFile.PAGE_BYTES);
            boolean opened = false;
            try {
                pages = DoubleWritePageStore.open(pages, journal, 32);
                opened = true;
            } finally {
                if (!opened) {
                    pages.close();
                    journal.close();
                }
            }
        }
        return new ChecksummedPageStore(pages, number, 0);
    }

    void open(BufferPool pool, SoakFile file) throws IOException {
        PageStore store = store(file.number);
        boolean opened = false;
        try {
            file.file = pool.open(file.number, store);
            opened = true;
        } finally {
            if (!opened) {
                store.close();
            }
        }
    }

    // --- truncation and removal --------------------------------------------------------------------------------------

    /** Logs a truncation: from now on no update of these pages begins, and redo does not begin behind it. */
    void beginTruncation(SoakFile file, long keep) {
        file.gate.writeLock().lock();
        try {
            file.limit = keep;
            file.truncation = log.append(SoakLog.Kind.TRUNCATION, file.salt, keep);
            for (long page = keep; page < SoakFile.MODEL_PAGES; page++) {
                file.truncatedBefore.set((int) page, file.truncated.get((int) page));
                file.truncated.set((int) page, file.truncation);
            }
        } finally {
            file.gate.writeLock().unlock();
        }
    }

    void completeTruncation(SoakFile file) throws IOException {
        log.makeDurable(file.truncation);
        file.file.truncate(file.limit);
        for (long page = file.limit; page < SoakFile.MODEL_PAGES; page++) {
            file.gone.set((int) page, file.truncation);
        }
        log.complete(file.truncation);
        file.limit = Long.MAX_VALUE;
    }

    /** Drops a file, and opens the next one under its number; if that fails the next call goes on. */
    void drop(BufferPool pool, SoakFile file) throws IOException {
        file.gate.writeLock().lock();
        try {
            file.dropping = true;
        } finally {
            file.gate.writeLock().unlock();
        }
        if (!file.dropped) {
            file.file.drop();
            file.dropped = true;
            log.complete(file.truncation);
            counts.drops.increment();
        }
        SoakFile next = new SoakFile(file.number, ++salts);
        open(pool, next);
        files.set(file.number, next);
    }

    /** Closes a file and opens it again; if that fails the next call goes on. */
    void reopen(BufferPool pool, SoakFile file) throws IOException {
        if (file.turn.get() % 2 == 0) {
            file.turn.incrementAndGet();
        }
        file.file.close();
        open(pool, file);
        file.turn.incrementAndGet();
        counts.reopened.increment();
    }

    // --- checkpoints and recovery ------------------------------------------------------------------------------------

    void checkpoint(BufferPool pool, boolean advances) throws IOException {
        long safe = log.safeEnd(); // first: a truncation that ends from now on may be forced or not
        long redo = advances ? pool.checkpoint(log.end()) : pool.checkpoint();
        log.store(Math.min(safe, redo));
        counts.checkpoints.increment();
    }

    /** Starts anew on what is on the disk, before the pool is there; {@return what is to be redone} */
    List<SoakLog.Entry> recoverLog() throws IOException {
        log = new SoakLog(disk, ++era);
        List<SoakLog.Entry> entries = log.recover();
        for (int number = 0; number < SoakRun.FILES; number++) {
            SoakFile file = files.get(number);
            if (file.dropping) {
                store(number).delete();
                files.set(number, new SoakFile(number, ++salts));
            } else {
                zeroUnwritten(number);
            }
        }
        counts.recoveries.increment();
        return entries;
    }

    /** Writes zeros to pages that were created before the crash, and never written. */
    private void zeroUnwritten(int number) throws IOException {
        try (PageStore store = store(number)) {
            ByteBuffer bytes = ByteBuffer.allocate(SoakFile.PAGE_BYTES);
            for (long page = 0, pages = store.pages(); page < pages; page++) {
                try {
                    store.read(page, bytes.clear());
                } catch (PageCorruptException e) {
                    assertThat(e.isZero()).as("%s", e).isTrue();
                    store.write(page, ByteBuffer.allocate(SoakFile.PAGE_BYTES));
                }
            }
            store.force();
        }
    }

    void redo(BufferPool pool, List<SoakLog.Entry> entries) throws IOException {
        for (SoakLog.Entry entry : entries) {
            for (int number = 0; number < SoakRun.FILES; number++) {
                if (files.get(number).salt == entry.salt()) {
                    redo(pool, files.get(number), entry);
                    counts.redone.increment();
                }
            }
        }
        for (int number = 0; number < SoakRun.FILES; number++) {
            SoakFile file = files.get(number);
            file.adopt(pool, log.end());
        }
        checkpoint(pool, true);
    }

    private static void redo(BufferPool pool, SoakFile file, SoakLog.Entry entry) throws IOException {
        if (entry.kind() == SoakLog.Kind.TRUNCATION) {
            file.file.truncate(Math.min(entry.page(), file.file.pages()));
            return;
        }
        while (file.file.pages() <= entry.page()) {
            file.file.create().close();
        }
        try (WritablePage page = pool.fixExclusive(file.id(entry.page()))) {
            page.beginRedo(entry.lsn());
            if (page.getLong(SoakFile.LSN) < entry.lsn()) {
                SoakFile.put(page, entry.salt(), entry.page(), entry.lsn());
            }
            page.endUpdate(entry.lsn());
        }
    }

    /** Completes what was begun, when no call fails any more, and checks all pages. */
    void finish(BufferPool pool) throws IOException {
        for (int number = 0; number < SoakRun.FILES; number++) {
            SoakFile file = files.get(number);
            if (file.dropping) {
                drop(pool, file);
            } else {
                if (file.turn.get() % 2 == 1) {
                    reopen(pool, file);
                }
                if (file.limit < Long.MAX_VALUE) {
                    completeTruncation(file);
                }
            }
            files.get(number).checkAll(pool);
        }
    }

    String faults() {
        StringBuilder text = new StringBuilder("faults:");
        for (DiskFault fault : DiskFault.values()) {
            if (disk.faults().count(fault) > 0) {
                text.append(String.format(" %s %,d", fault, disk.faults().count(fault)));
            }
        }
        return text.toString();
    }
}
