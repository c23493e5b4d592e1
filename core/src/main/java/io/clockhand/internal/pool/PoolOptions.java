// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.internal.pool;

import java.time.Duration;
import java.util.function.BiConsumer;
import java.util.function.Function;

/**
 * What a pool is called, how large it is and how it waits.
 *
 * @param name what recorded events call the pool; empty if it has no name
 * @param pages whether the frames hold pages
 * @param softFrames the frames it has as long as not all of them are pinned
 * @param hardFrames the most it can grow to
 * @param foregroundCleaning whether a miss that met many dirty victims may write one back itself beside the cleaner
 * @param exhaustedAfter how long a miss waits for a frame when all are pinned and the pool cannot grow
 * @param exhaustedRemedy what the message of that exception advises
 * @param exhausted makes the exception for that from a message
 * @param longWait how long any other wait lasts before the handler is called
 * @param onLongWait takes what is waited for and for how long; the wait ends if it throws
 */
public record PoolOptions(
        String name,
        boolean pages,
        int softFrames,
        int hardFrames,
        boolean foregroundCleaning,
        Duration exhaustedAfter,
        String exhaustedRemedy,
        Function<String, RuntimeException> exhausted,
        Duration longWait,
        BiConsumer<String, Duration> onLongWait) {}
