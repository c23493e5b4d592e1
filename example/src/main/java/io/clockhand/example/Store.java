// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.example;

import io.clockhand.io.ChecksummedPageStore;
import io.clockhand.io.DoubleWritePageStore;
import io.clockhand.io.PageStore;
import io.clockhand.page.BufferPool;
import io.clockhand.page.BufferPoolBuilder;
import io.clockhand.page.PagedFile;
import io.clockhand.wal.LogFile;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Shows how the parts of a storage engine are put together: a transactional store of sorted keys and their values. It
 * opens them in the right order, recovers, and makes fuzzy checkpoints. Source: Mohan et al., ARIES, TODS 17(1), 1992,
 * §5.4 for checkpoints, §6 for the order of a restart.
 *
 * <pre>{@code
 * try (Store store = Store.open(folder, StoreConfig.DEFAULT)) {
 *     try (Transaction transaction = store.begin()) {   // rolled back, unless it commits
 *         transaction.put(key, value);
 *         transaction.commit();
 *     }
 *     store.checkpoint();                               // from time to time: a restart redoes what comes after
 * }
 * }</pre>
 *
 * <p>Thread-safe; a transaction belongs to one thread at a time.
 */
public final class Store implements AutoCloseable {
    /** The number of the file in page ids. */
    private static final int FILE = 1;

    private final Deque<Closeable> resources = new ArrayDeque<>();
    final StoreConfig config;
    private final MasterRecord master;
    final LogFile log;
    final BufferPool pool;
    final Tree tree;
    final Locks locks;
    /** Transactions that may have records in the log, and have not ended. */
    final Map<Long, Transaction> active = new ConcurrentHashMap<>();

    final AtomicLong lastTransaction = new AtomicLong();
    /** Where the log ended at the last checkpoint. */
    private long lastEnd;

    /**
     * Opens a store, or creates one. If it was not closed, it is recovered: the changes of all transactions that have
     * committed are there, and those of no other.
     *
     * @param folder the folder, which the store has for itself
     * @param config the settings
     * @return the store
     * @throws IOException if a file could not be read, written or created, or is damaged
     */
    public static Store open(Path folder, StoreConfig config) throws IOException {
        return new Store(new Storage(folder), config);
    }

    Store(Storage storage, StoreConfig config) throws IOException {
        try {
            this.config = config;
            locks = new Locks(config.lockTimeout());
            master = opened(new MasterRecord(storage));
            MasterRecord.Checkpoint last = master.read();
            if (last != null && last.pageBytes() != config.pageBytes()) {
                throw new IOException("the store has pages of " + last.pageBytes() + " bytes, other than the settings");
            }
            log = opened(storage.log(last == null ? 0 : last.durableLsn()));
            PageStore pages = openPages(storage);
            BufferPoolBuilder builder = storage.pool(BufferPool.builder().pageBytes(config.pageBytes()));
            pool = builder.frames(config.frames()).log(log).lsnOffset(Node.LSN).build();
            resources.push(pool::closeWithoutWriting);
            PagedFile file = pool.open(FILE, pages);
            tree = new Tree(pool, file, log);
            if (last == null) {
                tree.create();
                pool.flush();
                checkpoint(); // into the first slot
            } else {
                lastTransaction.set(Recovery.run(log, tree, last));
            }
            checkpoint();
        } catch (IOException | RuntimeException | Error e) {
            try {
                closeWithoutWriting();
            } catch (IOException failure) {
                e.addSuppressed(failure);
            }
            throw e;
        }
    }

    private <C extends Closeable> C opened(C resource) {
        resources.push(resource);
        return resource;
    }

    private PageStore openPages(Storage storage) throws IOException {
        PageStore pages = opened(storage.pages("pages", config.pageBytes()));
        if (!config.protectsPages()) {
            return pages;
        }
        PageStore journal = opened(storage.pages("journal", config.pageBytes()));
        PageStore store = DoubleWritePageStore.open(pages, journal, Math.max(16, config.frames()));
        return new ChecksummedPageStore(store, FILE, Node.end(config.pageBytes()));
    }

    /** {@return a new transaction} */
    public Transaction begin() {
        return new Transaction(this);
    }

    /**
     * Makes a fuzzy checkpoint, while transactions go on: notes where recovery must begin, and deletes the log before.
     * It writes the pages that have not been written since the last checkpoint, so that recovery begins there at the
     * latest.
     *
     * @throws IOException if a page or the log could not be written
     */
    public synchronized void checkpoint() throws IOException {
        long end = log.end();
        long redo = pool.checkpoint(lastEnd);
        lastEnd = end;
        long scan = redo;
        for (Transaction each : active.values()) { // read after redo: one that begins later has no record before it
            scan = Math.min(scan, Math.max(log.begin(), each.firstLsn)); // it may be listed later than it has begun
        }
        writeMaster(scan, redo);
        log.reclaim(scan);
    }

    private void writeMaster(long scan, long redo) throws IOException {
        long pages = tree.pages;
        log.makeDurable(); // the ends of transactions that were not active any more, and splits of pages counted here
        master.write(new MasterRecord.Checkpoint(scan, redo, pages, log.durableEnd(), config.pageBytes()));
    }

    /**
     * Closes the store, which needs no recovery when it is opened.
     *
     * @throws IOException if a page or the log could not be written: close again, or {@link #closeWithoutWriting}; or
     *     if a file could not be closed: the store is closed nevertheless
     * @throws IllegalStateException if a transaction has not ended
     */
    @Override
    public synchronized void close() throws IOException {
        if (pool.isClosed()) {
            return;
        }
        if (!active.isEmpty()) {
            throw new IllegalStateException(active.values() + " have not ended: commit them, or roll them back");
        }
        log.makeDurable();
        long redo = pool.sync();
        writeMaster(redo, redo);
        resources.push(pool::close); // nothing is lost from now on, so all is closed even if this fails
        closeWithoutWriting();
    }

    /**
     * Closes the store as a crash would: recovery brings back what was committed. For a store whose files can no longer
     * be written.
     *
     * @throws IOException if a file could not be closed; the others are
     */
    public synchronized void closeWithoutWriting() throws IOException {
        if (!resources.isEmpty()) {
            try {
                resources.pop().close();
            } finally {
                closeWithoutWriting(); // the others, even if this one has failed
            }
        }
    }
}
