// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand;

import java.time.Duration;

/**
 * What happens when a thread has waited long for another one: for a load, an eviction, a write-back or the last pin.
 *
 * <p>Called by the waiting thread each time the configured time has passed again. If it returns, the wait goes on; if
 * it throws, the exception reaches the caller of the cache and nothing stays pinned by the wait.
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
     * @param waitedFor what the thread waits for: the content, its frame and the frame's state
     * @param waited how long it has waited in all
     */
    void onLongWait(String waitedFor, Duration waited);
}
