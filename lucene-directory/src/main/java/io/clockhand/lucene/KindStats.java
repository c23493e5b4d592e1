// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.lucene;

import io.clockhand.page.FileStats;

/**
 * Figures of the files of a kind that a directory has open in its pool. Hits and misses count pages, not the reads of
 * an input, which takes a page from the pool once for all reads until it needs another one. They count only while the
 * pool {@linkplain DirectoryPool.Builder#collectsStats collects}.
 *
 * @param files how many files
 * @param bytes how many bytes of pages they have
 * @param residentBytes how many of these are in memory
 * @param hits pages that were found in memory
 * @param misses pages that had to be read
 */
public record KindStats(int files, long bytes, long residentBytes, long hits, long misses) {
    static final KindStats NONE = new KindStats(0, 0, 0, 0, 0);

    KindStats plus(FileStats file, int pageBytes) {
        return new KindStats(
                files + 1,
                bytes + file.pages() * pageBytes,
                residentBytes + (long) file.resident() * pageBytes,
                hits + file.hits(),
                misses + file.misses());
    }

    KindStats plus(KindStats other) {
        return new KindStats(
                files + other.files,
                bytes + other.bytes,
                residentBytes + other.residentBytes,
                hits + other.hits,
                misses + other.misses);
    }

    /** {@return the share of hits; NaN if nothing was counted} */
    public double hitRatio() {
        return (double) hits / (hits + misses);
    }
}
