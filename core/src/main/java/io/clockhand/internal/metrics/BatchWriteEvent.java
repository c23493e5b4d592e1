// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.internal.metrics;

import jdk.jfr.Category;
import jdk.jfr.DataAmount;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import jdk.jfr.Threshold;
import jdk.jfr.Timespan;

/** One batch of changed pages. Used by one thread. */
@Name("io.clockhand.BatchWrite")
@Label("Batch Write")
@Category("Clockhand")
@Description("Changed pages that are written together: from their copies to the end of the last write")
@StackTrace(false)
@Threshold("10 ms")
@SuppressWarnings("UnusedVariable") // Flight Recorder reads the fields
public final class BatchWriteEvent extends Event implements TimedEvent {
    /** Tells whether such events are recorded; never committed. */
    private static final BatchWriteEvent PROBE = new BatchWriteEvent();

    @Label("Pool")
    @Description("The name of the pool's management bean, if it has one")
    private String pool;

    @Label("File")
    @Description("The name of the store of the first page: a path, as a rule")
    private String file;

    @Label("First Page")
    @Description("The number of the first page in its file, from 0")
    private long page;

    @Label("Pages")
    private int pages;

    @Label("Pages Written")
    @Description("Pages that have reached their files; the others are dirty again")
    private int pagesWritten;

    @Label("Bytes")
    @Description("The size of all pages of the batch")
    @DataAmount
    private long bytes;

    @Label("Writes")
    @Description("Calls of stores, with or without success; each has one page, adjacent ones, or all of a batch")
    private int writes;

    @Label("Log Wait")
    @Description("The time in which the log was made durable, before the first write")
    @Timespan(Timespan.NANOSECONDS)
    private long logNanos;

    private transient PageNames names;
    private transient long id;

    static boolean isOn() {
        return PROBE.isEnabled();
    }

    static BatchWriteEvent begun() {
        BatchWriteEvent event = new BatchWriteEvent();
        event.begin();
        return event;
    }

    /**
     * States the result.
     *
     * @param copied the number of pages of the batch
     * @param written the number of those that have reached their files
     * @param copiedBytes the size of the batch
     * @param calls the number of writes
     * @param logWait the time in which the log was made durable, in nanoseconds
     */
    public void wrote(int copied, int written, long copiedBytes, int calls, long logWait) {
        pages = copied;
        pagesWritten = written;
        bytes = copiedBytes;
        writes = calls;
        logNanos = logWait;
    }

    /**
     * States what was to be written.
     *
     * @param poolName the name of the pool
     * @param pageNames names the first page when the event is recorded
     * @param pageId that page
     */
    public void batch(String poolName, PageNames pageNames, long pageId) {
        pool = poolName;
        names = pageNames;
        id = pageId;
    }

    @Override
    public void finish() {
        end();
        if (shouldCommit()) {
            file = names.file(id);
            page = names.page(id);
            commit();
        }
    }
}
