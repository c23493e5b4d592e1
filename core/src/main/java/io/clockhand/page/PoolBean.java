// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.page;

import io.clockhand.HitRatioEstimate;
import io.clockhand.internal.flush.WriteCounters;
import io.clockhand.internal.page.PageCounters;
import io.clockhand.internal.page.PagePool;
import java.io.IOException;
import java.lang.ref.WeakReference;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * A pool as its management bean shows it; the bean refers to it weakly. Scans all frames only for the attributes that
 * need it. Thread-safe.
 */
final class PoolBean implements BufferPoolMXBean {
    private static final double NANOS_OF_A_MILLISECOND = 1e6;

    private final WeakReference<BufferPool> pool;
    private final String hand;
    private final String table;
    private final String pageIn;

    PoolBean(BufferPool pool, BufferPoolBuilder builder) {
        this.pool = new WeakReference<>(pool);
        this.hand = builder.hand().label();
        this.table = builder.table().label();
        this.pageIn = builder.pageIn().label();
    }

    /** {@return the pool, if it is in use still} */
    private BufferPool pool() {
        BufferPool found = pool.get();
        if (found == null) {
            throw new IllegalStateException("the pool was not closed, and nobody uses it any more");
        }
        return found;
    }

    private PagePool pages() {
        return pool().pages();
    }

    private PageCounters counters() {
        return pages().counters();
    }

    private WriteCounters writes() {
        return pages().writer().counters();
    }

    @Override
    public String getName() {
        return pool().name();
    }

    @Override
    public String getPolicy() {
        return pool().policy();
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
        return pool().pageBytes();
    }

    @Override
    public long getCapacityBytes() {
        return (long) pool().frames() * pool().pageBytes();
    }

    @Override
    public int getFrames() {
        return pool().frames();
    }

    @Override
    public int getMaxFrames() {
        return pool().maxFrames();
    }

    @Override
    public void resize(int frames) throws IOException {
        pool().resize(frames);
    }

    @Override
    public void switchPolicy(String policyName) {
        pool().switchPolicy(policyName);
    }

    @Override
    public String getMemory() {
        return pool().memoryStats().kind();
    }

    @Override
    public long getMemoryBytes() {
        return pool().memoryStats().bytes();
    }

    @Override
    public int getPinned() {
        return pages().pinned();
    }

    @Override
    public int getFree() {
        return pages().free();
    }

    @Override
    public int getPeakFrames() {
        return pages().peakFrames();
    }

    @Override
    public Map<String, Long> getFiles() {
        return pool().files().pagesByName();
    }

    @Override
    public boolean isCollecting() {
        return counters().isCollecting();
    }

    @Override
    public void setCollecting(boolean on) {
        pool().collectStats(on);
    }

    @Override
    public long getHits() {
        return counters().hits();
    }

    @Override
    public long getMisses() {
        return counters().misses();
    }

    @Override
    public double getHitRatio() {
        long hits = counters().hits();
        return (double) hits / (hits + counters().misses());
    }

    @Override
    public boolean isAdvising() {
        return pages().advice() != null;
    }

    @Override
    public Map<String, Double> getEstimatedHitRatios() {
        Map<String, Double> ratios = new LinkedHashMap<>();
        for (HitRatioEstimate estimate : pool().estimates()) {
            ratios.put(estimate.label(), estimate.hitRatio());
        }
        return ratios;
    }

    @Override
    public void resetEstimates() {
        pool().resetEstimates();
    }

    @Override
    public long getSampledReferences() {
        return pool().estimates().stream()
                .mapToLong(HitRatioEstimate::sampled)
                .max()
                .orElse(0);
    }

    @Override
    public long getPrefetches() {
        return counters().prefetches();
    }

    @Override
    public long getReads() {
        return counters().reads();
    }

    @Override
    public long getWastedReads() {
        return counters().wastedReads();
    }

    @Override
    public double getWastedReadRatio() {
        return (double) counters().wastedReads() / counters().reads();
    }

    @Override
    public long getFailedReads() {
        return counters().failedReads();
    }

    @Override
    public long getEvictions() {
        return pages().evictions();
    }

    @Override
    public long getFramesScanned() {
        return pages().framesScanned();
    }

    @Override
    public long getVictimSearches() {
        return pages().searches();
    }

    @Override
    public double getScanLength() {
        return (double) pages().framesScanned() / getVictimSearches();
    }

    @Override
    public int getDirty() {
        return pool().dirtyPages();
    }

    @Override
    public long getPagesWritten() {
        return writes().pages();
    }

    @Override
    public long getWrites() {
        return writes().writes();
    }

    @Override
    public long getBatches() {
        return writes().batches();
    }

    @Override
    public double getPagesPerBatch() {
        long batches = writes().batches(); // first: a batch counts after its pages
        return batches == 0 ? Double.NaN : (double) writes().pages() / batches;
    }

    @Override
    public long getFailedWrites() {
        return writes().failedWrites();
    }

    @Override
    public long getReadStalls() {
        return writes().readStalls();
    }

    @Override
    public double getReadStallMillis() {
        return writes().readStallNanos() / NANOS_OF_A_MILLISECOND;
    }

    @Override
    public long getPacedChanges() {
        return writes().pacedChanges();
    }

    @Override
    public long getLogWaits() {
        return writes().logWaits();
    }

    @Override
    public double getLogWaitMillis() {
        return writes().logWaitNanos() / NANOS_OF_A_MILLISECOND;
    }

    @Override
    public double getLastCheckpointMillis() {
        return writes().lastCheckpointNanos() / NANOS_OF_A_MILLISECOND;
    }

    @Override
    public long getLastCheckpointDistance() {
        return writes().lastCheckpointDistance();
    }

    @Override
    public long getCheckpoints() {
        return writes().checkpoints();
    }

    @Override
    public String describePinned(int most) {
        return pages().describePinned(most);
    }
}
