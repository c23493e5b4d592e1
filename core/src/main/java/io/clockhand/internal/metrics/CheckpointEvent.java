// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.internal.metrics;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;

/** One checkpoint. The calls follow it: {@link #begun}, {@link #wrote}, {@link #taken}. Used by one thread. */
@Name("io.clockhand.Checkpoint")
@Label("Checkpoint")
@Category("Clockhand")
@Description("A checkpoint of a page pool: from the call to the end of the force. Positions and the distance are in"
        + " units of the engine's log")
@StackTrace(false)
@SuppressWarnings("UnusedVariable") // Flight Recorder reads the fields
public final class CheckpointEvent extends Event implements TimedEvent {
    /** Tells whether such events are recorded; never committed. */
    private static final CheckpointEvent PROBE = new CheckpointEvent();

    @Label("Pool")
    @Description("The name of the pool's management bean, if it has one")
    private String pool;

    @Label("Dirty Pages")
    @Description("Pages that were dirty at the beginning")
    private int dirty;

    @Label("Pages Written")
    @Description("Pages that the checkpoint wrote itself, since it was asked to go up to a position")
    private int pagesWritten;

    @Label("Redo LSN")
    @Description("Where redo begins after a crash; 0 if the checkpoint has failed")
    private long redo;

    @Label("Log End")
    @Description("Where the log ended when the dirty pages were scanned; 0 if the checkpoint has failed")
    private long logEnd;

    @Label("Distance")
    @Description("From the redo LSN to that end: the log that redo would read")
    private long distance;

    @Label("Failed")
    @Description("Whether a page could not be written, or a file not be forced")
    private boolean failed = true;

    static boolean isOn() {
        return PROBE.isEnabled();
    }

    static CheckpointEvent begun(String poolName, int dirtyPages) {
        CheckpointEvent event = new CheckpointEvent();
        event.begin();
        event.pool = poolName;
        event.dirty = dirtyPages;
        return event;
    }

    /**
     * States what the checkpoint has written first.
     *
     * @param pages the number of pages
     */
    public void wrote(int pages) {
        pagesWritten = pages;
    }

    /**
     * The checkpoint has succeeded.
     *
     * @param redoLsn where redo begins
     * @param end where the log ended
     */
    public void taken(long redoLsn, long end) {
        redo = redoLsn;
        logEnd = end;
        distance = end - redoLsn;
        failed = false;
    }

    @Override
    public void finish() {
        end();
        if (shouldCommit()) {
            commit();
        }
    }
}
