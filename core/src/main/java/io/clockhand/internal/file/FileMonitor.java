// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.internal.file;

import io.clockhand.internal.frame.Parking;
import io.clockhand.internal.pool.BoundedWait;
import io.clockhand.internal.pool.PoolOptions;
import java.util.function.BooleanSupplier;

/**
 * The lock of a file, which is the monitor of this object, and a condition. It is held for a few steps, never during
 * I/O, a wait, or a call of the host.
 *
 * <p><b>Why a monitor.</b> A thread without memory must be able to acquire the lock to end what it has begun. The
 * locks of {@code java.util.concurrent} allocate in their queues. And when HotSpot leaves compiled code it creates the
 * objects again that the compiler had replaced by their fields; if it finds no memory it drops the frames of that code,
 * and runs none of their {@code finally} blocks. It releases the monitors of these frames, but no other lock.
 *
 * <p><b>Waiting.</b> {@link #until} makes an attempt under the lock. If that changes nothing, the thread adds itself to
 * the waiters under the same lock, and parks without it. {@link #signalAll}, by a thread that has the lock, takes all
 * waiters out, sets their {@code woken} (volatile), and unparks them; each makes its attempt again. Since both happen
 * under the lock, no signal is lost. Only a wait allocates, and before its attempt changes anything. A pool that fails
 * signals all ({@link #endWaits}); a thread that adds itself after that sees the failure before it parks.
 *
 * <p>Waits are bounded by the pool's {@link BoundedWait}, and uninterruptible; the flag of an interrupt is set again.
 * Thread-safe, by platform and virtual threads.
 */
final class FileMonitor {
    private final PoolOptions options;
    private final String file;
    /** The waiters. They and their links are guarded by the lock. */
    private Waiter first;
    /** The last attempt. Makes it an object that another thread could see, see {@link BoundedWait}. */
    @SuppressWarnings("UnusedVariable")
    private BooleanSupplier last;

    /** A thread that waits for a signal. It is in the list until it is woken. */
    private static final class Waiter implements BooleanSupplier {
        private final Thread thread = Thread.currentThread();
        private Waiter previous;
        private Waiter next;
        private volatile boolean woken = true;

        @Override
        public boolean getAsBoolean() {
            return woken;
        }
    }

    /**
     * Without waiters.
     *
     * @param options bounds the waits
     * @param file its name, for messages
     */
    FileMonitor(PoolOptions options, String file) {
        this.options = options;
        this.file = file;
    }

    /**
     * Makes an attempt, and again after each signal, until it succeeds. The caller does not have the lock.
     *
     * @param attempt changes something and returns true, or changes nothing and returns false; made under the lock
     * @param what names what the thread waits for
     */
    void until(BooleanSupplier attempt, String what) {
        if (!succeeds(attempt)) {
            BoundedWait.begin(options, what, () -> file)
                    .until(nanos -> await(attempt, nanos), () -> what + " of " + file);
        }
    }

    private synchronized boolean succeeds(BooleanSupplier attempt) {
        last = attempt;
        return attempt.getAsBoolean();
    }

    /** {@return whether an attempt has succeeded in time; one more is the last when the pool has failed} */
    boolean await(BooleanSupplier attempt, long nanos) {
        long deadline = System.nanoTime() + nanos;
        Waiter waiter = new Waiter();
        try {
            while (!succeedsOrAdds(attempt, waiter)) {
                if (options.failure().hasFailed() || !Parking.parkUntil(waiter, deadline)) {
                    return succeeds(attempt);
                }
            }
            return true;
        } finally {
            remove(waiter);
        }
    }

    private synchronized boolean succeedsOrAdds(BooleanSupplier attempt, Waiter waiter) {
        boolean success = attempt.getAsBoolean();
        if (!success) {
            add(waiter);
        }
        return success;
    }

    /** Makes all threads that wait go on: the pool has failed. */
    synchronized void endWaits() {
        signalAll();
    }

    /** Makes all threads that wait try again. The caller has the lock. */
    void signalAll() {
        for (Waiter waiter = first; waiter != null; waiter = first) {
            remove(waiter);
            Parking.unpark(waiter.thread);
        }
    }

    private void add(Waiter waiter) {
        waiter.next = first;
        if (first != null) {
            first.previous = waiter;
        }
        first = waiter;
        waiter.woken = false;
    }

    private synchronized void remove(Waiter waiter) {
        if (waiter.woken) {
            return;
        }
        if (waiter.previous == null) {
            first = waiter.next;
        } else {
            waiter.previous.next = waiter.next;
        }
        if (waiter.next != null) {
            waiter.next.previous = waiter.previous;
        }
        waiter.previous = null;
        waiter.next = null;
        waiter.woken = true;
    }
}
