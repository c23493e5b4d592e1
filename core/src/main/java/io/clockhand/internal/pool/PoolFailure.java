// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.internal.pool;

import io.clockhand.PoolFailedException;

/**
 * Whether a pool or a cache has failed. It fails when an error of the virtual machine (memory or stack has run out)
 * comes from a step that has begun to change shared words, and whose change it can neither complete nor take back: so
 * nobody knows what those words say together. Exceptions of stores, logs, policies and callbacks fail nothing.
 *
 * <p>{@code first} is written once, under the monitor of this, and read by every call that is to change several words,
 * and by each thread whose wait has ended (volatile). It is written before the waits end, so a thread that was woken
 * sees it. Thread-safe.
 */
public final class PoolFailure {
    private volatile Throwable first;
    private Runnable consequence = () -> {};

    /** Begins without a failure. */
    public PoolFailure() {}

    /**
     * Sets what is done once, when the pool fails: its waits end. Called before the pool is used.
     *
     * @param action needs little memory
     */
    public synchronized void onFailure(Runnable action) {
        Runnable before = consequence;
        consequence = () -> {
            before.run();
            action.run();
        };
    }

    /**
     * Fails the pool, if it has not failed before.
     *
     * @param failure came from a step that can neither be completed nor taken back
     */
    public void fail(Throwable failure) {
        Runnable action;
        synchronized (this) {
            if (first != null) {
                return;
            }
            first = failure;
            action = consequence;
        }
        action.run();
    }

    /** {@return whether the pool has failed} */
    public boolean hasFailed() {
        return first != null;
    }

    /**
     * Throws if the pool has failed.
     *
     * @throws PoolFailedException with the error as its cause
     */
    public void check() {
        Throwable failure = first;
        if (failure != null) {
            throw new PoolFailedException(
                    "the pool has failed, since " + failure + " came in the middle of a step: close it without writing,"
                            + " open it anew, and redo from the last checkpoint",
                    failure);
        }
    }
}
