// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.internal.metrics;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.Threshold;

/** One wait of a thread for others. Used by one thread. Only tests extend it. */
@Name("io.clockhand.Wait")
@Label("Wait")
@Category("Clockhand")
@Description("A wait for another thread: for a latch, a page that it reads or evicts, a frame that it has pinned, a"
        + " file that it extends; or for the engine's log to be durable")
@Threshold("10 ms")
@SuppressWarnings("UnusedVariable") // Flight Recorder reads the fields
public class WaitEvent extends Event implements TimedEvent {
    /** Tells whether such events are recorded; never committed. */
    private static final WaitEvent PROBE = new WaitEvent();

    @Label("Pool")
    @Description("The name of the pool's management bean, if it has one")
    private String pool;

    @Label("Waited For")
    @Description("What the thread waited for, in the words of the message of a timeout")
    private String waitedFor;

    @Label("Content")
    @Description("The page, the key of the object, or the file; none if any frame will do")
    private String content;

    @Label("Timed Out")
    @Description("Whether the wait has timed out")
    private boolean timedOut;

    static boolean isOn() {
        return PROBE.isEnabled();
    }

    static WaitEvent begun() {
        WaitEvent event = new WaitEvent();
        event.begin();
        return event;
    }

    /**
     * States what has been waited for.
     *
     * @param poolName the name of the pool
     * @param what names what the thread waited for
     * @param whose the page, object or file; null for none
     * @param isTimedOut whether the wait has timed out
     */
    public void waited(String poolName, String what, String whose, boolean isTimedOut) {
        pool = poolName;
        waitedFor = what;
        content = whose;
        timedOut = isTimedOut;
    }

    @Override
    public void finish() {
        end();
        if (shouldCommit()) {
            commit();
        }
    }
}
