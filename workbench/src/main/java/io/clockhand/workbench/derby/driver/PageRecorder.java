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
 * <p>Pages become numbers from 0, in the order in which they first appear.
 */
public final class PageRecorder implements AutoCloseable {
    /** A page that was referred to, and the latest of its versions that a reference has ended with. */
    private static final class Known {
        /** Negative before the first reference has ended; guarded by the lock of the trace. */
        private int number = -1;

        private long version;

        Known(long version) {
            this.version = version;
        }

        synchronized boolean isChanged(long now) {
            boolean changed = now > version;
            version = Math.max(version, now);
            return changed;
        }

        synchronized void forget() {
            version = Long.MIN_VALUE;
        }
    }

    /**
     * The counts of a recording.
     *
     * @param pages different ones
     * @param writes references that changed their page
     */
    public record Recorded(long references, long pages, long writes) {}

    private final TraceWriter trace;
    private final ConcurrentMap<PageKey, Known> pages = new ConcurrentHashMap<>();
    /** Those that were given to pages; guarded by the lock of the trace. */
    private int numbers;

    /** Begins a recording, in the file that {@link TraceWriter} makes. */
    public PageRecorder(Path file) throws IOException {
        trace = TraceWriter.create(file);
    }

    /** A page was found; the calling thread has it pinned, and has not latched it yet. */
    void onFound(Cacheable item) {
        known(item);
    }

    /** A page was created, which is a change of it. */
    void onCreated(Cacheable item) {
        Known page = known(item);
        if (page != null) {
            page.forget();
        }
    }

    /** The calling thread is about to release a page. */
    void onRelease(Cacheable item) {
        Known page = known(item);
        if (page != null) {
            boolean isWrite = page.isChanged(((Page) item).getPageVersion());
            synchronized (trace) {
                boolean isNew = page.number < 0;
                if (trace.add(isNew ? numbers : page.number, isWrite) && isNew) {
                    page.number = numbers++;
                }
            }
        }
    }

    /** Null for what is no page, or was not found. */
    private Known known(Cacheable item) {
        if (!(item instanceof Page page) || !(item.getIdentity() instanceof PageKey key)) {
            return null;
        }
        return pages.computeIfAbsent(key, absent -> new Known(page.getPageVersion()));
    }

    /** Throws if something could not be written. */
    public void check() throws IOException {
        trace.check();
    }

    /** Completes the file; throws if that is impossible. */
    public Recorded finish() throws IOException {
        trace.finish();
        synchronized (trace) {
            return new Recorded(trace.references(), numbers, trace.writes());
        }
    }

    /** Drops the recording, unless it is finished. */
    @Override
    public void close() throws IOException {
        trace.close();
    }
}
