// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.internal.page;

import io.clockhand.internal.flush.PageWriter;
import io.clockhand.internal.frame.FrameState;
import io.clockhand.internal.frame.FrameStates;
import io.clockhand.internal.frame.Latches;
import io.clockhand.internal.pool.BoundedWait;
import io.clockhand.internal.pool.FramePool;
import io.clockhand.internal.pool.PoolOptions;
import java.io.IOException;
import java.util.concurrent.locks.LockSupport;

/**
 * Changes the number of frames of a pool while other threads use it. No thread is stopped.
 *
 * <p><b>Growth</b> takes steps that cannot fail once the policy has accepted it: the new frames and buffers are free.
 *
 * <p><b>Shrinking</b> takes these steps. Each can fail, or last too long; the pool can be used then, and the next
 * resize goes on from there.
 * <ol>
 * <li>Frames past the new number are <i>surplus</i>: they take no other page. A miss that claims one as its victim
 * frees it, and seeks another.
 * <li>Changes of surplus frames are written, and each is evicted as soon as nobody uses its page. It is retired then:
 * free, but in no list. If one of them stays in use for too long, all surplus frames are used again.
 * <li>The policy is notified. The pool has the new number of frames.
 * <li>Buffers past the new number are surplus: nobody takes one. Retired frames give theirs back. A page in a surplus
 * buffer is copied to another one, under its latch in exclusive mode: readers and writers wait for the copy, and an
 * optimistic read that has begun does not validate. There is a buffer to copy to in the end, since at most as many
 * buffers are in frames as there are frames that are not retired, and at most as many in reads as there are spare ones.
 * <li>When every surplus buffer is retired, their memory is given back.
 * </ol>
 *
 * <p>Pages of surplus frames are evicted whether they are hot or not: those that are used again are read again. One
 * thread at a time.
 */
final class PoolResize {
    /**
     * How often a page is tried to be evicted before the thread pauses: users of hot pages leave for an instant only.
     */
    private static final int TRIES = 1_000;

    private static final long PAUSE_NANOS = 1_000_000;

    private final FramePool pool;
    private final FrameStates states;
    private final Latches latches;
    private final PageBuffers buffers;
    private final Residency residency;
    private final PageSource source;
    private final PageWriter writer;
    private final PoolOptions options;

    /** The writer may be null. */
    PoolResize(
            FramePool pool,
            Latches latches,
            PageBuffers buffers,
            Residency residency,
            PageSource source,
            PageWriter writer,
            PoolOptions options) {
        this.pool = pool;
        this.states = pool.states();
        this.latches = latches;
        this.buffers = buffers;
        this.residency = residency;
        this.source = source;
        this.writer = writer;
        this.options = options;
    }

    /**
     * Changes the number of frames; with the same number, goes on to give memory back.
     *
     * @param frames 1 to the greatest number of frames of the pool
     * @throws IOException if a page could not be written whose frame is surplus: the pool has its former size
     */
    void resize(int frames) throws IOException {
        int before = pool.capacity();
        if (frames > before) {
            pool.notifyPolicy(frames);
            buffers.setFrames(frames);
            pool.setCapacity(frames);
            return;
        }
        if (frames < before) {
            retireFrames(frames, before);
        }
        buffers.setFrames(frames);
        giveMemoryBack(frames);
    }

    // --- frames ------------------------------------------------------------------------------------------------------

    private void retireFrames(int to, int from) throws IOException {
        pool.setCapacity(to);
        boolean retired = false;
        try {
            if (writer != null) {
                writer.flushFrames(to, from);
            }
            for (int frame = to; frame < from; frame++) {
                tryRetire(frame); // those that can be, before any is waited for
            }
            for (int frame = to; frame < from; frame++) {
                retire(frame);
            }
            pool.notifyPolicy(to);
            retired = true;
        } finally {
            if (!retired) {
                pool.setCapacity(from);
            }
        }
    }

    private void retire(int frame) throws IOException {
        for (int tries = 0; tries < TRIES; tries++) {
            if (tryRetire(frame)) {
                return;
            }
            Thread.onSpinWait();
        }
        IOException[] failure = {null};
        BoundedWait.begin(options, "the users of a page", () -> describe(frame))
                .until(
                        nanos -> {
                            try {
                                if (tryRetire(frame)) {
                                    return true;
                                }
                            } catch (IOException e) {
                                failure[0] = e;
                                return true;
                            }
                            states.waiters()
                                    .await(frame, state -> states.users(frame) == 0, Math.min(nanos, PAUSE_NANOS));
                            return false;
                        },
                        () -> "the users of " + describe(frame) + ", since the pool is to shrink to " + pool.capacity()
                                + " frames, and this is in frame " + frame + "; it is " + latches.describe(frame)
                                + ", and its frame is " + FrameState.toString(states.state(frame)));
        if (failure[0] != null) {
            throw failure[0];
        }
    }

    /** {@return whether the frame is retired} Waits for dirty checks of holders only, so not at all. */
    private boolean tryRetire(int frame) throws IOException {
        long state = states.state(frame);
        if (FrameState.isFree(state)) {
            if (!pool.isRetired(frame)) {
                pool.drainFree(kept -> {});
            }
            return pool.isRetired(frame);
        }
        if (FrameState.isClaimed(state) || FrameState.isDoomed(state) || states.users(frame) > 0) {
            return false;
        }
        return residency.tryRemove(frame, states.identity(frame), true) && pool.isRetired(frame);
    }

    private String describe(int frame) {
        return source.describe(states.identity(frame));
    }

    // --- memory ------------------------------------------------------------------------------------------------------

    private void giveMemoryBack(int frames) {
        for (int frame = frames, end = pool.frames(); frame < end; frame++) {
            buffers.takeOff(frame); // it is retired
        }
        BoundedWait.begin(options, "the users of memory", () -> null)
                .until(
                        nanos -> {
                            if (areRetired(frames)) {
                                return true;
                            }
                            LockSupport.parkNanos(this, Math.min(nanos, PAUSE_NANOS));
                            return false;
                        },
                        () -> describeSurplus(frames));
        buffers.release();
    }

    /** Moves pages out of surplus buffers, as far as nobody uses them; {@return whether these are all retired} */
    private boolean areRetired(int frames) {
        pool.drainFree(frame -> {
            if (buffers.hasSurplus(frame)) {
                buffers.takeOff(frame);
            }
        });
        for (int frame = 0; frame < frames; frame++) {
            if (buffers.hasSurplus(frame)) {
                tryMove(frame);
            }
        }
        return buffers.isShrunk();
    }

    private void tryMove(int frame) {
        if (states.tryPin(frame, 0) == FrameStates.NOT_PINNED) {
            return;
        }
        try {
            if (FrameState.content(states.state(frame)) == FrameState.READY && latches.acquireExclusive(frame, 0)) {
                try {
                    if (buffers.hasSurplus(frame)) {
                        buffers.tryMove(frame);
                    }
                } finally {
                    latches.releaseExclusive(frame);
                }
            }
        } finally {
            pool.unpin(frame);
        }
    }

    private String describeSurplus(int frames) {
        for (int frame = 0; frame < frames; frame++) {
            if (buffers.hasSurplus(frame)) {
                return "the users of " + describe(frame)
                        + ", whose memory is to be given back, since the pool has only "
                        + frames + " frames now; it is " + latches.describe(frame) + ", and its frame is "
                        + FrameState.toString(states.state(frame));
            }
        }
        return "reads that use memory which is to be given back, since the pool has only " + frames + " frames now";
    }
}
