// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.page;

/**
 * Figures of a {@link PagedFile}. Hits and misses count as those of {@link PoolStats}, only while the pool {@linkplain
 * BufferPool#collectStats collects}. Made by Clockhand only: later versions may add components.
 *
 * @param pages how many pages the file has
 * @param resident how many of them are in memory
 * @param hits fixes that found their page mapped, and optimistic reads
 * @param misses fixes that mapped their page, and creations
 */
public record FileStats(long pages, int resident, long hits, long misses) {}
