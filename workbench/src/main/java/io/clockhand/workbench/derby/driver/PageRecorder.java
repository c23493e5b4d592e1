// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.derby.driver;

import io.clockhand.workbench.workload.TraceWriter;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.apache.derby.iapi.services.cache.Cacheable;
import org.apache.derby.iapi.store.raw.Page;
import org.apache.derby.iapi.store.raw.PageKey;

/**
 * Records the references of a running Derby to pages. Thread-safe.
 *
 * <p>A reference lasts from the find of a page to its release, and is recorded at its end, when it is known whether it
 * has changed the page. Derby raises the version of a page with every logged change, so a reference is a write if it
 * ends with a version that no earlier one has seen. A change is one write, even if another thread releases the page
 * between the change and the end of the reference that made it: then that thread's reference is the write.
 *
 * <p>Pages become numbers from 0, in the order of their first records.
 */
public final class PageRecorder implements AutoCloseable {
    /** A page that was referred to; guarded by the recorder. */
    private static final class Known {
        /** Negative before the first record. */
        private int number = -1;
        /** The latest that a reference has ended with, or that the page was found with. */
        private long version;

        Known(long version) {
            this.version = version;
        }
    }

    private final TraceWriter trace;
    private final ConcurrentMap<PageKey, Known> pages = new ConcurrentHashMap<>();
    private int numbers;

    /** Begins a recording, in the file that {@link TraceWriter} makes. */
    public PageRecorder(Path file) throws IOException {
        trace = TraceWriter.create(file);
    }

    /** A page was found; the calling thread has it pinned, and has not latched it yet. */
    void onFound(Object item) {
        known(item);
    }

    /** A page was created, which is a change of it. */
    synchronized void onCreated(Object item) {
        Known page = known(item);
        if (page != null) {
            page.version = Long.MIN_VALUE;
        }
    }

    /** The calling thread is about to release a page. */
    synchronized void onRelease(Object item) {
        Known page = known(item);
        if (page != null) {
            long now = ((Page) item).getPageVersion();
            boolean isWrite = now > page.version;
            page.version = Math.max(page.version, now);
            if (page.number < 0) {
                page.number = numbers++;
            }
            trace.add(page.number, isWrite);
        }
    }

    /** Null for what is no page, or was not found. */
    private Known known(Object item) {
        return item instanceof Page page && ((Cacheable) item).getIdentity() instanceof PageKey key
                ? pages.computeIfAbsent(key, absent -> new Known(page.getPageVersion()))
                : null;
    }

    /** Throws if something could not be written. */
    public void check() throws IOException {
        trace.check();
    }

    /** Completes the file; throws if that is impossible. */
    public void finish() throws IOException {
        trace.finish();
    }

    /** Drops the recording, unless it is finished. */
    @Override
    public void close() throws IOException {
        trace.close();
    }
}
