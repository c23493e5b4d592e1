// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.internal.pool;

import io.clockhand.internal.frame.FrameState;
import io.clockhand.internal.frame.FrameStates;
import io.clockhand.internal.frame.FrameWaiters;
import io.clockhand.internal.frame.FreeFrames;
import io.clockhand.internal.metrics.FlightEvents;
import io.clockhand.internal.metrics.WaitEvent;
import io.clockhand.policy.ReplacementPolicy;
import java.time.Duration;
import java.util.function.LongPredicate;

/**
 * The frames of a pool, and what the owner of one can do with it: each step changes the state, wakes who waits for it,
 * and leaves the frame where it belongs.
 *
 * <p>No lock is held around any call of the contents. Thread-safe, as long as each frame has the owner it says.
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
    private final FrameContents<X> contents;
    private final PoolOptions options;

    FrameLifecycle(PoolOptions options, ReplacementPolicy policy, FrameContents<X> contents) {
        this.options = options;
        this.contents = contents;
        int soft = options.softFrames();
        this.states = new FrameStates(soft, options.pages());
        this.waiters = new FrameWaiters(states);
        this.free = new FreeFrames(states, soft);
        this.growth = new GrowthFrames(states, soft, options.hardFrames(), frames -> {
            contents.onFrames(frames);
            policy.onCapacity(frames);
        });
        contents.onFrames(soft);
    }

    FrameStates states() {
        return states;
    }

    int frames() {
        return growth.frames();
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

    /** {@return a frame past the soft maximum, now claimed by the caller, or NONE at the hard maximum} */
    int grow() {
        return growth.take();
    }

    /** The second half of each claim; gives it up if somebody uses the content without a pin. */
    boolean confirm(int frame) {
        if (contents.tryClose(frame)) {
            return true;
        }
        waiters.wake(frame, states.revoke(frame, false));
        return false;
    }

    /** Ends a claim: the content stays. */
    void revoke(int frame, boolean queued) {
        contents.reopen(frame);
        waiters.wake(frame, states.revoke(frame, queued));
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

    /** Clears and unmaps the content of a claimed, clean frame. If clearing throws, the frame is free afterwards. */
    void evictContent(int frame) {
        boolean vacated = false;
        try {
            if (!options.pages()) {
                beginOwnedWriting(
                        frame); // it may take long; the mark goes with the claim, when the frame is freed or bound anew
            }
            contents.evictContent(frame);
            vacated = true;
        } finally {
            if (!vacated) {
                release(frame);
            }
        }
    }

    /** Publishes a claimed frame that was bound anew, with one pin. */
    void publishPinned(int frame, int weight) {
        waiters.wake(frame, states.publishPinned(frame, weight));
    }

    /** Publishes the content of a pinned frame, and drops the pin if the caller has a share in the latch instead. */
    void ready(int frame, boolean keepPin) {
        waiters.wake(frame, states.ready(frame, keepPin));
    }

    /** Follows an unpin that others wait for, or of a doomed frame; the last one frees it. */
    void completeUnpin(int frame, long before) {
        long settled = states.completeUnpin(frame, before);
        if (FrameState.isLastOfDoomed(before)) {
            recycle(frame);
        }
        waiters.wake(frame, settled);
    }

    /** Ends a look; its pin stays as one of a user, or goes. */
    void endDirtyCheck(int frame, boolean keepPin) {
        long before = states.endDirtyCheck(frame, keepPin);
        if (keepPin) {
            waiters.wake(frame, before);
        } else {
            if (FrameState.isLastOfDoomed(before)) {
                recycle(frame);
            }
            waiters.wake(frame, before);
        }
    }

    /** Frees a pinned, empty, unmapped frame, or leaves that to the last of the stale pins. */
    void giveUp(int frame) {
        long before = states.giveUp(frame);
        if (FrameState.pins(before) == 1) {
            recycle(frame);
        }
        waiters.wake(frame, before);
    }

    /** Frees a claimed, unmapped frame. */
    void release(int frame) {
        long before = states.free(frame);
        recycle(frame);
        waiters.wake(frame, before);
    }

    private void recycle(int frame) {
        if (growth.isGrowth(frame)) {
            growth.onFreed();
        } else {
            free.offer(frame);
        }
    }

    /** Begins a write-back of a pinned frame, after any that is under way. */
    void beginWriting(int frame) {
        while (!states.tryBeginWriting(frame)) {
            await(frame, s -> !FrameState.isWriting(s), "a write-back under way");
        }
    }

    /** Begins a write-back of a claimed frame. */
    void beginOwnedWriting(int frame) {
        waiters.wake(frame, states.beginOwnedWriting(frame));
    }

    /** Ends a write-back. */
    void endWriting(int frame) {
        waiters.wake(frame, states.endWriting(frame));
    }

    /** Waits for the state of a frame; each time the wait has been long the handler is asked. */
    void await(int frame, LongPredicate condition, String what) {
        if (condition.test(states.state(frame))) {
            return;
        }
        WaitEvent event = FlightEvents.waiting();
        if (event == null) {
            awaitChange(frame, condition, what);
            return;
        }
        String content = contents.describe(frame); // now: afterwards the frame may hold another
        boolean timedOut = true;
        try {
            awaitChange(frame, condition, what);
            timedOut = false;
        } finally {
            if (event.isWanted()) {
                event.record(options.name(), what, content, timedOut);
            }
        }
    }

    private void awaitChange(int frame, LongPredicate condition, String what) {
        long begin = System.nanoTime();
        while (!waiters.await(frame, condition, options.longWait().toNanos())) {
            options.onLongWait()
                    .accept(
                            what + " of " + contents.describe(frame) + " in frame " + frame + " "
                                    + FrameState.toString(states.state(frame)),
                            Duration.ofNanos(System.nanoTime() - begin));
        }
    }

    /** Checks, while no other thread uses the pool, that every free frame can be found again. */
    void checkFreeFrames() {
        int marked = 0;
        for (int frame = 0; frame < options.softFrames(); frame++) {
            marked += FrameState.isFree(states.state(frame)) ? 1 : 0;
        }
        int listed = free.size();
        if (listed != marked) {
            throw new IllegalStateException(marked + " frames are free, but " + listed + " are listed as free");
        }
    }
}
