// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.internal.page;

import io.clockhand.internal.frame.FrameState;
import io.clockhand.internal.frame.FrameStates;
import io.clockhand.internal.frame.Latches;
import io.clockhand.internal.pool.BoundedWait;
import io.clockhand.internal.pool.Failures;
import io.clockhand.internal.pool.FramePool;
import io.clockhand.internal.pool.PoolOptions;
import io.clockhand.internal.table.PageTable;
import java.io.IOException;
import java.lang.invoke.VarHandle;

/**
 * Invalidates pages that do not exist any more: unmaps them, and evicts each when its last user has left.
 *
 * <p><b>Find them.</b> Few pages are looked up in the table, so that to close a small file costs nothing in a large
 * pool; for many, every frame is looked at. A thread that maps a page later checks then whether the page exists
 * ({@link PageSource}). At least one sees the other: the caller stores that the pages are gone, fences, then looks; the
 * loader maps by CAS, then checks.
 *
 * <p>If there may be {@linkplain HiddenPages pages that no look-up finds}, before the look-ups or after them, every
 * frame is looked at.
 *
 * <p><b>First unmap all</b>, each under a pin, so that no later thread finds one, however long the wait for another is.
 * Threads that have found one before may still come in; there are fewer and fewer of them. <b>Then claim each frame</b>
 * when no thread uses it, as for an eviction. To wait for the holders of shares and latches is to take the latch
 * exclusively, once. A frame that was given up because its page could not be read is waited for, too: another thread
 * may be reading the page into a buffer of its own. If a wait times out, the other pages that nobody uses are evicted.
 * Those in use stay unmapped in their frames; clean ones are evicted like others later, dirty ones by the next call.
 *
 * <p>Thread-safe.
 */
final class PageInvalidation {
    /** How often a page is waited for before the thread pauses between two of them. */
    private static final int TRIES = 1_000;

    private static final long PAUSE_NANOS = 1_000_000;

    private final FramePool pool;
    private final FrameStates states;
    private final Latches latches;
    private final PageTable table;
    private final PageSource source;
    private final PoolOptions options;
    private final Residency residency;

    private final HiddenPages hidden;

    PageInvalidation(
            FramePool pool,
            Latches latches,
            PageTable table,
            PageSource source,
            PoolOptions options,
            Residency residency,
            HiddenPages hidden) {
        this.pool = pool;
        this.states = pool.states();
        this.latches = latches;
        this.table = table;
        this.source = source;
        this.options = options;
        this.residency = residency;
        this.hidden = hidden;
    }

    /**
     * Invalidates all pages of a range; each wait is bounded.
     *
     * @param writes whether to write changes to the file, which is being closed; else they are lost
     * @param onUsers called before a wait for threads that use a page
     * @throws IOException if a page could not be written; this can be called again
     */
    void invalidate(long first, long last, boolean writes, Runnable onUsers) throws IOException {
        pool.enter();
        VarHandle.fullFence();
        Throwable failure = null;
        boolean complete = false;
        try {
            boolean found = hidden.areNone() && PageTable.isFaster(first, last, options.hardFrames());
            failure = found
                    ? invalidateFound(first, last, writes, onUsers)
                    : invalidateScanned(first, last, writes, onUsers);
            if (found && failure == null && !hidden.areNone()) { // one may have been hidden before its look-up
                failure = invalidateScanned(first, last, writes, onUsers);
            }
            complete = failure == null;
        } finally {
            if (!complete) {
                hidden.count();
            }
        }
        if (failure != null) {
            Failures.<IOException>rethrow(failure);
        }
    }

    /** {@return the first failure, or null} */
    private Throwable invalidateFound(long first, long last, boolean writes, Runnable onUsers) {
        int[] frames = new int[(int) (last - first) + 1];
        Throwable failure = null;
        for (int i = 0; i < frames.length; i++) {
            frames[i] = table.find(first + i);
            if (frames[i] != PageTable.NONE) {
                failure = unmap(frames[i], first + i, failure);
            }
        }
        boolean failedAgain = false; // then it stops: each attempt may have waited for long
        for (int i = 0; i < frames.length && !failedAgain; i++) {
            if (frames[i] != PageTable.NONE && states.identity(frames[i]) == first + i) {
                Throwable own = evict(frames[i], first + i, writes, failure != null, onUsers);
                failedAgain = own != null && failure != null;
                failure = failure == null ? own : failure;
            }
        }
        return failure;
    }

    /** {@return the first failure, or null} */
    private Throwable invalidateScanned(long first, long last, boolean writes, Runnable onUsers) {
        long counted = hidden.counted();
        int frames = options.hardFrames();
        Throwable failure = null;
        for (int frame = 0; frame < frames; frame++) {
            long id = states.identity(frame);
            if (id >= first && id <= last) {
                failure = unmap(frame, id, failure);
            }
        }
        boolean failedAgain = false;
        boolean others = false;
        for (int frame = 0; frame < frames && !failedAgain; frame++) {
            long id = states.identity(frame);
            if (id >= first && id <= last) {
                Throwable own = evict(frame, id, writes, failure != null, onUsers);
                failedAgain = own != null && failure != null;
                failure = failure == null ? own : failure;
            } else {
                others |= isHidden(states.state(frame));
            }
        }
        if (failure == null && !others) {
            hidden.swept(counted);
        }
        return failure;
    }

    private static boolean isHidden(long state) {
        return FrameState.isDoomed(state) || FrameState.isUnmapped(state);
    }

    /** {@return the first failure, or null} */
    private Throwable unmap(int frame, long id, Throwable before) {
        try {
            unmap(frame, id);
            return before;
        } catch (RuntimeException | Error e) {
            return before == null ? e : before;
        }
    }

    /**
     * Evicts a page.
     *
     * @param once whether it is tried once, since an earlier page had a failure: then no user is waited for
     * @return the failure, or null
     */
    private Throwable evict(int frame, long id, boolean writes, boolean once, Runnable onUsers) {
        try {
            if (!once) {
                evict(frame, id, writes, onUsers);
            } else if (states.identity(frame) == id) {
                residency.tryRemove(frame, id, writes);
            }
            return null;
        } catch (Throwable e) { // also a checked exception of another language
            return e;
        }
    }

    private void unmap(int frame, long id) {
        while (states.identity(frame) == id) {
            if (states.tryPin(frame, 0) != FrameStates.NOT_PINNED) {
                try {
                    if (states.identity(frame) == id) {
                        states.markUnmapped(frame); // first: hints of the table may lead to the page for longer
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

    private void evict(int frame, long id, boolean writes, Runnable onUsers) throws IOException {
        for (int tries = 1; states.identity(frame) == id && !residency.tryRemove(frame, id, writes); tries++) {
            long state = states.state(frame);
            if (FrameState.isFree(state)) {
                return;
            }
            if (tries == TRIES) {
                awaitRemoval(frame, id, writes);
                return;
            }
            if (FrameState.isDoomed(state)) {
                pool.awaitFreed(frame);
            } else if (states.tryPin(frame, 0) == FrameStates.NOT_PINNED) {
                pool.awaitUnclaimed(frame);
            } else {
                awaitUsers(frame, id, onUsers);
            }
        }
    }

    /** An unmapped page is in use for that long only if a thread has left its latch; no thread tries for ever. */
    private void awaitRemoval(int frame, long id, boolean writes) throws IOException {
        IOException[] failure = {null};
        BoundedWait.begin(options, "the users of the page", () -> source.describe(id))
                .until(
                        nanos -> {
                            try {
                                if (states.identity(frame) != id || residency.tryRemove(frame, id, writes)) {
                                    return true;
                                }
                            } catch (IOException e) {
                                failure[0] = e;
                                return true;
                            }
                            states.waiters().await(frame, state -> false, Math.min(nanos, PAUSE_NANOS));
                            return false;
                        },
                        () -> "the users of " + source.describe(id) + ", which is invalidated; it is "
                                + latches.describe(frame) + ", and its frame is "
                                + FrameState.toString(states.state(frame)));
        if (failure[0] != null) {
            throw failure[0];
        }
    }

    /** Waits for the threads that use a page, or load it; drops the caller's pin. */
    private void awaitUsers(int frame, long id, Runnable onUsers) {
        try {
            if (states.identity(frame) == id && pool.awaitReady(frame)) {
                if (!latches.tryExclusive(frame)) {
                    onUsers.run();
                    awaitLatch(frame, id);
                }
                latches.releaseExclusive(frame);
                if (FrameState.pins(states.state(frame)) > 1) {
                    onUsers.run();
                    pool.awaitOnlyPin(frame);
                }
            }
        } finally {
            pool.unpin(frame);
        }
    }

    private void awaitLatch(int frame, long id) {
        BoundedWait.begin(options, "the users of the page", () -> source.describe(id))
                .until(
                        nanos -> latches.acquireExclusive(frame, nanos),
                        () -> "the users of " + source.describe(id) + ", which is invalidated; it is "
                                + latches.describe(frame));
    }
}
