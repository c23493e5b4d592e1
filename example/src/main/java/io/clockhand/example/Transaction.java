// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.example;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BiPredicate;

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
    private enum State {
        ACTIVE,
        /** The record of the commit is in the log, but was not durable yet: it may survive a crash, or not. */
        COMMITTING,
        ENDED
    }

    private final Store store;
    private final long id;
    /** What was changed, the last change first. */
    private final Deque<LogRecord.Change> changes = new ArrayDeque<>();

    private final List<byte[]> locked = new ArrayList<>();
    private final CountDownLatch ended = new CountDownLatch(1);
    private State state = State.ACTIVE;
    private boolean hasChanges;
    /** Not greater than the LSN of its first record. */
    volatile long firstLsn;

    Transaction(Store store, long id) {
        this.store = store;
        this.id = id;
    }

    /** Waits for the end of this transaction. {@return whether it has ended} */
    boolean awaitEnd(long nanos) throws InterruptedException {
        return ended.await(nanos, TimeUnit.NANOSECONDS);
    }

    // --- reading -----------------------------------------------------------------------------------------------------

    /**
     * {@return the value of a key, or null if it has none}
     *
     * @param key the key
     * @throws IOException if a page could not be read
     * @throws LockTimeoutException if another transaction that has changed the key has not ended in time
     */
    public byte[] get(byte[] key) throws IOException {
        checkActive();
        byte[] next = Arrays.copyOf(key, key.length + 1); // there is no key between the two
        return store.locks
                .read(this, key, () -> store.tree.get(key), value -> next)
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
     * @throws LockTimeoutException as {@link #get}
     */
    public void scan(byte[] from, byte[] to, BiPredicate<byte[], byte[]> visitor) throws IOException {
        byte[] next = from;
        while (isBefore(next, to)) {
            checkActive();
            byte[] start = next;
            Tree.Leaf leaf = store.locks.read(
                    this, start, () -> store.tree.leaf(start), read -> isBefore(read.high(), to) ? read.high() : to);
            for (Map.Entry<byte[], byte[]> entry : leaf.entries()) {
                if (!isBefore(entry.getKey(), to) || !visitor.test(entry.getKey(), entry.getValue())) {
                    return;
                }
            }
            next = leaf.high();
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
     * @throws LockTimeoutException if another transaction that has changed the key has not ended in time
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
     * @throws LockTimeoutException as {@link #put}
     */
    public void delete(byte[] key) throws IOException {
        change(key.clone(), null);
    }

    private void change(byte[] key, byte[] value) throws IOException {
        checkActive();
        store.tree.check(key, value == null ? 0 : value.length);
        if (store.locks.lock(key, this)) {
            locked.add(key);
        }
        if (!hasChanges) {
            firstLsn = store.log.end();
            store.active.add(this); // before its first record: else a checkpoint could go past that
            hasChanges = true;
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
        if (state != State.COMMITTING) {
            checkActive();
        }
        if (hasChanges) {
            long lsn = store.log.append(new LogRecord.End(id).pack());
            state = State.COMMITTING;
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
        if (hasChanges) {
            store.tree.undo(id, changes);
        }
        end(true);
    }

    private void end(boolean isRollback) {
        state = State.ENDED;
        store.active.remove(this);
        store.locks.releaseAll(locked, isRollback);
        ended.countDown();
    }

    /** Rolls back, unless the transaction has ended, or a commit has failed. */
    @Override
    public void close() throws IOException {
        if (state == State.ACTIVE) {
            rollback();
        }
    }

    private void checkActive() {
        if (state != State.ACTIVE) {
            throw new IllegalStateException(
                    this + (state == State.ENDED ? " has ended" : " is being committed: call commit again"));
        }
    }

    @Override
    public String toString() {
        return "transaction " + id;
    }
}
