// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.lucene;

import java.util.SortedMap;

/**
 * A {@link DirectoryPool} for management consoles: {@code io.clockhand:type=DirectoryPool,name=NAME}, if it was
 * {@linkplain DirectoryPool.Builder#name named}, until the pool is closed. The bean {@code type=BufferPool} of the same
 * name has the figures of the whole pool, and starts and stops the counting of hits and misses.
 *
 * <p>Figures are those of the directories and files that are open now: the counts of a file go when it is deleted.
 * Thread-safe. Each attribute but the name and {@code Directories} scans all pages of the pool.
 */
public interface DirectoryPoolMXBean {
    /** {@return the name that the builder was given} */
    String getName();

    /** {@return the number of directories that are open} */
    int getDirectories();

    /** {@return the figures of each kind of file, by the path of its directory, then by kind} */
    SortedMap<String, SortedMap<String, KindStats>> getFigures();

    /** {@return the share of hits, 0 to 1, by the path of the directory} NaN where nothing was counted. */
    SortedMap<String, Double> getHitRatioByDirectory();

    /** {@return the share of hits, 0 to 1, by kind of file, in all directories} NaN where nothing was counted. */
    SortedMap<String, Double> getHitRatioByKind();

    /** {@return the bytes of pages in memory, by the path of the directory} */
    SortedMap<String, Long> getResidentBytesByDirectory();
}
