// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.internal.metrics;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import jdk.jfr.Threshold;

/** One search for a victim. Used by one thread. */
@Name("io.clockhand.VictimSearch")
@Label("Victim Search")
@Category("Clockhand")
@Description("A search for a frame while none is free: until a victim is empty, or the pool is found exhausted")
@StackTrace(false)
@Threshold("1 ms")
@SuppressWarnings("UnusedVariable") // Flight Recorder reads the fields
public final class VictimSearchEvent extends Event implements TimedEvent {
    /** Tells whether such events are recorded; never committed. */
    private static final VictimSearchEvent PROBE = new VictimSearchEvent();

    @Label("Pool")
    @Description("The name of the pool's management bean, if it has one")
    private String pool;

    @Label("Frames")
    @Description("The number of frames of the pool")
    private int frames;

    @Label("Frames Scanned")
    @Description("Frames that the policy scanned: one for each step of a hand")
    private long framesScanned;

    @Label("Declined")
    @Description("Victims that were given back because they were dirty")
    private int declined;

    @Label("Waits")
    @Description("The number of times the thread slept before it searched again, since there was no frame")
    private int waits;

    @Label("Read Stalls")
    @Description("The number of times the thread found no clean frame, and wrote dirty ones itself")
    private int readStalls;

    @Label("Exhausted")
    @Description("Whether the search was given up, since all frames were pinned for too long")
    private boolean exhausted;

    static boolean isOn() {
        return PROBE.isEnabled();
    }

    static VictimSearchEvent begun() {
        VictimSearchEvent event = new VictimSearchEvent();
        event.begin();
        return event;
    }

    /**
     * States how the search went.
     *
     * @param poolName the name of the pool
     * @param poolFrames its number of frames
     * @param scannedFrames frames that the policy scanned
     * @param declinedVictims dirty victims
     * @param sleeps the number of times the thread slept
     * @param stalls the number of times the thread wrote dirty frames itself
     * @param isExhausted whether the search has failed
     */
    public void searched(
            String poolName,
            int poolFrames,
            long scannedFrames,
            int declinedVictims,
            int sleeps,
            int stalls,
            boolean isExhausted) {
        pool = poolName;
        frames = poolFrames;
        framesScanned = scannedFrames;
        declined = declinedVictims;
        waits = sleeps;
        readStalls = stalls;
        exhausted = isExhausted;
    }

    @Override
    public void finish() {
        end();
        if (shouldCommit()) {
            commit();
        }
    }
}
