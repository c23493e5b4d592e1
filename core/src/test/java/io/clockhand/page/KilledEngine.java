// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.page;

import io.clockhand.PageId;
import io.clockhand.io.ChecksummedPageStore;
import io.clockhand.io.DoubleWritePageStore;
import io.clockhand.io.FileOption;
import io.clockhand.io.FilePageStore;
import io.clockhand.io.PageCorruptException;
import io.clockhand.io.PageStore;
import io.clockhand.testing.Pools;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;

/**
 * A small engine on real files: pages of rows, a log, and a master record. As a program it appends pages, updates rows
 * and makes checkpoints until it is killed, and writes each update that is durable to its standard output: three
 * numbers, of the page, the row and the record. {@link KilledProcessTest} opens the files then.
 */
final class KilledEngine implements AutoCloseable {
    static final int ROWS = 8;
    private static final int PAGE_BYTES = 1024;
    private static final int LSN = 8;
    private static final int FIRST_ROW = 64;
    private static final int ROW_BYTES = 96;
    private static final int MOST_PAGES = 400;
    private static final int THREADS = 4;
    private static final int FILE = 3;
    private static final Duration LONGEST_LIFE = Duration.ofMinutes(5);

    /** The rules that an engine could break, as far as the end of a process alone can show it. */
    enum Broken {
        NOTHING,
        /** An update is acknowledged while its record is in a buffer of the process. */
        EARLY_ACKNOWLEDGEMENT,
        /** Pages are written while their records are in a buffer of the process. */
        LOG_RULE,
        /** Redo begins behind the position that the checkpoint has returned. */
        REDO
    }

    private final Path folder;
    private final Broken broken;
    private final KilledLog log;
    private final BufferPool pool;
    private final PagedFile file;

    KilledEngine(Path folder, Broken broken) throws IOException {
        this.folder = folder;
        this.broken = broken;
        this.log = new KilledLog(folder.resolve("log"), broken == Broken.LOG_RULE);
        this.pool = Pools.builder()
                .pageBytes(PAGE_BYTES)
                .frames(64)
                .log(log)
                .lsnOffset(LSN)
                .tuning(t -> t.flushInterval(Duration.ofMillis(10)))
                .build();
        this.file = pool.open(FILE, pages());
    }

    private PageStore pages() throws IOException {
        PageStore twice = DoubleWritePageStore.open(store("pages"), store("journal"), 256);
        PageStore pages = new ChecksummedPageStore(twice, FILE, 0);
        ByteBuffer bytes = ByteBuffer.allocate(PAGE_BYTES);
        for (long page = 0; page < pages.pages(); page++) {
            try {
                pages.read(page, bytes.clear());
            } catch (PageCorruptException e) { // created behind it was another one
                if (!e.isZero()) {
                    throw e;
                }
                pages.write(page, ByteBuffer.allocate(PAGE_BYTES));
            }
        }
        return pages;
    }

    /** A process that was killed may have left a part of a page at the end. */
    private PageStore store(String name) throws IOException {
        Path path = folder.resolve(name);
        try (FileChannel channel = FileChannel.open(path, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
            channel.truncate(channel.size() - channel.size() % PAGE_BYTES);
        }
        return FilePageStore.open(path, PAGE_BYTES, FileOption.CREATE);
    }

    // --- recovery ----------------------------------------------------------------------------------------------------

    /** Redo; {@return all records that have survived} */
    List<KilledLog.Entry> recover() throws IOException {
        Path master = folder.resolve("master");
        long from = Files.exists(master)
                ? ByteBuffer.wrap(Files.readAllBytes(master)).getLong()
                : 0;
        List<KilledLog.Entry> entries = log.recover();
        for (KilledLog.Entry entry : entries) {
            if (entry.lsn() >= from) {
                redo(entry);
            }
        }
        checkpoint(true);
        return entries;
    }

    private void redo(KilledLog.Entry entry) throws IOException {
        while (file.pages() <= entry.page()) {
            file.create().close();
        }
        try (WritablePage page = pool.fixExclusive(file.id(entry.page()))) {
            page.beginRedo(entry.lsn());
            if (page.getLong(LSN) < entry.lsn()) {
                put(page, entry.row(), entry.lsn());
            }
            page.endUpdate(entry.lsn());
        }
    }

    private static void put(WritablePage page, int row, long lsn) {
        for (int at = 0; at < ROW_BYTES; at += Long.BYTES) {
            page.putLong(FIRST_ROW + row * ROW_BYTES + at, lsn);
        }
    }

    long pageCount() {
        return file.pages();
    }

    /** {@return the record whose value a row has, or −1 if it is not whole} */
    long row(long page, int row) throws IOException {
        try (PageGuard guard = pool.fix(file.id(page))) {
            int start = FIRST_ROW + row * ROW_BYTES;
            long lsn = guard.getLong(start);
            for (int at = 0; at < ROW_BYTES; at += Long.BYTES) {
                if (guard.getLong(start + at) != lsn) {
                    return -1;
                }
            }
            return lsn;
        }
    }

    void checkIntegrity() {
        pool.checkIntegrity();
    }

    @Override
    public void close() throws IOException {
        pool.close();
        log.close();
    }

    void closeWithoutWriting() throws IOException {
        pool.closeWithoutWriting();
        log.close();
    }

    // --- work --------------------------------------------------------------------------------------------------------

    private void checkpoint(boolean advances) throws IOException {
        long redo = advances ? pool.checkpoint(log.end()) : pool.checkpoint();
        long stored = broken == Broken.REDO ? log.end() : redo;
        Path next = folder.resolve("master.next");
        try (FileChannel channel = FileChannel.open(next, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
            channel.write(ByteBuffer.allocate(Long.BYTES).putLong(0, stored), 0);
            channel.force(true);
        }
        Files.move(next, folder.resolve("master"), StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }

    private void work(int number, SplittableRandom random, FileOutputStream output) throws IOException {
        while (true) {
            if (number == 0 && random.nextInt(40) == 0) {
                checkpoint(random.nextBoolean());
            }
            int row = random.nextInt(ROWS);
            long page;
            long lsn;
            try (WritablePage changed = any(random)) {
                page = PageId.page(changed.id());
                changed.beginUpdate();
                lsn = log.append(page, row);
                put(changed, row, lsn);
                changed.endUpdate(lsn);
            }
            if (random.nextInt(8) == 0) {
                if (broken != Broken.EARLY_ACKNOWLEDGEMENT) {
                    log.commit(lsn);
                }
                ByteBuffer acknowledged = ByteBuffer.allocate(3 * Long.BYTES);
                output.write(
                        acknowledged.putLong(page).putLong(row).putLong(lsn).array()); // one call: whole or not
            }
        }
    }

    private WritablePage any(SplittableRandom random) throws IOException {
        long pages = file.pages();
        boolean appends = pages == 0 || (pages < MOST_PAGES && random.nextInt(20) == 0);
        return appends ? file.create() : pool.fixExclusive(file.id(random.nextLong(pages)));
    }

    /** Works until it is killed: {@code folder rule seed}. */
    public static void main(String[] args) throws Exception {
        long seed = Long.parseLong(args[2]);
        KilledEngine engine = new KilledEngine(Path.of(args[0]), Broken.valueOf(args[1]));
        engine.recover();
        AtomicReference<Throwable> failure = new AtomicReference<>();
        try (FileOutputStream output = new FileOutputStream(FileDescriptor.out)) {
            for (int number = 0; number < THREADS; number++) {
                int which = number;
                Thread thread = new Thread(() -> {
                    try {
                        engine.work(which, new SplittableRandom(seed + which), output);
                    } catch (Throwable e) {
                        failure.compareAndSet(null, e);
                    }
                });
                thread.setDaemon(true);
                thread.start();
            }
            long end = System.nanoTime() + LONGEST_LIFE.toNanos(); // no child outlives a test that was ended
            while (failure.get() == null && System.nanoTime() < end) {
                LockSupport.parkNanos(10_000_000);
            }
        }
        throw new IllegalStateException("the child was not killed", failure.get());
    }
}
