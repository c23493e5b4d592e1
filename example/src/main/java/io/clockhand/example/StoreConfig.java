// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.example;

import io.clockhand.WaitTimeoutException;
import java.time.Duration;

/**
 * The settings of a store.
 *
 * @param pageBytes the size of a page in bytes, a power of two from 512 to 65,536; always the same for a store
 * @param frames the number of pages that the pool holds in memory
 * @param protectsPages whether pages have checksums, and are written by way of a journal, so that a crash leaves none
 *     torn; always the same for a store. Without it the device must write a page whole or not at all
 * @param forcesCommits whether a commit returns when it is durable. Without it a crash loses the last commits, each of
 *     them as a whole
 * @param lockTimeout how long a transaction waits for the end of another one before it gets a {@link
 *     WaitTimeoutException}
 */
public record StoreConfig(
        int pageBytes, int frames, boolean protectsPages, boolean forcesCommits, Duration lockTimeout) {
    /** Pages of 4 KiB, 10,000 of them in memory, all protected, and two seconds for a lock. */
    public static final StoreConfig DEFAULT = new StoreConfig(4096, 10_000, true, true, Duration.ofSeconds(2));
}
