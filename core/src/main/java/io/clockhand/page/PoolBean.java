// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.page;

import io.clockhand.internal.page.PageCounters;
import io.clockhand.internal.page.PagePool;
import java.util.Map;

/** A pool as its management bean shows it. Scans all frames only for the attributes that need it. Thread-safe. */
final class PoolBean implements BufferPoolMXBean {
    private final BufferPool pool;
    private final PagePool pages;
    private final PageCounters counters;
    private final String policy;
    private final String hand;
    private final String table;
    private final String pageIn;

    PoolBean(BufferPool pool, BufferPoolBuilder builder) {
        this.pool = pool;
        this.pages = pool.pages();
        this.counters = pages.counters();
        this.policy = builder.policy();
        this.hand = builder.hand().label();
        this.table = builder.table().label();
        this.pageIn = builder.pageIn().label();
    }

    @Override
    public String getName() {
        return pool.name();
    }

    @Override
    public String getPolicy() {
        return policy;
    }

    @Override
    public String getHand() {
        return hand;
    }

    @Override
    public String getTable() {
        return table;
    }

    @Override
    public String getPageIn() {
        return pageIn;
    }

    @Override
    public int getPageBytes() {
        return pool.pageBytes();
    }

    @Override
    public long getCapacityBytes() {
        return (long) pool.frames() * pool.pageBytes();
    }

    @Override
    public int getFrames() {
        return pool.frames();
    }

    @Override
    public int getPinned() {
        return pages.pinned();
    }

    @Override
    public int getFree() {
        return pages.free();
    }

    @Override
    public int getPeakFrames() {
        return pages.peakFrames();
    }

    @Override
    public Map<String, Long> getFiles() {
        return pool.files().pagesByName();
    }

    @Override
    public boolean isCollecting() {
        return counters.isCollecting();
    }

    @Override
    public void setCollecting(boolean on) {
        pool.collectStats(on);
    }

    @Override
    public long getHits() {
        return counters.hits();
    }

    @Override
    public long getMisses() {
        return counters.misses();
    }

    @Override
    public double getHitRatio() {
        long hits = counters.hits();
        return (double) hits / (hits + counters.misses());
    }

    @Override
    public long getPrefetches() {
        return counters.prefetches();
    }

    @Override
    public long getReads() {
        return counters.reads();
    }

    @Override
    public long getWastedReads() {
        return counters.wastedReads();
    }

    @Override
    public double getWastedReadRatio() {
        return (double) counters.wastedReads() / counters.reads();
    }

    @Override
    public long getFailedReads() {
        return counters.failedReads();
    }

    @Override
    public long getEvictions() {
        return pages.evictions();
    }

    @Override
    public long getFramesScanned() {
        return pages.framesScanned();
    }

    @Override
    public int getDirty() {
        return pool.dirtyPages();
    }

    @Override
    public long getPagesWritten() {
        return pages.writer().counters().pages();
    }

    @Override
    public long getWrites() {
        return pages.writer().counters().writes();
    }

    @Override
    public long getFailedWrites() {
        return pages.writer().counters().failedWrites();
    }

    @Override
    public long getReadStalls() {
        return pages.writer().counters().readStalls();
    }

    @Override
    public long getCheckpoints() {
        return pages.writer().counters().checkpoints();
    }

    @Override
    public String describePinned(int most) {
        return pages.describePinned(most);
    }
}
