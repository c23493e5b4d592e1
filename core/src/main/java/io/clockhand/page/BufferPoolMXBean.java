// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.page;

import java.io.IOException;
import java.util.Map;

/**
 * A {@link BufferPool} for management consoles: {@code io.clockhand:type=BufferPool,name=NAME}, if it was {@linkplain
 * BufferPoolBuilder#name named}, until the pool is closed.
 *
 * <p>Counts cover the time in which {@link #isCollecting} was on; while it is off nothing is stored for them.
 * Thread-safe. No attribute waits for anything; {@link #getPinned}, {@link #getFree} and {@link #describePinned} scan
 * all frames.
 */
public interface BufferPoolMXBean {
    /** {@return the name that the builder was given} */
    String getName();

    /** {@return the replacement policy now} */
    String getPolicy();

    /** {@return how the hand of a clock is moved; without effect if the policy has no hand} */
    String getHand();

    /** {@return the kind of table in which pages are looked up} */
    String getTable();

    /** {@return how a thread obtains a page that another thread is reading} */
    String getPageIn();

    /** {@return the size of a page in bytes} */
    int getPageBytes();

    /** {@return the capacity in bytes of pages} */
    long getCapacityBytes();

    /** {@return the capacity in pages} */
    int getFrames();

    /** {@return the greatest capacity in pages to which the pool can be resized} */
    int getMaxFrames();

    /**
     * Changes the capacity, see {@link BufferPool#resize}.
     *
     * @param frames the capacity in pages
     * @throws IOException if a page could not be written whose frame is given up
     */
    void resize(int frames) throws IOException;

    /**
     * Exchanges the replacement policy, see {@link BufferPool#switchPolicy(String)}.
     *
     * @param policyName the name of the next one
     */
    void switchPolicy(String policyName);

    /** {@return the kind of memory in which the pages lie, see {@link MemoryStats#kind}} */
    String getMemory();

    /** {@return the memory that the pool has obtained for pages, see {@link MemoryStats#bytes}} */
    long getMemoryBytes();

    /** {@return frames that are pinned now} */
    int getPinned();

    /** {@return frames that hold nothing now} */
    int getFree();

    /** {@return the most frames that have held a page at one time} */
    int getPeakFrames();

    /** {@return the number of pages of each file, by its name; further files of a name have their number appended} */
    Map<String, Long> getFiles();

    /** {@return whether counts are collected} */
    boolean isCollecting();

    /**
     * Starts or stops collecting.
     *
     * @param on whether to count from now on
     */
    void setCollecting(boolean on);

    /** {@return fixes that found their page mapped, and optimistic reads, each attempt} */
    long getHits();

    /** {@return fixes that mapped their page, and creations} */
    long getMisses();

    /** {@return hits by hits and misses, from 0 to 1; NaN if there were neither} */
    double getHitRatio();

    /** {@return whether the pool estimates hit ratios, see {@link PoolTuning#advises}} */
    boolean isAdvising();

    /**
     * {@return the estimated hit ratios, from 0 to 1; empty if nothing is estimated. A key is the name of a policy and
     * the size by that of the pool, as in {@code lirs at 0.5}}
     */
    Map<String, Double> getEstimatedHitRatios();

    /** Starts the estimates anew, see {@link BufferPool#resetEstimates}. */
    void resetEstimates();

    /** {@return the references on which the estimates rest} */
    long getSampledReferences();

    /** {@return pages that a prefetch mapped} */
    long getPrefetches();

    /** {@return reads begun} */
    long getReads();

    /** {@return reads that succeeded, but whose bytes were not used} */
    long getWastedReads();

    /** {@return wasted reads by reads, from 0 to 1; NaN if there were none} */
    double getWastedReadRatio();

    /** {@return reads that failed} */
    long getFailedReads();

    /** {@return pages that were evicted} */
    long getEvictions();

    /** {@return searches for a victim that scanned at least one frame} */
    long getVictimSearches();

    /** {@return frames that the policy scanned for victims} */
    long getFramesScanned();

    /** {@return the mean number of frames that a search for a victim scanned; NaN if there was none} */
    double getScanLength();

    /** {@return pages that are dirty now: changed, and not written since} */
    int getDirty();

    /** {@return pages that were written to their files since the pool was built} */
    long getPagesWritten();

    /** {@return writes that have succeeded since the pool was built, each of one page, adjacent ones or a batch} */
    long getWrites();

    /** {@return batches since the pool was built of which at least one page was written} */
    long getBatches();

    /** {@return pages written by batches; NaN if there was none} */
    double getPagesPerBatch();

    /** {@return writes that have failed since the pool was built; their pages stay dirty} */
    long getFailedWrites();

    /** {@return how often a miss found no frame at once, and has waited for one or written pages itself} */
    long getReadStalls();

    /** {@return how long these misses waited together, in milliseconds} */
    double getReadStallMillis();

    /** {@return how often a thread had to write pages before it could change one, since most frames were dirty} */
    long getPacedChanges();

    /** {@return how often the log was asked to be durable before a batch was written; 0 without a log} */
    long getLogWaits();

    /** {@return the time of these waits together, in milliseconds} */
    double getLogWaitMillis();

    /** {@return checkpoints that have succeeded since the pool was built} */
    long getCheckpoints();

    /** {@return how long the last checkpoint that has succeeded took, in milliseconds; 0 before the first} */
    double getLastCheckpointMillis();

    /**
     * {@return the log between the redo position of that checkpoint and the end of the log then, in units of the log}
     */
    long getLastCheckpointDistance();

    /**
     * Names pages that are pinned now, and the mode in which each is latched.
     *
     * @param most how many
     * @return a text; empty if none is pinned
     */
    String describePinned(int most);
}
