// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.page;

import io.clockhand.internal.metrics.FlightEvents;
import io.clockhand.internal.metrics.ManagementBean;
import io.clockhand.internal.metrics.PoolStatisticsEvent;
import java.lang.ref.Cleaner;
import java.lang.ref.WeakReference;

/**
 * The monitoring of an open pool: its management bean, if it has one, and its periodic statistics event. Both refer to
 * the pool weakly, and end when it is collected, if it was never closed: so the platform's server and the flight
 * recorder keep neither the pool nor its class loader, nor its name.
 */
final class PoolWatch implements AutoCloseable {
    private static final Cleaner CLEANER = Cleaner.create();

    private final Cleaner.Cleanable end;

    /** Ends the monitoring. The bean is null if there is none. */
    private record End(ManagementBean bean, Runnable endRecording) implements Runnable {
        @Override
        public void run() {
            endRecording.run();
            if (bean != null) {
                bean.close();
            }
        }
    }

    private PoolWatch(Cleaner.Cleanable end) {
        this.end = end;
    }

    static PoolWatch begun(BufferPool pool, BufferPoolBuilder builder) {
        ManagementBean bean = pool.name().isEmpty()
                ? null
                : ManagementBean.register(
                        "BufferPool", pool.name(), new PoolBean(pool, builder), BufferPoolMXBean.class);
        boolean begun = false;
        try {
            WeakReference<BufferPool> watched = new WeakReference<>(pool);
            End end = new End(
                    bean, FlightEvents.recordRegularly(() -> PoolStatisticsEvent.class, () -> record(watched.get())));
            PoolWatch watch = new PoolWatch(CLEANER.register(pool, end));
            begun = true;
            return watch;
        } finally {
            if (!begun && bean != null) {
                bean.close();
            }
        }
    }

    private static void record(BufferPool pool) {
        if (pool == null || pool.isClosed()) {
            return;
        }
        PoolStatisticsEvent event = new PoolStatisticsEvent();
        PoolStats stats = pool.stats();
        event.pool = pool.name();
        event.collecting = pool.pages().counters().isCollecting();
        event.pageBytes = pool.pageBytes();
        event.capacityBytes = (long) pool.frames() * pool.pageBytes();
        event.frames = stats.frames();
        event.pinned = stats.pinned();
        event.free = stats.free();
        event.hits = stats.hits();
        event.misses = stats.misses();
        event.prefetches = stats.prefetches();
        event.reads = stats.reads();
        event.wastedReads = stats.wastedReads();
        event.failedReads = stats.failedReads();
        event.evictions = stats.evictions();
        event.searches = stats.searches();
        event.framesScanned = stats.framesScanned();
        event.dirty = stats.writing().dirtyPages();
        event.pagesWritten = stats.writing().pagesWritten();
        event.writes = stats.writing().writes();
        event.batches = stats.writing().batches();
        event.failedWrites = stats.writing().failedWrites();
        event.readStalls = stats.writing().readStalls();
        event.readStallNanos = stats.writing().readStallNanos();
        event.pacedChanges = stats.writing().pacedChanges();
        event.logWaits = stats.writing().logWaits();
        event.logWaitNanos = stats.writing().logWaitNanos();
        event.checkpoints = stats.writing().checkpoints();
        event.lastCheckpointNanos = stats.writing().lastCheckpointNanos();
        event.lastCheckpointDistance = stats.writing().lastCheckpointDistance();
        event.commit();
    }

    /** Ends it. */
    @Override
    public void close() {
        end.clean();
    }
}
