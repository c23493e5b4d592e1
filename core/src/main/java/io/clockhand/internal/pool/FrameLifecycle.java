// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.internal.pool;

import io.clockhand.internal.frame.FrameLine;
import io.clockhand.internal.frame.FrameState;
import io.clockhand.internal.frame.FrameStates;
import io.clockhand.internal.frame.FrameWaiters;
import io.clockhand.internal.frame.FreeFrames;
import io.clockhand.policy.ReplacementPolicy;
import java.util.function.IntConsumer;
import java.util.function.LongPredicate;

/**
 * The frames of a pool and the steps in the life of one: each step changes the state, wakes the threads that wait for
 * the change, and lists a frame that became free.
 *
 * <p>A frame is freed after its identity was unmapped. The steps that end an ownership call nothing but code of the
 * pool, and allocate nothing. If one of them throws all the same, or a table cannot unmap, nobody knows what the words
 * of the frame say, so the pool has failed ({@link PoolFailure}).
 *
 * <p>No lock is held around a call of the contents. Thread-safe, provided that each frame has the owner that a step
 * needs.
 *
 * @param <X> the checked exception of the contents
 */
final class FrameLifecycle<X extends Exception> {
    /** No frame. */
    static final int NONE = FreeFrames.NONE;

    private final FrameStates states;
    private final FrameWaiters waiters;
    private final FreeFrames free;
    private final GrowthFrames growth;
    private final ReplacementPolicy policy;
    private final FrameContents<X> contents;
    private final PoolOptions options;
    private final PoolFailure failure;

    FrameLifecycle(PoolOptions options, ReplacementPolicy policy, FrameContents<X> contents) {
        this.options = options;
        this.policy = policy;
        this.contents = contents;
        int rows = options.rows();
        this.states = new FrameStates(rows, options.pages());
        this.waiters = states.waiters();
        this.free = new FreeFrames(states, options.softFrames(), rows);
        this.growth = new GrowthFrames(states, rows, options.hardFrames(), frames -> {
            contents.onFrames(frames);
            policy.onCapacity(frames);
        });
        contents.onFrames(rows);
        this.failure = options.failure();
        failure.onFailure(waiters::endWaits);
        failure.onFailure(line()::endWaits);
    }

    FrameStates states() {
        return states;
    }

    /** {@return the number of frames that have words now; in a page pool, some may be retired} */
    int frames() {
        return growth.frames();
    }

    /** {@return the number of frames that can be used now} */
    int capacity() {
        return options.pages() ? free.limit() : growth.frames();
    }

    // --- the size of a page pool -------------------------------------------------------------------------------------

    /** Changes the number of frames that are given out; the caller retires those past it. One thread at a time. */
    void setCapacity(int frames) {
        boolean grows = frames > free.limit();
        free.setLimit(frames);
        if (grows) {
            line().sweep(); // for threads that wait for a frame
        }
    }

    /** {@return whether a frame must not be used for another content} */
    boolean isSurplus(int frame) {
        return frame >= free.limit() && options.pages();
    }

    /** {@return whether a frame is free, and stays so while the pool does not grow} */
    boolean isRetired(int frame) {
        return free.isRetired(frame);
    }

    /** Retires the free frames that are surplus; {@code kept} is called with each other one, owned meanwhile. */
    void drainFree(IntConsumer kept) {
        try {
            free.drain(kept);
        } finally {
            line().sweep(); // a thread that has found no free frame meanwhile may wait
        }
    }

    // --- free frames -------------------------------------------------------------------------------------------------

    /** {@return the number of frames past the soft maximum that are in use, as far as they lie before a free one} */
    int growthInUse() {
        return growth.inUse();
    }

    boolean isGrown() {
        return growth.isGrown();
    }

    int peakFrames() {
        return free.used() + growth.peak();
    }

    /** {@return a free frame up to the soft maximum, now claimed by the caller, or NONE} */
    int takeFree() {
        return free.poll();
    }

    /** {@return any free frame, now claimed by the caller, or NONE at the hard maximum} */
    int takeFreeOrGrow() {
        int frame = free.poll();
        return frame != NONE ? frame : growth.take();
    }

    /** {@return a frame past the soft maximum, now claimed by the caller, or NONE at the hard maximum} */
    int grow() {
        return growth.take();
    }

    /** {@return the threads that wait for any frame} */
    FrameLine line() {
        return states.line();
    }

    /**
     * Notifies the policy that a frame, which it may have set aside as dirty, can be claimed again. Called after the
     * mark of the queue has gone. A search that has seen the mark comes before the notice if both take the policy's
     * lock; the search of a policy without a lock tries the frame again after it has marked it.
     */
    void onClean(int frame) {
        try {
            policy.onClean(frame);
        } catch (Throwable failure) {
            // the frame has been written, so nothing has failed; without other victims the policy tries it again
        }
    }

    /** Ends a claim: the content stays. */
    void revoke(int frame, boolean queued) {
        try {
            waiters.wake(frame, states.revoke(frame, queued));
            line().offer(frame);
        } catch (VirtualMachineError e) {
            failure.fail(e);
            throw e;
        }
    }

    /** Clears the mark of a frame that is not in the write-back queue any more. */
    void clearQueued(int frame) {
        try {
            states.clearQueued(frame);
            line().offer(frame);
        } catch (VirtualMachineError e) {
            failure.fail(e);
            throw e;
        }
        onClean(frame);
    }

    /** Writes the content of a claimed frame back. */
    void writeBack(int frame) throws X {
        beginOwnedWriting(frame);
        try {
            contents.clean(frame);
        } finally {
            endWriting(frame);
        }
    }

    /**
     * Clears and unmaps the content of a claimed, clean frame. If clearing throws, the frame is free afterwards.
     * Clearing a holder may take long, so the frame is marked; the mark goes when the frame is freed or bound anew.
     */
    void evictContent(int frame) {
        try {
            if (!options.pages()) {
                beginOwnedWriting(frame);
            }
            contents.clear(frame);
        } catch (Throwable e) {
            unmap(frame);
            release(frame);
            throw e;
        }
        unmap(frame);
    }

    private void unmap(int frame) {
        try {
            contents.unmap(frame);
        } catch (RuntimeException | Error e) {
            failure.fail(e);
            throw e;
        }
    }

    /** Publishes a claimed frame that was bound anew, with one pin. */
    void publishPinned(int frame, int weight) {
        try {
            waiters.wake(frame, states.publishPinned(frame, weight));
        } catch (VirtualMachineError e) {
            failure.fail(e);
            throw e;
        }
    }

    /** Publishes the content of a pinned frame; a share in its latch replaces the pin if the caller wants one. */
    void ready(int frame, boolean share) {
        try {
            waiters.wake(frame, states.ready(frame, share));
        } catch (VirtualMachineError e) {
            failure.fail(e);
            throw e;
        }
    }

    /** Completes an unpin that {@linkplain FrameStates#concernsOthers concerns other threads}. */
    void completeUnpin(int frame, long before) {
        boolean freed = FrameState.isLastOfDoomed(before);
        long completed;
        try {
            completed = states.completeUnpin(frame, before);
            if (!freed) {
                waiters.wake(frame, completed);
                line().offer(frame);
            }
        } catch (VirtualMachineError e) {
            failure.fail(e);
            throw e;
        }
        if (freed) {
            recycle(frame, completed);
        }
    }

    /** Ends a dirty check; its pin becomes one of a user, or goes. */
    void endDirtyCheck(int frame, boolean staysPinned) {
        long before;
        boolean freed;
        try {
            before = states.endDirtyCheck(frame, staysPinned);
            freed = !staysPinned && FrameState.isLastOfDoomed(before);
            if (!freed) {
                waiters.wake(frame, before);
                line().offer(frame);
            }
        } catch (VirtualMachineError e) {
            failure.fail(e);
            throw e;
        }
        if (freed) {
            recycle(frame, before);
        } else if (FrameState.isQueued(before)) {
            onClean(frame);
        }
    }

    /** Unmaps a pinned, empty frame, then frees it, or leaves that to the last of the stale pins. */
    void giveUp(int frame, FrameBinding binding) {
        try {
            binding.unmap(frame);
        } catch (RuntimeException | Error e) {
            failure.fail(e);
            throw e;
        }
        long before;
        try {
            before = states.giveUp(frame);
            if (FrameState.pins(before) != 1) {
                waiters.wake(frame, before);
                return;
            }
        } catch (VirtualMachineError e) {
            failure.fail(e);
            throw e;
        }
        recycle(frame, before);
    }

    /** Frees a claimed, unmapped frame. */
    void release(int frame) {
        long before;
        try {
            before = states.free(frame);
        } catch (VirtualMachineError e) {
            failure.fail(e);
            throw e;
        }
        recycle(frame, before);
    }

    /** Lists a frame that this thread has freed, and wakes even if the policy throws as the pool shrinks. */
    private void recycle(int frame, long before) {
        try {
            if (growth.isGrowth(frame)) {
                growth.onFreed(frame);
            }
        } finally {
            offerFreed(frame, before);
        }
    }

    private void offerFreed(int frame, long before) {
        try {
            if (!growth.isGrowth(frame)) {
                free.offer(frame);
            }
            waiters.wake(frame, before);
            line().offer(frame);
        } catch (VirtualMachineError e) {
            failure.fail(e);
            throw e;
        }
    }

    /** Begins a write-back of a pinned frame, after any that is in progress. */
    void beginWriting(int frame) {
        while (!states.tryBeginWriting(frame)) {
            await(frame, s -> !FrameState.isWriting(s), "a write-back in progress");
        }
    }

    /** Begins a write-back of a claimed frame. */
    void beginOwnedWriting(int frame) {
        try {
            waiters.wake(frame, states.beginOwnedWriting(frame));
        } catch (VirtualMachineError e) {
            failure.fail(e);
            throw e;
        }
    }

    /** Ends a write-back. */
    void endWriting(int frame) {
        long before;
        try {
            before = states.endWriting(frame);
            waiters.wake(frame, before);
        } catch (VirtualMachineError e) {
            failure.fail(e);
            throw e;
        }
        if (FrameState.isQueued(before)) {
            onClean(frame);
        }
    }

    /**
     * Ends a write-back by a pin, and drops the pin. The policy is notified last: its lock may be held by a miss that
     * waits for this very frame.
     *
     * @return the state before the end of the write-back
     */
    long endWritingAndUnpin(int frame) {
        long before;
        try {
            before = states.endWriting(frame);
            waiters.wake(frame, before);
            long pinned = states.unpin(frame);
            if (states.concernsOthers(pinned)) {
                completeUnpin(frame, pinned);
            }
        } catch (VirtualMachineError e) {
            failure.fail(e);
            throw e;
        }
        if (FrameState.isQueued(before)) {
            onClean(frame);
        }
        return before;
    }

    /** Waits until a condition holds for the state of a frame. */
    void await(int frame, LongPredicate condition, String what) {
        if (condition.test(states.state(frame))) {
            return;
        }
        BoundedWait.begin(options, what, () -> contents.describe(frame))
                .until(
                        nanos -> waiters.await(frame, condition, nanos),
                        () -> what + " of " + contents.describe(frame) + " in frame " + frame + " "
                                + FrameState.toString(states.state(frame)));
    }

    /** Checks, while no other thread uses the pool, that every free frame can be found again. */
    void checkFreeFrames() {
        int marked = 0;
        for (int frame = 0, end = free.limit(); frame < end; frame++) {
            marked += FrameState.isFree(states.state(frame)) ? 1 : 0;
        }
        int listed = free.size();
        if (listed != marked) {
            throw new IllegalStateException(marked + " frames are free, but " + listed + " are listed as free");
        }
    }
}
