// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.internal.metrics;

import jdk.jfr.Category;
import jdk.jfr.DataAmount;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.Period;
import jdk.jfr.StackTrace;
import jdk.jfr.Timespan;

/** The statistics of a page pool, at regular intervals. Filled by the pool, which commits it. */
@Name("io.clockhand.PoolStatistics")
@Label("Pool Statistics")
@Category("Clockhand")
@Description(
        "The statistics of a page pool, which scans every frame for them. Counts increase only while the pool collects"
                + " statistics")
@StackTrace(false)
@Period("10 s")
public final class PoolStatisticsEvent extends Event {
    @Label("Pool")
    @Description("The name of the pool's management bean, if it has one")
    public String pool;

    @Label("Collecting")
    @Description("Whether the pool counts hits, misses, reads and evictions")
    public boolean collecting;

    @Label("Capacity")
    @Description("The number of bytes of pages that the pool can hold")
    @DataAmount
    public long capacityBytes;

    @Label("Page Size")
    @DataAmount
    public int pageBytes;

    @Label("Frames")
    public int frames;

    @Label("Pinned Frames")
    public int pinned;

    @Label("Free Frames")
    public int free;

    @Label("Hits")
    public long hits;

    @Label("Misses")
    public long misses;

    @Label("Pages Prefetched")
    public long prefetches;

    @Label("Reads")
    public long reads;

    @Label("Wasted Reads")
    @Description("Reads whose bytes were not used, because another thread was first")
    public long wastedReads;

    @Label("Failed Reads")
    public long failedReads;

    @Label("Evictions")
    public long evictions;

    @Label("Victim Searches")
    @Description("Searches for a victim that scanned at least one frame")
    public long searches;

    @Label("Frames Scanned")
    @Description("Frames that the policy scanned for victims")
    public long framesScanned;

    @Label("Dirty Pages")
    public int dirty;

    @Label("Pages Written")
    public long pagesWritten;

    @Label("Writes")
    @Description("Writes of one page, of adjacent ones, or of a batch")
    public long writes;

    @Label("Batches")
    @Description("Batches of which at least one page was written")
    public long batches;

    @Label("Failed Writes")
    public long failedWrites;

    @Label("Read Stalls")
    @Description("How often a miss found no frame at once, and has waited for one or written pages itself")
    public long readStalls;

    @Label("Read Stall Time")
    @Timespan(Timespan.NANOSECONDS)
    public long readStallNanos;

    @Label("Paced Changes")
    @Description("How often a thread had to write pages before it could change one")
    public long pacedChanges;

    @Label("Log Waits")
    @Description("How often the log was asked to be durable before a batch was written")
    public long logWaits;

    @Label("Log Wait Time")
    @Description("The time of these waits together")
    @Timespan(Timespan.NANOSECONDS)
    public long logWaitNanos;

    @Label("Checkpoints")
    public long checkpoints;

    @Label("Last Checkpoint Time")
    @Timespan(Timespan.NANOSECONDS)
    public long lastCheckpointNanos;

    @Label("Last Checkpoint Distance")
    @Description("From the redo position of the last checkpoint to the end of the log then, in units of the log")
    public long lastCheckpointDistance;
}
