// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.internal.file;

import io.clockhand.internal.frame.Parking;
import io.clockhand.internal.pool.BoundedWait;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.function.BooleanSupplier;

/**
 * A lock that is held for a few steps only, with one condition. Only {@link #await} needs memory, and it allocates
 * before it changes anything. The JDK's locks do in their queues, so a thread without memory cannot acquire one to end
 * what it has begun, or loses a waiter when it signals.
 *
 * <p><b>The lock.</b> {@code owner}, volatile, is set by CAS from null, and cleared by a store of the owner. That is
 * no call of a {@code VarHandle}: for the first one of its kind the JVM might find no memory, and the lock would stay
 * held. There is no queue: a thread that finds the lock held spins, then parks for short times, since the owner never
 * waits or reads while it has the lock. So the lock is unfair.
 *
 * <p><b>Acquire it inside the {@code try}</b>, and release it by {@link #unlockIfHeld} in its {@code finally}. When the
 * JVM leaves compiled code it creates the objects again that the compiler had replaced by their fields; if it finds no
 * memory it throws, and may do so between the return of {@link #lock} and a {@code try} that follows.
 *
 * <p><b>The condition.</b> The list of waiting threads is guarded by the lock. A thread adds itself before it releases
 * the lock and parks. {@link #signalAll}, by the owner, takes all of them out, sets their {@code woken} (volatile), and
 * unparks them; each acquires the lock and tests its condition again. Since both happen under the lock, no signal is
 * lost.
 *
 * <p>Thread-safe, by platform and virtual threads; not reentrant. An interrupt ends no wait; the flag is set again.
 */
final class ShortLock implements BoundedWait.Held {
    private static final int SPINS = 64;
    private static final long PAUSE_NANOS = 20_000;

    private static final VarHandle OWNER;

    static {
        try {
            OWNER = MethodHandles.lookup().findVarHandle(ShortLock.class, "owner", Thread.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final BooleanSupplier free = this::isFree; // created once, since a thread that waits may have no memory
    private volatile Thread owner;
    private Waiter first;

    /** A thread that waits for a signal. It is in the list until it is woken. The links are guarded by the lock. */
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

    private boolean isFree() {
        return owner == null;
    }

    @Override
    public void lock() {
        Thread caller = Thread.currentThread();
        for (int tries = 0; owner != null || !OWNER.compareAndSet(this, null, caller); tries++) {
            if (tries < SPINS) {
                Thread.onSpinWait();
            } else {
                pause();
            }
        }
    }

    private void pause() {
        try {
            Parking.parkUntil(free, System.nanoTime() + PAUSE_NANOS);
        } catch (OutOfMemoryError e) { // of the timer of a virtual thread
            Thread.onSpinWait();
        }
    }

    @Override
    public void unlock() {
        if (owner != Thread.currentThread()) {
            throw new IllegalMonitorStateException("the thread does not hold the lock");
        }
        owner = null;
    }

    /** Releases the lock if the caller has it. For the {@code finally} of a {@code try} that acquires the lock. */
    void unlockIfHeld() {
        if (owner == Thread.currentThread()) {
            owner = null;
        }
    }

    /**
     * Waits until a condition holds, or the time is over. The caller has the lock, here and afterwards, whatever fails;
     * it is released during the wait.
     *
     * @param holds the condition, tested under the lock
     * @param nanos the longest time to wait
     * @return whether it holds
     */
    boolean await(BooleanSupplier holds, long nanos) {
        if (holds.getAsBoolean()) {
            return true;
        }
        long deadline = System.nanoTime() + nanos;
        Waiter waiter = new Waiter();
        boolean inTime = true;
        while (inTime && !holds.getAsBoolean()) {
            try {
                add(waiter);
                unlock();
                inTime = Parking.parkUntil(waiter, deadline);
            } finally { // there may be no memory for the timer of a virtual thread
                if (owner != waiter.thread) {
                    lock();
                }
                remove(waiter);
            }
        }
        return inTime || holds.getAsBoolean();
    }

    /** Makes all threads that wait test their conditions again. The caller has the lock. */
    void signalAll() {
        for (Waiter waiter = first; waiter != null; waiter = first) {
            remove(waiter);
            waiter.woken = true;
            Parking.unpark(waiter.thread);
        }
    }

    private void add(Waiter waiter) {
        waiter.woken = false;
        waiter.next = first;
        if (first != null) {
            first.previous = waiter;
        }
        first = waiter;
    }

    private void remove(Waiter waiter) {
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
    }
}
