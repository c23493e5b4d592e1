// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand;

import java.time.Duration;

/**
 * Called when a thread has waited long for others: for a latch, a load, an eviction, a write-back, the last pin, a
 * prefetch, or the creation or truncation of pages.
 *
 * <p>Called by the waiting thread each time the configured time has passed again. If it returns, the wait goes on. If
 * it throws, the exception reaches the caller of the pool or cache, and the wait leaves no pin behind.
 */
@FunctionalInterface
public interface LongWaitHandler {
    /** Gives up with a {@link WaitTimeoutException}; the default. */
    LongWaitHandler GIVE_UP = (waitedFor, waited) -> {
        throw new WaitTimeoutException("waited " + waited.toMillis() + " ms for " + waitedFor);
    };

    /**
     * A wait has lasted long.
     *
     * @param waitedFor what the thread waits for, as a phrase: a page or holder, and its state
     * @param waited the time since the wait began
     */
    void onLongWait(String waitedFor, Duration waited);
}
