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

/**
 * One pass of the flusher, by one thread: a batch, and why it was written. The calls follow it: {@link #begun}, {@link
 * #writes}, {@link #wrote}; a call that is left out did not happen. Used by one thread.
 */
@Name("io.clockhand.FlusherPass")
@Label("Flusher Pass")
@Category("Clockhand")
@Description("A thread that writes dirty pages, one batch or a few: from the choice of the pages to the end of the"
        + " last write. A pass that finds nothing to write is not recorded")
@StackTrace(false)
@Threshold("10 ms")
@SuppressWarnings("UnusedVariable") // Flight Recorder reads the fields
public final class FlusherPassEvent extends Event implements TimedEvent {
    /** Tells whether such events are recorded; never committed. */
    private static final FlusherPassEvent PROBE = new FlusherPassEvent();

    @Label("Pool")
    @Description("The name of the pool's management bean, if it has one")
    private String pool;

    @Label("Reason")
    @Description("queue: a search for a frame has met the pages; dirty: many frames are dirty; flush: a flush or a"
            + " checkpoint needs them; interval: the pages have been dirty for long; change: a thread had to write"
            + " before it could change a page, since most frames are dirty")
    private String reason;

    @Label("Dirty Pages")
    @Description("Pages that were dirty at the beginning")
    private int dirty;

    @Label("Pages Written")
    private int pagesWritten;

    @Label("Failed")
    @Description("Whether a page or the log could not be written")
    private boolean failed;

    static boolean isOn() {
        return PROBE.isEnabled();
    }

    static FlusherPassEvent begun(String poolName, int dirtyPages) {
        FlusherPassEvent event = new FlusherPassEvent();
        event.begin();
        event.pool = poolName;
        event.dirty = dirtyPages;
        return event;
    }

    /**
     * Pages are about to be written.
     *
     * @param why one of the reasons
     */
    public void writes(String why) {
        reason = why;
        failed = true;
    }

    /**
     * Pages were written.
     *
     * @param pages their number
     */
    public void wrote(int pages) {
        pagesWritten = pages;
        failed = false;
    }

    @Override
    public void finish() {
        if (pagesWritten == 0 && !failed) {
            return;
        }
        end();
        if (shouldCommit()) {
            commit();
        }
    }
}
