// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.derby;

import java.util.Map;

/**
 * Figures of one of Derby's caches on Clockhand, for management consoles. There is one for each cache that has a
 * management bean of Derby's own (the caches of pages, containers and statements) and each database that runs, named
 * {@code io.clockhand:type=HolderCache,name=CACHE,db=DATABASE,system=ENGINE}.
 *
 * <p>Counts are exact and cover the time in which {@link #isCollectAccessCounts} was on; while it is off nothing is
 * stored for them. Sizes are numbers of objects (of pages, whatever their size in bytes) at the moment of the call.
 * Thread-safe. Reading an attribute may scan all frames of the cache, but never waits.
 */
public interface HolderCacheMXBean {
    /** {@return the replacement policy} */
    String getPolicy();

    /** {@return how the hand of a clock is moved} */
    String getHand();

    /** {@return where keys are looked up} */
    String getTable();

    /** {@return whether counts are collected; the same switch as that of Derby's own bean} */
    boolean isCollectAccessCounts();

    /**
     * Starts or stops collecting.
     *
     * @param collect whether to count from now on
     */
    void setCollectAccessCounts(boolean collect);

    /** {@return the objects it may hold as long as not all of them are in use} */
    int getCapacity();

    /** {@return its frames now; more than the capacity after many objects were in use at one time} */
    int getFrames();

    /** {@return the objects in it now} */
    int getResident();

    /** {@return the most objects in it at any time, or a few more} */
    int getMaxResident();

    /** {@return the objects in use now} */
    int getPinned();

    /** {@return finds that found their object} */
    long getHits();

    /** {@return finds that did not find their object, whether they loaded it or not} */
    long getMisses();

    /** {@return whether the cache estimates hit ratios: the property {@code advises}} */
    boolean isAdvising();

    /**
     * {@return the estimated hit ratios, from 0 to 1; empty if nothing is estimated. A key is the name of a policy and
     * the size by that of the cache, as in {@code lirs at 0.5}}
     */
    Map<String, Double> getEstimatedHitRatios();

    /** Starts the estimates anew: references so far no longer count. */
    void resetEstimates();

    /** {@return the references on which the estimates rest} */
    long getSampledReferences();

    /** {@return objects that were evicted} */
    long getEvictions();

    /** {@return frames scanned in search of victims: one for each step of a clock hand} */
    long getFramesScanned();

    /** {@return objects that were chosen as victims, but were dirty, so they stayed and were queued for cleaning} */
    long getDirtyVictims();

    /** {@return objects in the cleaning queue now, including some that no longer need to be written} */
    int getQueuedForCleaning();

    /** {@return objects from the queue that Derby's daemon wrote back} */
    long getBackgroundCleans();

    /** {@return objects that a find wrote back itself, because it could not wait for the cleaner} */
    long getForegroundCleans();
}
