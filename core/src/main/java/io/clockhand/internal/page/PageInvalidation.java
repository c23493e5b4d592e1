// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.internal.page;

import io.clockhand.internal.frame.FrameState;
import io.clockhand.internal.frame.FrameStates;
import io.clockhand.internal.frame.Latches;
import io.clockhand.internal.metrics.FlightEvents;
import io.clockhand.internal.metrics.WaitEvent;
import io.clockhand.internal.pool.FramePool;
import io.clockhand.internal.pool.PoolOptions;
import io.clockhand.internal.table.PageTable;
import java.io.IOException;
import java.lang.invoke.VarHandle;
import java.time.Duration;
import java.util.concurrent.locks.Lock;

/**
 * Throws pages out that do not exist any more, when those who use them have let go.
 *
 * <p><b>Every frame is looked at</b>, whatever the table says, so a page is found from the moment when its frame is published. A frame
 * that is not bound to the page yet belongs to a thread that has not mapped the page, and will check once more whether it exists when it has
 * ({@link PageSource}). The full fence stands between the caller's word that the pages are gone and the first look; the other thread's CAS
 * that maps the page stands between its binding and its check.
 *
 * <p><b>First all are unmapped</b>, each under a pin, so that nobody who comes later finds one, however long the wait for another is. Those
 * who have found one before may come in still; there are fewer and fewer of them. <b>Then each frame is claimed</b>, as for an eviction,
 * when nobody uses it: to wait for those who have a share or a latch is to take the latch exclusively, once. A frame that was given up
 * because its page could not be read is waited for, too: another thread may be reading the page into a buffer of its own. A thread that
 * gives a wait up leaves pages unmapped in their frames, to be evicted like others.
 *
 * <p>Thread-safe.
 */
final class PageInvalidation {
    private final FramePool<IOException> pool;
    private final FrameStates states;
    private final Latches latches;
    private final PageTable table;
    private final PageSource source;
    private final PoolOptions options;
    /** The lock of blocking page-in, or null. */
    private final Lock blocking;

    PageInvalidation(
            FramePool<IOException> pool,
            Latches latches,
            PageTable table,
            PageSource source,
            PoolOptions options,
            Lock blocking) {
        this.pool = pool;
        this.states = pool.states();
        this.latches = latches;
        this.table = table;
        this.source = source;
        this.options = options;
        this.blocking = blocking;
    }

    /** Throws out all pages of a range; each wait ends after a time. */
    void invalidate(long first, long last) {
        VarHandle.fullFence();
        int frames = options.softFrames();
        for (int frame = 0; frame < frames; frame++) {
            long id = states.identity(frame);
            if (id >= first && id <= last) {
                unmap(frame, id);
            }
        }
        for (int frame = 0; frame < frames; frame++) {
            long id = states.identity(frame);
            if (id >= first && id <= last) {
                empty(frame, id);
            }
        }
    }

    private void unmap(int frame, long id) {
        while (states.identity(frame) == id) {
            if (states.tryPin(frame, 0) != FrameStates.NOT_PINNED) {
                try {
                    if (states.identity(frame) == id) {
                        table.remove(id, frame);
                    }
                } finally {
                    pool.unpin(frame);
                }
                return;
            }
            long state = states.state(frame);
            if (FrameState.isFree(state) || FrameState.isDoomed(state)) {
                return;
            }
            pool.awaitUnclaimed(frame);
        }
    }

    private void empty(int frame, long id) {
        while (states.identity(frame) == id && !tryRemove(frame, id)) {
            long state = states.state(frame);
            if (FrameState.isFree(state)) {
                return;
            }
            if (FrameState.isDoomed(state)) {
                pool.awaitFreed(frame);
            } else if (states.tryPin(frame, 0) == FrameStates.NOT_PINNED) {
                pool.awaitUnclaimed(frame);
            } else {
                awaitUsers(frame, id);
            }
        }
    }

    /** Under the lock of blocking page-in, if there is one: who has it may wait for a frame, and the policy's is the same. */
    private boolean tryRemove(int frame, long id) {
        if (blocking == null) {
            return tryRemoveUnblocked(frame, id);
        }
        blocking.lock();
        try {
            return tryRemoveUnblocked(frame, id);
        } finally {
            blocking.unlock();
        }
    }

    private boolean tryRemoveUnblocked(int frame, long id) {
        if (!pool.tryClaimAfterDirtyCheck(frame)) {
            return false;
        }
        if (states.identity(frame) == id) {
            pool.remove(frame);
        } else {
            pool.revoke(frame);
        }
        return true;
    }

    /** Waits for those who use a page, or load it; the caller's pin goes. */
    private void awaitUsers(int frame, long id) {
        try {
            if (states.identity(frame) == id && pool.awaitReady(frame)) {
                if (!latches.tryExclusive(frame)) {
                    awaitLatch(frame, id);
                }
                latches.releaseExclusive(frame);
                pool.awaitOnlyPin(frame);
            }
        } finally {
            pool.unpin(frame);
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
