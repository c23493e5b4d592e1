// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.internal.pool;

import io.clockhand.internal.frame.FrameState;
import io.clockhand.internal.frame.FrameStates;
import io.clockhand.internal.frame.Latches;
import io.clockhand.internal.metrics.FlightEvents;
import io.clockhand.internal.metrics.WaitEvent;
import io.clockhand.internal.table.PageTable;
import java.io.IOException;
import java.lang.invoke.VarHandle;
import java.time.Duration;

/**
 * Throws pages out that do not exist any more, with those who use them let go first.
 *
 * <p><b>Every frame is looked at</b>, whatever the table says, so a page is found from the moment when its frame is published. A frame
 * that is not bound to the page yet belongs to a thread that has not mapped the page, and will check once more whether it exists when it has
 * ({@link PageSource}). The full fence stands between the caller's word that the pages are gone and the first look; the other thread's CAS
 * that maps the page stands between its binding and its check.
 *
 * <p><b>A page in use</b> is pinned and latched exclusively, and unmapped under that: who comes later does not find it. Those who found
 * it before, and wait for the latch, have it after us; as they are let go there are fewer of them, since none come after them. The frame
 * is claimed when nobody has it, as for an eviction. A thread that gives the wait up leaves the page unmapped, to be evicted like others.
 *
 * <p>Thread-safe.
 */
final class PageExpulsion {
    private final FramePool<IOException> pool;
    private final FrameStates states;
    private final Latches latches;
    private final PageTable table;
    private final PageSource source;
    private final PoolOptions options;

    PageExpulsion(
            FramePool<IOException> pool, Latches latches, PageTable table, PageSource source, PoolOptions options) {
        this.pool = pool;
        this.states = pool.states();
        this.latches = latches;
        this.table = table;
        this.source = source;
        this.options = options;
    }

    /** Throws out all pages of a range; each wait ends after a time. */
    void expel(long first, long last) {
        VarHandle.fullFence();
        int frames = options.softFrames();
        for (int frame = 0; frame < frames; frame++) {
            long id = states.identity(frame);
            if (id >= first && id <= last) {
                expel(frame, id);
            }
        }
    }

    private void expel(int frame, long id) {
        while (states.identity(frame) == id) {
            if (pool.tryClaimAfterLook(frame)) {
                if (states.identity(frame) == id) {
                    pool.remove(frame);
                } else {
                    pool.revoke(frame);
                }
                return;
            }
            long state = states.state(frame);
            if (FrameState.isFree(state) || FrameState.isDoomed(state)) {
                return;
            }
            if (states.tryPin(frame, 0) == FrameStates.NOT_PINNED) {
                pool.awaitUnclaimed(frame);
            } else {
                awaitUsers(frame, id);
            }
        }
    }

    /** Waits for those who use a page, or load it; the caller's pin goes. */
    private void awaitUsers(int frame, long id) {
        try {
            if (states.identity(frame) == id && pool.awaitReady(frame)) {
                unmap(frame, id);
                pool.awaitOnlyPin(frame);
            }
        } finally {
            pool.unpin(frame);
        }
    }

    private void unmap(int frame, long id) {
        if (!latches.tryExclusive(frame)) {
            awaitLatch(frame, id);
        }
        try {
            table.remove(id, frame);
        } finally {
            latches.releaseExclusive(frame);
        }
    }

    private void awaitLatch(int frame, long id) {
        WaitEvent event = FlightEvents.waiting();
        boolean latched = false;
        long begin = System.nanoTime();
        try {
            while (!latches.acquireExclusive(frame, options.longWait().toNanos())) {
                options.onLongWait()
                        .accept(
                                "those who use " + source.describe(id) + ", which is to be thrown out; it is "
                                        + latches.describe(frame),
                                Duration.ofNanos(System.nanoTime() - begin));
            }
            latched = true;
        } finally {
            if (event != null && event.isWanted()) {
                event.record(options.name(), "those who use the page", source.describe(id), !latched);
            }
        }
    }
}
