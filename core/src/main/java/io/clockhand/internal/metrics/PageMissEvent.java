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
import jdk.jfr.Timespan;

/**
 * One page-in. The calls follow it: {@link #begun}, {@link #searched} or {@link #concurrent}, {@link #filled}, and in
 * any case {@link #finish}; a call that is left out did not happen. Used by one thread.
 */
@Name("io.clockhand.PageMiss")
@Label("Page Miss")
@Category("Clockhand")
@Description("A page that was not in memory: from the search for a frame to the end of the read")
@StackTrace(false)
@Threshold("10 ms")
@SuppressWarnings("UnusedVariable") // Flight Recorder reads the fields
public final class PageMissEvent extends Event implements TimedEvent {
    /** Tells whether such events are recorded; never committed. */
    private static final PageMissEvent PROBE = new PageMissEvent();

    @Label("File")
    @Description("The name of the page's store: a path, as a rule")
    private String file;

    @Label("Page")
    @Description("The number of the page in its file, from 0")
    private long page;

    @Label("Outcome")
    @Description(
            "loaded; created: zeros, not read; wasted: read, but another thread was first; failed: no frame, or not"
                    + " read; lost: another thread has brought the page in meanwhile")
    private String outcome = "failed";

    @Label("Concurrent")
    @Description("Whether the page was read concurrently with the thread that has mapped it (optimistic page-in)")
    private boolean concurrent;

    @Label("Search Time")
    @Description("From the beginning until the page had a frame and was mapped")
    @Timespan(Timespan.NANOSECONDS)
    private long searchNanos;

    @Label("Read Time")
    @Description("The time that the store took to read the page")
    @Timespan(Timespan.NANOSECONDS)
    private long readNanos;

    /** When the step under way began, as a nano time. */
    private transient long since;

    private transient boolean reading;
    private transient PageNames names;
    private transient long id;

    static boolean isOn() {
        return PROBE.isEnabled();
    }

    static PageMissEvent begun() {
        PageMissEvent event = new PageMissEvent();
        event.begin();
        event.since = System.nanoTime();
        return event;
    }

    /**
     * The page has a frame, and is read now.
     *
     * @param mapped false if another thread has mapped the page before, which ends this
     */
    public void searched(boolean mapped) {
        long now = System.nanoTime();
        searchNanos = now - since;
        since = now;
        reading = mapped;
        if (!mapped) {
            outcome = "lost";
        }
    }

    /** The page is read into a spare buffer, without a search. */
    public void concurrent() {
        concurrent = true;
        reading = true;
    }

    /**
     * The bytes are there.
     *
     * @param read false if they are zeros that were not read
     * @param used false if another thread was first
     */
    public void filled(boolean read, boolean used) {
        readNanos = System.nanoTime() - since;
        if (!used) {
            outcome = "wasted";
        } else {
            outcome = read ? "loaded" : "created";
        }
    }

    /**
     * States which page is to be brought in.
     *
     * @param pageNames names it when the event is recorded
     * @param pageId the page
     */
    public void page(PageNames pageNames, long pageId) {
        names = pageNames;
        id = pageId;
    }

    @Override
    public void finish() {
        end();
        if (!shouldCommit()) {
            return;
        }
        if (outcome.equals("failed")) {
            long now = System.nanoTime();
            if (reading) {
                readNanos = now - since;
            } else {
                searchNanos = now - since;
            }
        }
        file = names.file(id);
        page = names.page(id);
        commit();
    }
}
