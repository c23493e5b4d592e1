// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.page;

import io.clockhand.internal.metrics.FlightEvents;
import io.clockhand.internal.metrics.ManagementBean;
import io.clockhand.internal.metrics.PoolStatisticsEvent;
import java.lang.ref.WeakReference;

/**
 * How a pool is watched from outside while it is open: its management bean, if it has one, and its figures in
 * recordings. The bean keeps the pool in memory; the figures do not, so a pool that nobody closes can go.
 */
final class PoolWatch implements AutoCloseable {
    /** Null if there is none. */
    private final ManagementBean bean;

    private final Runnable untell;

    private PoolWatch(ManagementBean bean, Runnable untell) {
        this.bean = bean;
        this.untell = untell;
    }

    static PoolWatch begun(BufferPool pool, BufferPoolBuilder builder) {
        ManagementBean bean = pool.name().isEmpty()
                ? null
                : ManagementBean.register(
                        "BufferPool", pool.name(), new PoolBean(pool, builder), BufferPoolMXBean.class);
        boolean begun = false;
        try {
            WeakReference<BufferPool> watched = new WeakReference<>(pool);
            PoolWatch watch = new PoolWatch(bean, FlightEvents.tellRegularly(() -> tell(watched.get())));
            begun = true;
            return watch;
        } finally {
            if (!begun && bean != null) {
                bean.close();
            }
        }
    }

    private static void tell(BufferPool pool) {
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
        event.framesScanned = stats.framesScanned();
        event.commit();
    }

    /** Ends it. */
    @Override
    public void close() {
        untell.run();
        if (bean != null) {
            bean.close();
        }
    }
}
