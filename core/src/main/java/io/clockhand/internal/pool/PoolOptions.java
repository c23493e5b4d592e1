// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.internal.pool;

import io.clockhand.internal.frame.PoolFailure;
import java.time.Duration;
import java.util.function.BiConsumer;
import java.util.function.Function;

/**
 * The name of a pool, its sizes and its waits.
 *
 * @param name the name of the pool in recorded events; empty if it has no name
 * @param softFrames the number of frames as long as not all of them are pinned; of a page pool, the number that it
 *     begins with
 * @param hardFrames the greatest number of frames
 * @param foregroundCleaning whether a miss that met many dirty victims may write one back itself though there is a
 *     cleaner
 * @param exhaustedAfter how long a miss waits for a frame when all are pinned and the pool cannot grow
 * @param exhaustedRemedy what the message of that exception advises
 * @param exhausted creates that exception from a message
 * @param longWait how long any other wait lasts before the handler is called
 * @param onLongWait gets what the thread waits for, and how long it has waited; the wait ends if it throws
 * @param failure says whether the pool has failed
 */
public record PoolOptions(
        String name,
        int softFrames,
        int hardFrames,
        boolean foregroundCleaning,
        Duration exhaustedAfter,
        String exhaustedRemedy,
        Function<String, RuntimeException> exhausted,
        Duration longWait,
        BiConsumer<String, Duration> onLongWait,
        PoolFailure failure) {
    /** As the other constructor does, for a pool that has not failed. */
    public PoolOptions(
            String name,
            int softFrames,
            int hardFrames,
            boolean foregroundCleaning,
            Duration exhaustedAfter,
            String exhaustedRemedy,
            Function<String, RuntimeException> exhausted,
            Duration longWait,
            BiConsumer<String, Duration> onLongWait) {
        this(
                name,
                softFrames,
                hardFrames,
                foregroundCleaning,
                exhaustedAfter,
                exhaustedRemedy,
                exhausted,
                longWait,
                onLongWait,
                new PoolFailure());
    }
}
