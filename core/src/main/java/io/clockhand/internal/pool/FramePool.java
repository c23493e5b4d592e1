// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.internal.pool;

import io.clockhand.internal.frame.FrameState;
import io.clockhand.internal.frame.FrameStates;
import io.clockhand.internal.frame.StackReserve;
import io.clockhand.policy.ReplacementPolicy;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.IntConsumer;

/**
 * Pins, victims and the one copy of the miss protocol, in frame numbers only.
 *
 * <p>At any time a frame is exactly one of: free; claimed by one thread; mapped; doomed with stale pins left. Its state
 * word ({@link FrameStates}) says which; {@link FrameContents} knows what it holds. No lock is held around a call of
 * the contents.
 *
 * <p><b>The miss</b>, of pages and holders alike:
 * <ol>
 * <li>{@link #admit} takes a free frame, or a victim: the policy claims one; a victim whose content is dirty is given
 * back and written back while it stays mapped, and another is sought; a clean one is cleared and unmapped;
 * <li>it binds the frame to the new identity, publishes it with one pin and no content, and maps the identity to it; a
 * thread that was second gives its frame up, and the frame is free again;
 * <li>the caller loads the content;
 * <li>{@link #publish} records the load with the policy and publishes the content; or, if the load failed, {@link
 * #giveUp} unmaps the identity and frees the frame, or leaves it to the last thread that has pinned it.
 * </ol>
 *
 * <p><b>Failures.</b> What the contents or the policy throw leaves nothing behind: the steps before are taken back. A
 * call begins with a {@linkplain #enter check of the stack}, so that its own steps do not overflow it once one of them
 * has changed something. If a step that ends an ownership fails all the same, the pool has failed ({@link
 * PoolFailure}).
 *
 * <p>Source: the structure is that of Nb-GCLOCK's {@code fix} (ICDE 2010, Fig. 3), without its faults: dirty victims
 * are written before they are unmapped, nothing is published before it is complete, a loser's frame is not lost, and a
 * pool whose frames are all pinned grows or fails after a bounded wait.
 *
 * @param <X> the checked exception of writing back
 */
public final class FramePool<X extends Exception> {
    /** Returned by {@link #admit} when another thread has mapped the identity first. */
    public static final int LOST = -1;
    /** Returned by {@link #admit} when there is no frame at the moment, and the caller does not wait for one. */
    public static final int NO_FRAME = -2;

    private final FrameLifecycle<X> frames;
    private final FrameStates states;
    private final VictimSearch<X> victims;
    private final CurrentPolicy policy;
    private final WriteBackQueue queue;
    private final PoolFailure failure;

    /**
     * Creates a pool whose frames are all free.
     *
     * @param options sizes and waits
     * @param policy chooses the victims
     * @param contents what the frames hold
     */
    public FramePool(PoolOptions options, ReplacementPolicy policy, FrameContents<X> contents) {
        this.failure = options.failure();
        this.policy = new CurrentPolicy(policy);
        this.queue = new WriteBackQueue(options.rows());
        this.frames = new FrameLifecycle<>(options, this.policy, contents);
        this.states = frames.states();
        this.victims = new VictimSearch<>(frames, this.policy, contents, options, queue);
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

    /** {@return whether the policy must be notified of each access} */
    public boolean tracksAccesses() {
        return policy.tracksAccesses();
    }

    /**
     * Records an access with the policy, if it {@linkplain #tracksAccesses tracks} accesses.
     *
     * @param frame a frame that the caller has pinned; if the policy throws, the pin is dropped
     * @param hits counts the access; null while nothing is counted
     */
    public void recordAccess(int frame, LongAdder hits) {
        try {
            recordSharedAccess(frame, hits);
        } catch (Throwable failure) {
            unpin(frame);
            throw failure;
        }
    }

    /**
     * Records an access, as {@link #recordAccess} does, by a thread that has a share instead of a pin. If the policy
     * throws, the caller must release the share.
     *
     * @param frame a frame in whose latch the caller has a share
     * @param hits counts the access; null while nothing is counted
     */
    public void recordSharedAccess(int frame, LongAdder hits) {
        if (hits != null) {
            hits.increment();
        }
        if (policy.tracksAccesses()) {
            policy.onHit(frame);
        }
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
            failure.fail(e);
            throw e;
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
        frames.completeUnpin(frame, before);
    }

    /**
     * Waits until the content of a pinned frame is ready or has failed.
     *
     * @param frame a frame that the caller has pinned
     * @return whether it is ready
     */
    public boolean awaitReady(int frame) {
        frames.await(frame, s -> FrameState.content(s) != FrameState.EMPTY, "the content");
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
        frames.await(
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
        frames.await(
                frame,
                s -> !FrameState.isDoomed(s) || FrameState.generation(s) != generation,
                "the threads that read a page concurrently");
    }

    // --- the miss ----------------------------------------------------------------------------------------------------

    /**
     * Takes a frame for a content, binds it and maps the identity to it. The caller, or another thread that has pinned
     * the frame, must go on to {@link #publish}, or the caller to {@link #giveUp}.
     *
     * @param identity the page id, or a number made of the key
     * @param binding binds and maps the frame
     * @param mayWait whether to wait for a frame if none can be claimed
     * @return the frame, pinned, empty and mapped; or {@link #LOST}; or {@link #NO_FRAME}
     * @throws X if the write-back of a victim failed
     * @throws StackOverflowError before anything has changed, if not enough stack is left for this and what follows
     */
    public int admit(long identity, FrameBinding binding, boolean mayWait) throws X {
        enter();
        int frame = victims.acquire(identity, binding, mayWait);
        if (frame < 0) {
            return frame == VictimSearch.MAPPED ? LOST : NO_FRAME;
        }
        try {
            states.setIdentity(frame, identity);
            binding.bind(frame);
        } catch (Throwable failure) {
            frames.release(frame);
            throw failure;
        }
        frames.publishPinned(frame, policy.weightCap() > 0 ? 1 : 0);
        boolean mapped;
        try {
            mapped = binding.map(frame);
        } catch (Throwable failure) {
            giveUp(frame, binding);
            throw failure;
        }
        if (!mapped) {
            giveUp(frame, binding);
            return LOST;
        }
        return frame;
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
        try {
            policy.onLoad(frame, identity, FrameState.generation(states.state(frame)));
        } catch (Throwable failure) {
            frames.ready(frame, false);
            throw failure;
        }
        frames.ready(frame, share);
    }

    /**
     * Gives up a frame whose content could not be loaded: unmaps its identity and drops the caller's pin. The pins of
     * other threads stay until they drop them; the last one frees the frame. If unmapping throws, the pool has failed.
     *
     * @param frame a frame that the caller has pinned, and that is empty
     * @param binding unmaps the frame
     */
    public void giveUp(int frame, FrameBinding binding) {
        frames.giveUp(frame, binding);
    }

    // --- leaving -----------------------------------------------------------------------------------------------------

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
        frames.await(frame, s -> FrameState.pins(s) == 1, "the last other pin");
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
                frames.await(
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
     * Ends a claim for maintenance; the content stays.
     *
     * @param frame a frame that the caller has claimed
     */
    public void revoke(int frame) {
        frames.revoke(frame, false);
        frames.onClean(frame); // the claim has taken off the mark of the queue, if there was one
    }

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
                frames.await(frame, s -> !FrameState.isDirtyChecked(s), "a dirty check");
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
        frames.endDirtyCheck(frame, staysPinned);
    }

    /**
     * Evicts the content of a frame that was claimed for maintenance, and frees the frame.
     *
     * @param frame a frame that the caller has claimed
     */
    public void remove(int frame) {
        try {
            policy.onRemove(frame);
        } finally {
            frames.evictContent(frame);
            frames.release(frame);
        }
    }

    // --- changes while a page pool runs ------------------------------------------------------------------------------

    /**
     * Exchanges the policy while other threads use the pool, and loads the pages that are in frames into the next one.
     * Waits for page-ins and evictions that are in progress. One thread at a time.
     *
     * @param next the policy, made for the {@link #capacity}; if this throws, it is in force nevertheless
     */
    public void switchPolicy(ReplacementPolicy next) {
        new PolicySwitch(frames, policy).switchTo(next);
    }

    /**
     * Sets how many frames are used. When this lowers it, frames past it take no other page from now on, and the caller
     * evicts their pages until each {@linkplain #isRetired is retired}. The policy is {@linkplain #notifyPolicy
     * notified} before this raises the number, or after the frames are retired. One thread at a time.
     *
     * @param count the number, 1 to the greatest number of frames of the options
     */
    public void setCapacity(int count) {
        frames.setCapacity(count);
    }

    /**
     * Notifies the policy of the number of frames.
     *
     * @param count the number
     */
    public void notifyPolicy(int count) {
        policy.onCapacity(count);
    }

    /** {@return the number of frames that are used now; others are retired, or will be soon} */
    public int capacity() {
        return frames.capacity();
    }

    /**
     * {@return whether a frame is free, and is not used while the pool does not grow}
     *
     * @param frame any frame
     */
    public boolean isRetired(int frame) {
        return frames.isRetired(frame);
    }

    /**
     * Retires free frames past the capacity. Other threads may find no free frame meanwhile.
     *
     * @param kept is called with each other free frame, which the caller owns meanwhile
     */
    public void drainFree(IntConsumer kept) {
        frames.drainFree(kept);
    }

    // --- write-back --------------------------------------------------------------------------------------------------

    /**
     * Waits for a write-back in progress, if there is one, and begins another.
     *
     * @param frame a frame that the caller has pinned
     */
    public void beginWriting(int frame) {
        frames.beginWriting(frame);
    }

    /**
     * Begins a write-back of a claimed frame.
     *
     * @param frame a frame that the caller has claimed
     */
    public void beginOwnedWriting(int frame) {
        frames.beginOwnedWriting(frame);
    }

    /**
     * Waits for a write-back in progress, if there is one.
     *
     * @param frame a frame that the caller has pinned
     */
    public void awaitWritten(int frame) {
        frames.await(frame, s -> !FrameState.isWriting(s), "a write-back in progress");
    }

    /**
     * Ends a write-back.
     *
     * @param frame a frame for which the caller began one
     */
    public void endWriting(int frame) {
        frames.endWriting(frame);
    }

    /**
     * Ends a write-back by a pin, and drops the pin.
     *
     * @param frame a frame that the caller has pinned, and for which it began a write-back
     */
    public void endWritingAndUnpin(int frame) {
        long before = frames.endWritingAndUnpin(frame);
        if (FrameState.isQueued(before)) {
            victims.onWritten(frame, FrameState.generation(before));
        }
    }

    /**
     * Leaves dirty victims to a cleaner from now on, or to misses again.
     *
     * @param cleaner called when there is something to clean; null if there is no cleaner any more
     */
    public void useCleaner(Runnable cleaner) {
        queue.use(cleaner);
        frames.line().sweep(); // a waiting miss may have to write a victim back itself
    }

    /** {@return the frame that has waited longest for the cleaner, or {@link WriteBackQueue#NONE}} */
    public int pollQueued() {
        return victims.pollQueued();
    }

    /**
     * Clears the mark of a frame that is not in the write-back queue any more.
     *
     * @param frame any frame
     */
    public void clearQueued(int frame) {
        frames.clearQueued(frame);
    }

    /**
     * Makes a thread that waits for a frame look again: contents could not be written in the background, so it must try
     * that itself, or fail with the cause.
     */
    public void wakeWaitingMiss() {
        frames.line().sweep();
    }

    /** {@return the frames that wait for the cleaner} */
    public WriteBackQueue writeBackQueue() {
        return queue;
    }

    // --- statistics --------------------------------------------------------------------------------------------------

    /**
     * Starts or stops counting evictions and write-backs; nothing is stored while it is off.
     *
     * @param on whether to count
     */
    public void collect(boolean on) {
        victims.collect(on);
    }

    /** {@return the number of frames that have words now: numbers of frames are less} */
    public int frames() {
        return frames.frames();
    }

    /** {@return the greatest number of frames in use at any time} */
    public int peakFrames() {
        return frames.peakFrames();
    }

    /** {@return searches for a victim while collecting, each of which has scanned at least one frame} */
    public long searches() {
        return victims.searches();
    }

    /** {@return frames scanned for victims while collecting: one for each step of a hand} */
    public long framesScanned() {
        return victims.framesScanned();
    }

    /** {@return victims evicted while collecting} */
    public long evictions() {
        return victims.evictions();
    }

    /** {@return victims given back because they were dirty, while collecting} */
    public long declined() {
        return victims.declined();
    }

    /** {@return dirty victims that a miss wrote back itself, while collecting} */
    public long foregroundCleans() {
        return victims.foregroundCleans();
    }

    /**
     * Checks, while no other thread uses the pool, that every free frame can be found again.
     *
     * @throws IllegalStateException if a free frame is lost
     */
    public void checkFreeFrames() {
        frames.checkFreeFrames();
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
