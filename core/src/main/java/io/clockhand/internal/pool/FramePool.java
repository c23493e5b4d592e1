// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.internal.pool;

import io.clockhand.internal.frame.FrameLine;
import io.clockhand.internal.frame.FrameRef;
import io.clockhand.internal.frame.FrameState;
import io.clockhand.internal.frame.FrameStates;
import io.clockhand.internal.frame.FrameWaiters;
import io.clockhand.internal.frame.FreeFrames;
import io.clockhand.internal.frame.PoolFailure;
import io.clockhand.internal.frame.StackReserve;
import io.clockhand.policy.ReplacementPolicy;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.IntConsumer;
import java.util.function.IntFunction;
import java.util.function.LongPredicate;

/**
 * The frames of a pool, in frame numbers only: pins, waits, and the steps in the life of a frame. Each step changes the
 * words of the frame ({@link FrameStates}), wakes the threads that wait for the change, and lists a frame that became
 * free. What the frames hold is the business of those who call the steps: the miss of pages, and that of objects.
 *
 * <p>At any time a frame is exactly one of: free; claimed by one thread; mapped; doomed with stale pins left.
 *
 * <p><b>A miss</b> takes a free frame, or claims a victim and evicts what it holds; binds the frame to the new
 * identity while no other thread sees it; {@linkplain #publishPinned publishes} it with one pin and no content; maps
 * the identity to it; loads the content, and {@linkplain #publish publishes} that. A thread whose identity another
 * thread has mapped first, or whose load failed, unmaps the identity and {@linkplain #giveUp gives the frame up}.
 *
 * <p><b>Failures.</b> What the policy throws leaves nothing behind: the steps before are taken back. A call begins with
 * a {@linkplain #enter check of the stack}, so that its own steps do not overflow it once one of them has changed
 * something. The steps that end an ownership call nothing but code of the pool, and allocate nothing. If one of them
 * throws all the same, nobody knows what the words of the frame say, so the pool has failed ({@link PoolFailure}).
 *
 * <p>No lock is held around a call of the policy but {@code onCapacity}. Thread-safe, provided that each frame has the
 * owner that a step needs.
 *
 * <p>Source: the structure is that of Nb-GCLOCK's {@code fix} (ICDE 2010, Fig. 3), without its faults: dirty victims
 * are written before they are unmapped, nothing is published before it is complete, a loser's frame is not lost, and a
 * pool whose frames are all pinned grows or fails after a bounded wait.
 */
public final class FramePool {
    /** No frame. */
    public static final int NONE = FreeFrames.NONE;
    /** Instead of a frame: another thread has mapped the identity first. */
    public static final int LOST = -2;

    private final FrameStates states;
    private final FrameWaiters waiters;
    private final FrameLine line;
    private final FreeFrames free;
    /** Null if the number of frames does not depend on how many are pinned. */
    private final GrowthFrames growth;

    private final CurrentPolicy policy;
    /**
     * Whether a weight marks a page that was read before it was needed: as long as no policy has used weights.
     * Volatile, set to false by a thread that exchanges the policy, before it does.
     */
    private volatile boolean marksFirstUses;

    private final PoolOptions options;
    private final PoolFailure failure;
    private final IntFunction<String> describe;

    /** The consumer is null in a pool for pages. */
    private FramePool(
            PoolOptions options, ReplacementPolicy policy, IntConsumer onFrames, IntFunction<String> describe) {
        boolean pages = onFrames == null;
        int headers = pages ? options.hardFrames() : options.softFrames();
        this.options = options;
        this.policy = new CurrentPolicy(policy);
        this.marksFirstUses = policy.weightCap() == 0;
        this.describe = describe;
        this.states = new FrameStates(headers, pages);
        this.waiters = states.waiters();
        this.line = states.line();
        this.free = new FreeFrames(states, options.softFrames(), headers);
        this.growth = pages
                ? null
                : new GrowthFrames(states, headers, options.hardFrames(), frames -> {
                    onFrames.accept(frames);
                    this.policy.onCapacity(frames);
                });
        this.failure = options.failure();
        failure.onFailure(waiters::endWaits);
        failure.onFailure(line::endWaits);
    }

    /**
     * Creates a pool for pages. All its frames have words from the beginning, since hits read them as final fields; of
     * these, the {@linkplain #setCapacity capacity} are used.
     *
     * @param options sizes and waits
     * @param policy chooses the victims
     * @param describe names what a frame holds, for a message
     * @return the pool, whose frames are all free
     */
    public static FramePool ofPages(PoolOptions options, ReplacementPolicy policy, IntFunction<String> describe) {
        return new FramePool(options, policy, null, describe);
    }

    /**
     * Creates a pool for objects, which grows past its soft maximum when all frames are pinned.
     *
     * @param options sizes and waits
     * @param policy chooses the victims
     * @param onFrames gets the number of frames before a new one is used, and when there are fewer
     * @param describe names what a frame holds, for a message
     * @return the pool, whose frames are all free
     */
    public static FramePool ofObjects(
            PoolOptions options, ReplacementPolicy policy, IntConsumer onFrames, IntFunction<String> describe) {
        return new FramePool(options, policy, onFrames, describe);
    }

    /**
     * Precedes each call that changes several words.
     *
     * @throws StackOverflowError if the stack is nearly used up, before anything has changed
     * @throws io.clockhand.PoolFailedException if the pool has failed
     */
    public void enter() {
        StackReserve.check();
        failure.check();
    }

    /** {@return whether the pool has failed} */
    public PoolFailure failure() {
        return failure;
    }

    /** {@return the threads that wait for any frame} */
    public FrameLine line() {
        return line;
    }

    // --- hits --------------------------------------------------------------------------------------------------------

    /**
     * {@return the words of the frames, for the hit: pins are {@linkplain FrameStates#tryPin taken} and {@linkplain
     * FrameStates#unpin dropped} there without a step through this class, since every step would wait for the atomic
     * operation before it}
     */
    public FrameStates states() {
        return states;
    }

    /** {@return the weight up to which a hit adds} */
    public int weightCap() {
        return policy.weightCap();
    }

    /** {@return whether the policy bears pages that are read ahead} */
    public boolean allowsReadAhead() {
        return policy.allowsReadAhead();
    }

    /** {@return whether the policy must be notified of each access} */
    public boolean tracksAccesses() {
        return policy.tracksAccesses();
    }

    /**
     * Records an access with the policy, if it {@linkplain #tracksAccesses tracks} accesses. If the policy throws, the
     * caller's pin or share is dropped.
     *
     * @param frame a frame that the caller has pinned, or in whose latch it has a share
     * @param share has the share; null if the caller has a pin
     * @param hits counts the access; null while nothing is counted
     * @param more counts it as well; or null
     */
    public void recordAccess(int frame, FrameRef share, LongAdder hits, LongAdder more) {
        try {
            if (hits != null) {
                hits.increment();
            }
            if (more != null) {
                more.increment();
            }
            if (policy.tracksAccesses() && !isFirstUse(frame)) {
                policy.onHit(frame);
            }
        } catch (Throwable failure) {
            if (share != null) {
                share.endShare();
            } else {
                unpin(frame);
            }
            throw failure;
        }
    }

    /** {@return whether this is the first use of a page that was {@linkplain #publishAhead read before} it} */
    private boolean isFirstUse(int frame) {
        return marksFirstUses && states.tryClearWeight(frame);
    }

    /**
     * Takes one pin off.
     *
     * @param frame a frame that the caller has pinned
     */
    public void unpin(int frame) {
        long before;
        try {
            before = states.unpin(frame);
        } catch (VirtualMachineError e) {
            throw failure.fail(e);
        }
        if (states.concernsOthers(before)) {
            completeUnpin(frame, before);
        }
    }

    /**
     * Completes an unpin that {@linkplain FrameStates#concernsOthers concerns other threads}: wakes those that wait for
     * this frame, or for any, and frees a doomed frame.
     *
     * @param frame a frame that the caller has unpinned
     * @param before its state before that
     */
    public void completeUnpin(int frame, long before) {
        boolean freed = FrameState.isLastOfDoomed(before);
        long completed;
        try {
            completed = states.completeUnpin(frame, before);
            if (!freed) {
                waiters.wake(frame, completed);
                line.offer(frame);
            }
        } catch (VirtualMachineError e) {
            throw failure.fail(e);
        }
        if (freed) {
            recycle(frame, completed);
        }
    }

    // --- waits -------------------------------------------------------------------------------------------------------

    /**
     * Waits until the content of a pinned frame is ready or has failed.
     *
     * @param frame a frame that the caller has pinned
     * @return whether it is ready
     */
    public boolean awaitReady(int frame) {
        await(frame, s -> FrameState.content(s) != FrameState.EMPTY, "the content");
        return FrameState.content(states.state(frame)) == FrameState.READY;
    }

    /**
     * Waits until a frame that could not be pinned may be: until the claim on it ends, if it has one, or one of 65,535
     * pins goes.
     *
     * @param frame any frame
     */
    public void awaitUnclaimed(int frame) {
        long seen = states.state(frame);
        int generation = FrameState.generation(seen);
        await(
                frame,
                s -> FrameState.generation(s) != generation
                        || FrameState.isFree(s)
                        || !(FrameState.isClaimed(s) || FrameState.isFull(s)),
                FrameState.isFull(seen) ? "one of 65,535 other pins" : "the end of an eviction");
    }

    /**
     * Waits until a frame that was given up is free.
     *
     * @param frame any frame
     */
    public void awaitFreed(int frame) {
        int generation = FrameState.generation(states.state(frame));
        await(
                frame,
                s -> !FrameState.isDoomed(s) || FrameState.generation(s) != generation,
                "the threads that read a page concurrently");
    }

    /** Waits until a condition holds for the state of a frame. */
    void await(int frame, LongPredicate condition, String what) {
        if (condition.test(states.state(frame))) {
            return;
        }
        BoundedWait.begin(options, what, () -> describe.apply(frame))
                .until(
                        nanos -> waiters.await(frame, condition, nanos),
                        () -> what + " of " + describe.apply(frame) + " in frame " + frame + " "
                                + FrameState.toString(states.state(frame)));
    }

    // --- the steps of a miss -----------------------------------------------------------------------------------------

    /** {@return a free frame up to the soft maximum, now claimed by the caller, or NONE} */
    public int takeFree() {
        return free.poll();
    }

    /** {@return any free frame, now claimed by the caller, or NONE at the hard maximum} Of objects only. */
    public int takeFreeOrGrow() {
        int frame = free.poll();
        return frame != NONE ? frame : growth.take();
    }

    /** {@return a frame past the soft maximum, now claimed by the caller; NONE at the hard maximum} Of objects only. */
    public int grow() {
        return growth.take();
    }

    /**
     * {@return the number of frames past the soft maximum that are in use, as far as they lie before a free one} Of
     * objects only.
     */
    public int growthInUse() {
        return growth.inUse();
    }

    /**
     * Publishes a claimed frame that was bound anew, with one pin and no content.
     *
     * @param frame a frame that the caller has claimed
     */
    public void publishPinned(int frame) {
        try {
            waiters.wake(frame, states.publishPinned(frame, policy.weightCap() > 0 ? 1 : 0));
        } catch (VirtualMachineError e) {
            throw failure.fail(e);
        }
    }

    /**
     * As {@link #publishPinned}, for a page that nobody needs yet. Its first use is not one more than that of any other
     * page: a weight begins at 0, and a policy without weights is not notified of it, for which a weight is the mark.
     *
     * @param frame a frame that the caller has claimed
     */
    public void publishAhead(int frame) {
        try {
            waiters.wake(frame, states.publishPinned(frame, marksFirstUses ? 1 : 0));
        } catch (VirtualMachineError e) {
            throw failure.fail(e);
        }
    }

    /**
     * Records a load with the policy, then publishes the content. If the policy throws, the content is published all
     * the same, since threads that wait for it can use it, and the caller keeps its pin.
     *
     * @param frame a frame that the caller has pinned and loaded; no other thread publishes it
     * @param identity the page id, or a number made of the key
     * @param share whether a share in the latch replaces the caller's pin
     */
    public void publish(int frame, long identity, boolean share) {
        boolean told = false;
        try {
            policy.onLoad(frame, identity, FrameState.generation(states.state(frame)));
            told = true;
        } finally {
            ready(frame, told && share);
        }
    }

    private void ready(int frame, boolean share) {
        try {
            waiters.wake(frame, states.ready(frame, share));
        } catch (VirtualMachineError e) {
            throw failure.fail(e);
        }
    }

    /**
     * Gives up a frame whose content could not be loaded: drops the caller's pin. The pins of other threads stay until
     * they drop them; the last one frees the frame.
     *
     * @param frame a frame that the caller has pinned, that is empty, and whose identity is unmapped
     */
    public void giveUp(int frame) {
        long before;
        try {
            before = states.giveUp(frame);
            if (FrameState.pins(before) != 1) {
                waiters.wake(frame, before);
                return;
            }
        } catch (VirtualMachineError e) {
            throw failure.fail(e);
        }
        recycle(frame, before);
    }

    /**
     * Frees a frame.
     *
     * @param frame a frame that the caller has claimed, and whose identity is unmapped
     */
    public void release(int frame) {
        long before;
        try {
            before = states.free(frame);
        } catch (VirtualMachineError e) {
            throw failure.fail(e);
        }
        recycle(frame, before);
    }

    /** Lists a frame that this thread has freed, and wakes even if the policy throws as the pool shrinks. */
    private void recycle(int frame, long before) {
        try {
            if (isGrowth(frame)) {
                growth.onFreed(frame);
            }
        } finally {
            offerFreed(frame, before);
        }
    }

    private void offerFreed(int frame, long before) {
        try {
            if (!isGrowth(frame)) {
                free.offer(frame);
            }
            waiters.wake(frame, before);
            line.offer(frame);
        } catch (VirtualMachineError e) {
            throw failure.fail(e);
        }
    }

    private boolean isGrowth(int frame) {
        return growth != null && growth.isGrowth(frame);
    }

    // --- claims ------------------------------------------------------------------------------------------------------

    /**
     * Waits until the caller's pin is the only one and turns it into a claim. If the wait ends with an exception, the
     * pin stays. For contents that are not used without a pin.
     *
     * @param frame a frame that the caller has pinned
     */
    public void awaitLastPin(int frame) {
        enter();
        while (!states.tryClaimLastPin(frame)) {
            awaitOnlyPin(frame);
        }
    }

    /**
     * Waits until the caller's pin is the only one.
     *
     * @param frame a frame that the caller has pinned
     */
    public void awaitOnlyPin(int frame) {
        await(frame, s -> FrameState.pins(s) == 1, "the last other pin");
    }

    /**
     * Claims an unused frame for maintenance, even one that is queued for write-back. Waits for a thread that has
     * claimed it for a dirty check, but not for a write-back or for clearing that may follow.
     *
     * @param frame any frame
     * @return whether the caller owns it now; if not, it is in use, free, being loaded, written back or cleared
     */
    public boolean tryClaimAfterDirtyCheck(int frame) {
        enter();
        while (!states.tryClaimUnused(frame)) {
            long seen = states.state(frame);
            if (FrameState.isDirtyCheck(seen)) {
                int generation = FrameState.generation(seen);
                await(
                        frame,
                        s -> !FrameState.isDirtyCheck(s) || FrameState.generation(s) != generation,
                        "a dirty check");
            } else if (!FrameState.isUnused(seen) || states.isLatched(frame)) {
                return false;
            }
        }
        return true;
    }

    /**
     * Ends a claim; the content stays.
     *
     * @param frame a frame that the caller has claimed
     * @param queued whether it is marked for the write-back queue
     */
    public void revoke(int frame, boolean queued) {
        try {
            waiters.wake(frame, states.revoke(frame, queued));
            line.offer(frame);
        } catch (VirtualMachineError e) {
            throw failure.fail(e);
        }
    }

    /**
     * Ends a claim for maintenance; the content stays.
     *
     * @param frame a frame that the caller has claimed
     */
    public void revoke(int frame) {
        revoke(frame, false);
        onClean(frame); // the claim has taken off the mark of the queue, if there was one
    }

    /**
     * Removes a frame from the policy, which has not chosen it. If the policy throws, the claim ends.
     *
     * @param frame a frame that the caller has claimed
     */
    public void takeFromPolicy(int frame) {
        try {
            policy.onRemove(frame);
        } catch (Throwable refused) {
            revoke(frame, false);
            throw refused;
        }
    }

    // --- dirty checks ------------------------------------------------------------------------------------------------

    /**
     * Pins a frame for a dirty check, after any claim on it and any other dirty check.
     *
     * @param frame any frame
     * @return the state with the pin, or {@link FrameStates#NOT_PINNED} if the frame is free or given up, or was bound
     *     anew while the thread waited
     */
    public long pinForDirtyCheck(int frame) {
        enter();
        int generation = FrameState.generation(states.state(frame));
        for (; ; ) {
            long state = states.tryPinForDirtyCheck(frame);
            if (state != FrameStates.NOT_PINNED) {
                return state;
            }
            long seen = states.state(frame);
            if (FrameState.isFree(seen) || FrameState.isDoomed(seen) || FrameState.generation(seen) != generation) {
                return FrameStates.NOT_PINNED;
            }
            if (FrameState.isClaimed(seen) || FrameState.isFull(seen)) {
                awaitUnclaimed(frame);
            } else {
                await(frame, s -> !FrameState.isDirtyChecked(s), "a dirty check");
            }
        }
    }

    /**
     * Ends a dirty check.
     *
     * @param frame a frame that the caller has pinned by {@link #pinForDirtyCheck}
     * @param staysPinned whether the pin stays, now as one of a user
     */
    public void endDirtyCheck(int frame, boolean staysPinned) {
        long before;
        boolean freed;
        try {
            before = states.endDirtyCheck(frame, staysPinned);
            freed = !staysPinned && FrameState.isLastOfDoomed(before);
            if (!freed) {
                waiters.wake(frame, before);
                line.offer(frame);
            }
        } catch (VirtualMachineError e) {
            throw failure.fail(e);
        }
        if (freed) {
            recycle(frame, before);
        } else if (FrameState.isQueued(before)) {
            onClean(frame);
        }
    }

    // --- write-back --------------------------------------------------------------------------------------------------

    /**
     * Waits for a write-back in progress, if there is one, and begins another.
     *
     * @param frame a frame that the caller has pinned
     */
    public void beginWriting(int frame) {
        while (!states.tryBeginWriting(frame)) {
            awaitWritten(frame);
        }
    }

    /**
     * Waits for a write-back in progress, if there is one.
     *
     * @param frame a frame that the caller has pinned
     */
    public void awaitWritten(int frame) {
        await(frame, s -> !FrameState.isWriting(s), "a write-back in progress");
    }

    /**
     * Begins a write-back of a claimed frame.
     *
     * @param frame a frame that the caller has claimed
     */
    public void beginOwnedWriting(int frame) {
        try {
            waiters.wake(frame, states.beginOwnedWriting(frame));
        } catch (VirtualMachineError e) {
            throw failure.fail(e);
        }
    }

    /**
     * Ends a write-back.
     *
     * @param frame a frame for which the caller began one
     */
    public void endWriting(int frame) {
        long before;
        try {
            before = states.endWriting(frame);
            waiters.wake(frame, before);
        } catch (VirtualMachineError e) {
            throw failure.fail(e);
        }
        if (FrameState.isQueued(before)) {
            onClean(frame);
        }
    }

    /**
     * Ends a write-back by a pin, and drops the pin. The policy is notified last: its lock may be held by a miss that
     * waits for this very frame.
     *
     * @param frame a frame that the caller has pinned, and for which it began a write-back
     * @return the state before the end of the write-back
     */
    public long endWritingAndUnpin(int frame) {
        long before;
        try {
            before = states.endWriting(frame);
            waiters.wake(frame, before);
            long pinned = states.unpin(frame);
            if (states.concernsOthers(pinned)) {
                completeUnpin(frame, pinned);
            }
        } catch (VirtualMachineError e) {
            throw failure.fail(e);
        }
        if (FrameState.isQueued(before)) {
            onClean(frame);
        }
        return before;
    }

    /**
     * Clears the mark of a frame that is not in the write-back queue any more.
     *
     * @param frame any frame
     */
    public void clearQueued(int frame) {
        try {
            states.clearQueued(frame);
            line.offer(frame);
        } catch (VirtualMachineError e) {
            throw failure.fail(e);
        }
        onClean(frame);
    }

    /**
     * Notifies the policy that a frame, which it may have set aside as dirty, can be claimed again. Called after the
     * mark of the queue has gone. A search that has seen the mark comes before the notice if both take the policy's
     * lock; the search of a policy without a lock tries the frame again after it has marked it.
     */
    private void onClean(int frame) {
        try {
            policy.onClean(frame);
        } catch (Throwable refused) {
            // the frame has been written, so nothing has failed; without other victims the policy tries it again
            failure.failIfFramesWereDropped(refused);
        }
    }

    // --- policy and size ---------------------------------------------------------------------------------------------

    /** {@return the policy} */
    public ReplacementPolicy policy() {
        return policy;
    }

    /**
     * Exchanges the policy while other threads use the pool, and loads the pages that are in frames into the next one.
     * Waits for page-ins and evictions that are in progress. One thread at a time.
     *
     * @param next the policy, made for the {@link #capacity}
     * @param onSwitch called when it is in force, which it is then even if this throws
     */
    public void switchPolicy(ReplacementPolicy next, Runnable onSwitch) {
        new PolicySwitch(this, policy).switchTo(next, onSwitch);
    }

    /** The policy in force is to be exchanged: weights may be left over from now on. */
    void stopMarkingFirstUses() {
        marksFirstUses = false;
    }

    /** {@return the number of frames that have words now: numbers of frames are less; of pages, some may be retired} */
    public int frames() {
        return growth == null ? options.hardFrames() : growth.frames();
    }

    /** {@return the number of frames that are used now; others are retired, or will be soon} */
    public int capacity() {
        return growth == null ? free.limit() : growth.frames();
    }

    /** {@return whether frames past the soft maximum may be in use} */
    public boolean isGrown() {
        return growth != null && growth.isGrown();
    }

    /** {@return the greatest number of frames in use at any time} */
    public int peakFrames() {
        return free.used() + (growth == null ? 0 : growth.peak());
    }

    /**
     * Sets how many frames are used. When this lowers it, frames past it take no other page from now on, and the caller
     * evicts their pages until each {@linkplain #isRetired is retired}. The policy is {@linkplain #notifyPolicy
     * notified} before this raises the number, or after the frames are retired. One thread at a time. Of pages only.
     *
     * @param count the number, 1 to the greatest number of frames of the options
     */
    public void setCapacity(int count) {
        boolean grows = count > free.limit();
        free.setLimit(count);
        if (grows) {
            line.sweep(); // for threads that wait for a frame
        }
    }

    /**
     * Notifies the policy of the number of frames.
     *
     * @param count the number
     */
    public void notifyPolicy(int count) {
        policy.onCapacity(count);
    }

    /**
     * {@return whether a frame must not be used for another page}
     *
     * @param frame any frame
     */
    public boolean isSurplus(int frame) {
        return frame >= free.limit();
    }

    /**
     * {@return whether a frame is free, and is not used while the pool does not grow}
     *
     * @param frame any frame
     */
    public boolean isRetired(int frame) {
        return free.isRetired(frame);
    }

    /**
     * Retires free frames past the capacity. Other threads may find no free frame meanwhile.
     *
     * @param kept is called with each other free frame, which the caller owns meanwhile
     */
    public void drainFree(IntConsumer kept) {
        try {
            free.drain(kept);
        } finally {
            line.sweep(); // a thread that has found no free frame meanwhile may wait
        }
    }

    /**
     * Checks, while no other thread uses the pool, that every free frame can be found again.
     *
     * @throws IllegalStateException if a free frame is lost
     */
    public void checkFreeFrames() {
        int marked = 0;
        for (int frame = 0, end = free.limit(); frame < end; frame++) {
            marked += FrameState.isFree(states.state(frame)) ? 1 : 0;
        }
        int listed = free.size();
        if (listed != marked) {
            throw new IllegalStateException(marked + " frames are free, but " + listed + " are listed as free");
        }
    }

    /**
     * Names what a frame holds, for a message.
     *
     * @param frame any frame
     * @return a few words
     */
    public String describe(int frame) {
        return describe.apply(frame);
    }

    /**
     * Reads the state of a frame.
     *
     * @param frame any frame
     * @return its state word
     */
    public long state(int frame) {
        return states.state(frame);
    }
}
