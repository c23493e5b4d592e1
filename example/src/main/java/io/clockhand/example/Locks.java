// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.example;

import io.clockhand.WaitTimeoutException;
import java.io.IOException;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.NavigableMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;

/**
 * Shows isolation: exclusive locks of keys that are held to the end of the transaction, and readers that take no lock
 * and see committed values only. Sources: strict two-phase locking, Eswaran, Gray, Lorie, Traiger, CACM 19(11), 1976;
 * for the validation of reads, Kung, Robinson, On Optimistic Methods for Concurrency Control, TODS 6(2), 1981.
 *
 * <p><b>Readers.</b> A value in the tree is not committed only while its key is locked, or if its transaction has been
 * rolled back since it was read. So a reader first reads, then looks for locks of the keys that it has read, then
 * compares the number of rollbacks with that before the read. This gives the isolation level "read committed": a
 * second read may find other values.
 *
 * <p>A deadlock ends by a time-out. The locks are sorted by key, so the reader of a range finds those in it, also those
 * of keys that are no longer in the tree.
 */
final class Locks {
    private final NavigableMap<byte[], Transaction> owners = new ConcurrentSkipListMap<>(Arrays::compareUnsigned);
    private final AtomicLong rollbacks = new AtomicLong();
    private final Duration timeout;

    Locks(Duration timeout) {
        this.timeout = timeout;
    }

    /** Locks a key until {@link #releaseAll}. {@return false if the transaction has the lock already} */
    boolean lock(byte[] key, Transaction transaction) {
        long deadline = System.nanoTime() + timeout.toNanos();
        while (true) {
            Transaction owner = owners.putIfAbsent(key, transaction);
            if (owner == null || owner == transaction) {
                return owner == null;
            }
            awaitEnd(owner, deadline);
        }
    }

    /** Releases those of the keys that the transaction has locked. */
    void releaseAll(List<byte[]> keys, Transaction transaction, boolean isRollback) {
        if (isRollback) {
            rollbacks.incrementAndGet(); // while the keys are locked: a reader sees one or the other
        }
        keys.forEach(key -> owners.remove(key, transaction));
    }

    /** Reads from the tree. */
    interface Read<R> {
        R read() throws IOException;
    }

    /**
     * {@return what was read of a range of keys, as committed}
     *
     * @param high says of what was read where the range ends; null is the end of all keys
     */
    <R> R read(Transaction reader, byte[] from, Read<R> read, Function<R, byte[]> high) throws IOException {
        long deadline = System.nanoTime() + timeout.toNanos();
        while (true) {
            long before = rollbacks.get();
            R result = read.read();
            Transaction other = null;
            if (!owners.isEmpty()) {
                byte[] to = high.apply(result);
                for (Transaction owner : (to == null ? owners.tailMap(from) : owners.subMap(from, to)).values()) {
                    other = owner == reader ? other : owner;
                }
            }
            if (other != null) {
                awaitEnd(other, deadline);
            } else if (rollbacks.get() == before) {
                return result;
            }
        }
    }

    private static void awaitEnd(Transaction owner, long deadline) {
        try {
            if (!owner.ended.await(deadline - System.nanoTime(), TimeUnit.NANOSECONDS)) {
                throw new WaitTimeoutException(owner + " has not ended in time: roll back, and begin anew");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new WaitTimeoutException("the thread was interrupted while it waited for " + owner);
        }
    }
}
