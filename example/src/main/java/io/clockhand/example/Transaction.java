// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.example;

import io.clockhand.WaitTimeoutException;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.concurrent.CountDownLatch;
import java.util.function.Function;

/**
 * Shows transactions: changes are made in place and logged, a commit makes the log durable, and a rollback takes the
 * changes back one by one, each by a compensation record. Sources: Mohan et al., ARIES, TODS 17(1), 1992, §5.2 and
 * §5.3; for one force of the log that serves many commits, DeWitt et al., Implementation Techniques for Main Memory
 * Database Systems, SIGMOD 1984 (group commit), which {@link io.clockhand.wal.LogFile#makeDurable} does.
 *
 * <p>It sees its own changes and what others have committed. A key that it has changed is locked until its end; others
 * that want to read or change it wait. For one thread at a time.
 */
public final class Transaction implements AutoCloseable {
    private final Store store;
    /** Whether the record of the commit is in the log: until it is durable it may survive a crash, or not. */
    private boolean isCommitting;

    private boolean hasEnded;
    /** 0 before the first change. */
    private long id;
    /** What was changed, the last change first; null before the first change, as are the next two. */
    private Deque<LogRecord.Change> changes;

    private ArrayList<byte[]> locked;
    CountDownLatch ended;
    /** Not greater than the LSN of its first record. */
    volatile long firstLsn;

    Transaction(Store store) {
        this.store = store;
    }

    /** Visits entries of a scan. */
    public interface EntryVisitor {
        /**
         * Visits an entry.
         *
         * @param bytes hold key and value until this returns
         * @param key where the key begins
         * @param keyLength its length in bytes
         * @param value where the value begins
         * @param valueLength its length in bytes
         * @return whether to go on
         */
        boolean visit(byte[] bytes, int key, int keyLength, int value, int valueLength);
    }

    // --- reading -----------------------------------------------------------------------------------------------------

    /**
     * {@return the value of a key, or null if it has none}
     *
     * @param key the key
     * @throws IOException if a page could not be read
     * @throws WaitTimeoutException if another transaction that has changed the key has not ended in time
     */
    public byte[] get(byte[] key) throws IOException {
        checkActive();
        return store.locks
                .read(this, key, () -> store.tree.get(key), value -> Arrays.copyOf(key, key.length + 1)) // the next key
                .orElse(null);
    }

    /**
     * Visits keys and their values in the order of the keys, as unsigned bytes. The visitor may use this transaction;
     * whether the scan meets changes that it makes ahead is not defined.
     *
     * @param from the first key
     * @param to the key before which the scan ends, or null for all
     * @param visitor gets key and value, and returns whether to go on
     * @throws IOException if a page could not be read
     * @throws WaitTimeoutException as {@link #get}
     */
    public void scan(byte[] from, byte[] to, EntryVisitor visitor) throws IOException {
        byte[] copy = new byte[store.config.pageBytes()];
        Function<Tree.Leaf, byte[]> end = leaf -> isBefore(leaf.high(), to) ? leaf.high() : to;
        byte[] next = from;
        while (isBefore(next, to)) {
            checkActive();
            byte[] start = next;
            Tree.Leaf leaf = store.locks.read(this, start, () -> store.tree.leaf(start, copy), end);
            next = Node.visit(copy, leaf.slot(), to, visitor) ? leaf.high() : null;
        }
    }

    /** Null is the end of all keys. */
    private static boolean isBefore(byte[] key, byte[] to) {
        return key != null && (to == null || Arrays.compareUnsigned(key, to) < 0);
    }

    // --- changes -----------------------------------------------------------------------------------------------------

    /**
     * Gives a key a value. If this throws, the key has its former value, but the transaction goes on.
     *
     * @param key the key; may be empty
     * @param value the value; may be empty
     * @throws IOException if the log or a page could not be written or read
     * @throws WaitTimeoutException if another transaction that has changed the key has not ended in time
     * @throws IllegalArgumentException if both have more bytes than an entry may have, about a quarter of a page
     */
    public void put(byte[] key, byte[] value) throws IOException {
        change(key.clone(), value.clone());
    }

    /**
     * Removes a key, if it has a value.
     *
     * @param key the key
     * @throws IOException as {@link #put}
     * @throws WaitTimeoutException as {@link #put}
     */
    public void delete(byte[] key) throws IOException {
        change(key.clone(), null);
    }

    private void change(byte[] key, byte[] value) throws IOException {
        checkActive();
        store.tree.check(key, value == null ? 0 : value.length);
        if (id == 0) {
            changes = new ArrayDeque<>();
            locked = new ArrayList<>();
            ended = new CountDownLatch(1);
            firstLsn = store.log.end();
            id = store.lastTransaction.incrementAndGet();
        }
        store.active.put(id, this); // before its first record: else a checkpoint could go past that
        locked.add(key); // first: a key that is locked and not listed would stay locked
        if (!store.locks.lock(key, this)) {
            locked.remove(locked.size() - 1); // it is listed already
        }
        LogRecord.Change change = store.tree.change(id, false, key, value);
        if (change != null) {
            changes.push(change);
        }
    }

    // --- the end -----------------------------------------------------------------------------------------------------

    /**
     * Commits: when this returns others see the changes; and they survive a crash, if {@link
     * StoreConfig#forcesCommits}.
     *
     * @throws IOException if the log could not be written: the changes may survive a crash, or not. Call this again; or
     *     {@link Store#closeWithoutWriting close the store}, and open it to learn what is in it
     */
    public void commit() throws IOException {
        if (!isCommitting || hasEnded) {
            checkActive();
        }
        if (id != 0) {
            long lsn = store.log.append(new LogRecord.End(id).pack());
            isCommitting = true;
            if (store.config.forcesCommits()) {
                store.log.makeDurable(lsn);
            }
        }
        end(false);
    }

    /**
     * Takes all changes back.
     *
     * @throws IOException if the log or a page could not be written or read; call this again
     */
    public void rollback() throws IOException {
        checkActive();
        if (id != 0) {
            store.tree.undo(id, changes);
        }
        end(true);
    }

    private void end(boolean isRollback) {
        hasEnded = true;
        if (id != 0) {
            store.active.remove(id);
            store.locks.releaseAll(locked, this, isRollback);
            ended.countDown();
        }
    }

    /** Rolls back, unless the transaction has ended, or a commit has failed. */
    @Override
    public void close() throws IOException {
        if (!isCommitting && !hasEnded) {
            rollback();
        }
    }

    private void checkActive() {
        if (isCommitting || hasEnded) {
            throw new IllegalStateException(
                    this + (hasEnded ? " has ended" : " is being committed: call commit again"));
        }
    }

    @Override
    public String toString() {
        return "transaction " + id;
    }
}
