// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.internal.frame;

import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/**
 * Parks the calling thread until a deadline. Uninterruptible: an interrupt does not end a wait, and the thread's flag
 * is set again when the wait has ended. Every wait of the engine parks here.
 */
public final class Parking {
    private Parking() {}

    /**
     * Parks until another thread has fulfilled the condition and unparked this one, or the deadline has passed.
     *
     * @param condition tested before each park
     * @param deadline a {@link System#nanoTime}
     * @return whether the condition holds; false if the deadline has passed
     */
    public static boolean parkUntil(BooleanSupplier condition, long deadline) {
        boolean interrupted = false;
        try {
            while (!condition.getAsBoolean()) {
                long left = deadline - System.nanoTime();
                if (left <= 0) {
                    return false;
                }
                LockSupport.parkNanos(Parking.class, left);
                interrupted |= Thread.interrupted(); // the flag would end each later park at once
            }
            return true;
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /**
     * Unparks a thread; never throws. Where that needs memory and there is none (a virtual thread is submitted to its
     * scheduler), the caller goes on to wake others.
     *
     * @param thread the thread
     */
    public static void unpark(Thread thread) {
        try {
            LockSupport.unpark(thread);
        } catch (Throwable failure) {
            // a JVM that has marked the thread as unparked may never run it again; nothing can be done here
        }
    }
}
