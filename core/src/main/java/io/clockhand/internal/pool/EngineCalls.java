// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.internal.pool;

/**
 * Calls of code of the engine: its log, stores, handlers. A thread of the engine may be interrupted when it fixes a
 * page; code that it calls then, perhaps to write the page of another thread, must not find its interrupt flag: a
 * {@link java.nio.channels.FileChannel} would be closed for all threads. So the flag is cleared before such a call and
 * restored after it, whatever the call throws.
 */
public final class EngineCalls {
    private EngineCalls() {}

    /**
     * Clears the interrupt flag of the calling thread, before a call of the engine's code.
     *
     * @return whether it was set, for {@link #end}
     */
    public static boolean begin() {
        return Thread.interrupted();
    }

    /**
     * Sets the flag again if it was set, after the call. One that was set meanwhile stays.
     *
     * @param interrupted what {@link #begin} has returned
     */
    public static void end(boolean interrupted) {
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
