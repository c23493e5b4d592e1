// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.internal.page;

import java.util.concurrent.atomic.LongAdder;

/** Counts what a page pool does while it collects statistics; stores nothing otherwise. Thread-safe. */
public final class PageCounters {
    private final PageSource source;
    private final LongAdder hits = new LongAdder();
    private final LongAdder misses = new LongAdder();
    private final LongAdder prefetches = new LongAdder();
    private final LongAdder reads = new LongAdder();
    private final LongAdder wastedReads = new LongAdder();
    private final LongAdder failedReads = new LongAdder();
    private volatile boolean collecting;

    void collect(boolean on) {
        collecting = on;
    }

    /** {@return whether it counts now} */
    public boolean isCollecting() {
        return collecting;
    }

    private void count(LongAdder counter) {
        if (collecting) {
            counter.increment();
        }
    }

    /** Begins with nothing, and does not collect. */
    PageCounters(PageSource source) {
        this.source = source;
    }

    void hit(long id) {
        if (collecting) {
            hits.increment();
            LongAdder ofFile = collectedHits(id);
            if (ofFile != null) {
                ofFile.increment();
            }
        }
    }

    /** {@return the counter of hits, or null if the pool does not collect now} */
    LongAdder collectedHits() {
        return collecting ? hits : null;
    }

    /** {@return the counter of hits of the file of a page, or null if there is none, or the pool does not collect} */
    LongAdder collectedHits(long id) {
        FileCounts ofFile = collecting ? source.counts(id) : null;
        return ofFile == null ? null : ofFile.hits;
    }

    void miss(long id) {
        count(misses);
        FileCounts ofFile = collecting ? source.counts(id) : null;
        if (ofFile != null) {
            ofFile.misses.increment();
        }
    }

    void prefetches(int pages) {
        if (collecting) {
            prefetches.add(pages);
        }
    }

    void reads(int pages) {
        if (collecting) {
            reads.add(pages);
        }
    }

    void wastedRead() {
        count(wastedReads);
    }

    void failedRead() {
        count(failedReads);
    }

    /** {@return pages found mapped} */
    public long hits() {
        return hits.sum();
    }

    /** {@return pages mapped} */
    public long misses() {
        return misses.sum();
    }

    /** {@return pages mapped by prefetches} */
    public long prefetches() {
        return prefetches.sum();
    }

    /** {@return reads begun} */
    public long reads() {
        return reads.sum();
    }

    /** {@return reads that succeeded while another thread's was used} */
    public long wastedReads() {
        return wastedReads.sum();
    }

    /** {@return reads that failed} */
    public long failedReads() {
        return failedReads.sum();
    }
}
