// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.internal.pool;

import io.clockhand.internal.frame.FrameState;
import io.clockhand.internal.frame.FrameStates;
import io.clockhand.internal.frame.FreeFrames;
import io.clockhand.policy.ReplacementPolicy;

/**
 * The engine room: pins, victims and the one copy of the miss protocol, in frame numbers only.
 *
 * <p>At any time a frame is exactly one of: free; claimed by one thread; mapped; doomed with stale pins left. Its state
 * word ({@link FrameStates}) says which; {@link FrameContents} knows what it holds. No lock is held around any call of
 * the contents.
 *
 * <p><b>The miss</b> ({@link #miss}):
 * <ol>
 * <li>a free frame, or a victim: the policy makes a tentative claim; a victim whose content is dirty is given back, is
 * cleaned while it stays mapped, and another is sought; a clean one is cleared and unmapped;
 * <li>the frame is bound to the new identity and published with one pin and no content;
 * <li>the identity is mapped to it; a thread that was second gives its frame up, and the frame is free again;
 * <li>the content is loaded and published. If that fails the identity is unmapped and the frame given up.
 * </ol>
 *
 * <p>Source: the structure is that of Nb-GCLOCK's {@code fix} (ICDE 2010, Fig. 3), without its faults: dirty victims are
 * written before they are unmapped, nothing is published before it is complete, a loser's frame is not lost, and a pool
 * whose frames are all pinned grows or fails after a bounded wait.
 *
 * @param <X> the checked exception of the contents
 */
public final class FramePool<X extends Exception> {
    /** What {@link #miss} returns when another thread has mapped the identity first. */
    public static final int LOST = -1;
    /** What {@link #miss} returns when there is no content for the identity. */
    public static final int ABSENT = -2;
    /** What {@link #tryAdmit} returns when there is no frame at the moment. */
    public static final int NO_FRAME = -3;

    private final FrameLifecycle<X> frames;
    private final FrameStates states;
    private final VictimSearch<X> victims;
    private final ReplacementPolicy policy;
    private final int weightCap;
    private final boolean observesHits;

    /**
     * Makes a pool whose frames are all free.
     *
     * @param options sizes and waits
     * @param policy chooses the victims
     * @param contents what the frames hold
     */
    public FramePool(PoolOptions options, ReplacementPolicy policy, FrameContents<X> contents) {
        this.policy = policy;
        this.weightCap = policy.weightCap();
        this.observesHits = policy.tracksAccesses();
        this.frames = new FrameLifecycle<>(options, policy, contents);
        this.states = frames.states();
        this.victims = new VictimSearch<>(frames, policy, contents, options);
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
        return weightCap;
    }

    /** {@return whether the policy must be told of each hit} */
    public boolean observesHits() {
        return observesHits;
    }

    /**
     * Tells the policy of a hit, if it {@linkplain #observesHits wants to know}.
     *
     * @param frame a frame that the caller has pinned
     */
    public void onHit(int frame) {
        policy.onHit(frame);
    }

    /**
     * Takes one pin off.
     *
     * @param frame a frame that the caller has pinned
     */
    public void unpin(int frame) {
        long before = states.unpin(frame);
        if (!FrameState.isQuiet(before)) {
            completeUnpin(frame, before);
        }
    }

    /**
     * Follows an unpin that is not {@linkplain FrameState#isQuiet quiet}: wakes who waits, and frees a doomed frame.
     *
     * @param frame a frame that the caller has unpinned
     * @param before its state before that
     */
    public void completeUnpin(int frame, long before) {
        frames.completeUnpin(frame, before);
    }

    /**
     * Waits until the content of a pinned frame is ready or will never be.
     *
     * @param frame a frame that the caller has pinned
     * @return whether it is ready
     */
    public boolean awaitReady(int frame) {
        frames.await(frame, s -> FrameState.content(s) != FrameState.EMPTY, "the content");
        return FrameState.content(states.state(frame)) == FrameState.READY;
    }

    /**
     * Waits until the claim on a frame ends, if it has one.
     *
     * @param frame any frame
     */
    public void awaitUnclaimed(int frame) {
        int generation = FrameState.generation(states.state(frame));
        frames.await(
                frame,
                s -> !FrameState.isClaimed(s) || FrameState.isFree(s) || FrameState.generation(s) != generation,
                "the end of an eviction");
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
                "those who read a page beside another");
    }

    // --- the miss ----------------------------------------------------------------------------------------------------

    /**
     * Brings a content in.
     *
     * @param identity the page id, or a number made of the key
     * @param arrival the steps that depend on the kind of content
     * @return the frame, pinned and ready; or {@link #LOST}; or {@link #ABSENT}
     * @throws X if a load, or the write-back of a victim, failed
     */
    public int miss(long identity, FrameBinding<X> arrival) throws X {
        int frame = admit(identity, arrival);
        return frame == LOST ? LOST : load(identity, frame, arrival);
    }

    /**
     * Gets a frame for a content and maps it: the first half of a miss. The caller, or another thread that has pinned the
     * frame, must go on to {@link #onLoad} and {@link #ready}, or the caller to {@link #failed}.
     *
     * @param identity the page id, or a number made of the key
     * @param arrival the steps that depend on the kind of content; {@code load} and {@code unmap} are not called
     * @return the frame, pinned, empty and mapped; or {@link #LOST}
     * @throws X if the write-back of a victim failed
     */
    public int admit(long identity, FrameBinding<X> arrival) throws X {
        return admit(identity, victims.acquire(identity), arrival);
    }

    /**
     * Gets a frame for a content and maps it, as {@link #admit} does, unless it would have to wait for a frame.
     *
     * @param identity the page id, or a number made of the key
     * @param arrival the steps that depend on the kind of content; {@code load} and {@code unmap} are not called
     * @return the frame, pinned, empty and mapped; or {@link #LOST}; or {@link #NO_FRAME}
     * @throws X if the write-back of a victim failed
     */
    public int tryAdmit(long identity, FrameBinding<X> arrival) throws X {
        int frame = victims.tryAcquire(identity);
        return frame == FreeFrames.NONE ? NO_FRAME : admit(identity, frame, arrival);
    }

    private int admit(long identity, int frame, FrameBinding<X> arrival) throws X {
        try {
            arrival.bind(frame);
        } catch (Throwable failure) {
            frames.release(frame);
            throw failure;
        }
        states.setIdentity(frame, identity);
        frames.publishPinned(frame, weightCap > 0 ? 1 : 0);
        boolean mapped = false;
        try {
            mapped = arrival.map(frame);
        } finally {
            if (!mapped) {
                frames.giveUp(frame);
            }
        }
        return mapped ? frame : LOST;
    }

    /**
     * Tells the policy of a content that is there now, before it is published.
     *
     * @param identity the page id, or a number made of the key
     * @param frame a frame that the caller has pinned, and nobody else says this of
     */
    public void onLoad(long identity, int frame) {
        policy.onLoad(frame, identity, FrameState.generation(states.state(frame)));
    }

    /**
     * Publishes a content.
     *
     * @param frame a frame that the caller has pinned, and nobody else says this of
     * @param keepPin false if the caller has the content in another way, too, and needs no pin any more
     */
    public void ready(int frame, boolean keepPin) {
        frames.ready(frame, keepPin);
    }

    /**
     * Gives up a frame whose content could not be loaded, and the caller's pin; those of others stay until they drop them.
     *
     * @param frame a frame that the caller has pinned, and unmapped
     */
    public void failed(int frame) {
        frames.giveUp(frame);
    }

    private int load(long identity, int frame, FrameBinding<X> arrival) throws X {
        boolean loaded = false;
        try {
            if (arrival.load(frame)) {
                onLoad(identity, frame);
                loaded = true;
            }
        } finally {
            if (!loaded) {
                try {
                    arrival.unmap(frame);
                } finally {
                    frames.giveUp(frame);
                }
            }
        }
        if (!loaded) {
            return ABSENT;
        }
        frames.ready(frame, true);
        return frame;
    }

    // --- leaving -----------------------------------------------------------------------------------------------------

    /**
     * Waits until the caller's pin is the only one and turns it into a claim. If the wait is given up, the pin stays. For contents that
     * nobody uses without a pin.
     *
     * @param frame a frame that the caller has pinned
     */
    public void awaitLastPin(int frame) {
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
     * Claims an unpinned frame for maintenance, even one that is queued for cleaning, after any other thread that has claimed it only to
     * see whether it is dirty. Does not wait for the write-back or the clearing that may follow.
     *
     * @param frame any frame
     * @return whether the caller owns it now; if not, it is in use, free, being loaded, written back or cleared
     */
    public boolean tryClaimAfterDirtyCheck(int frame) {
        while (!states.tryClaimQueued(frame) || !frames.confirm(frame)) {
            long seen = states.state(frame);
            if (FrameState.isDirtyCheck(seen)) {
                int generation = FrameState.generation(seen);
                frames.await(
                        frame,
                        s -> !FrameState.isDirtyCheck(s) || FrameState.generation(s) != generation,
                        "a look whether it is dirty");
            } else if (!FrameState.isUnused(seen) || states.sharers(frame) > 0) {
                return false;
            }
        }
        return true;
    }

    /**
     * Gives a frame back that was claimed for maintenance.
     *
     * @param frame a frame that the caller has claimed
     */
    public void revoke(int frame) {
        frames.revoke(frame, false);
    }

    /**
     * Pins a frame to look whether its content is dirty, after any claim on it and any other look.
     *
     * @param frame any frame
     * @return the state with the pin, or {@link FrameStates#NOT_PINNED} if the frame is free or given up, or was bound
     *     anew while the thread waited
     */
    public long pinForDirtyCheck(int frame) {
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
            if (FrameState.isClaimed(seen)) {
                awaitUnclaimed(frame);
            } else {
                frames.await(frame, s -> !FrameState.isDirtyChecked(s), "a look whether it is dirty");
            }
        }
    }

    /**
     * Ends a look.
     *
     * @param frame a frame that the caller has pinned by {@link #pinForDirtyCheck}
     * @param keepPin whether the pin stays, now as one of a user
     */
    public void endDirtyCheck(int frame, boolean keepPin) {
        frames.endDirtyCheck(frame, keepPin);
    }

    /**
     * Empties a frame that was claimed for maintenance and frees it.
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

    // --- write-back --------------------------------------------------------------------------------------------------

    /**
     * Waits for a write-back under way, if there is one, and begins another.
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
     * Ends a write-back.
     *
     * @param frame a frame for which the caller began one
     */
    public void endWriting(int frame) {
        frames.endWriting(frame);
    }

    // --- figures -----------------------------------------------------------------------------------------------------

    /**
     * Starts or stops counting evictions and write-backs; nothing is stored while it is off.
     *
     * @param on whether to count
     */
    public void collect(boolean on) {
        victims.collect(on);
    }

    /** {@return the number of frames now} */
    public int frames() {
        return frames.frames();
    }

    /** {@return the most frames that were in use at any time} */
    public int peakFrames() {
        return frames.peakFrames();
    }

    /** {@return frames that the policy looked at in search of victims while collecting: one for each step of a hand} */
    public long framesScanned() {
        return victims.framesScanned();
    }

    /** {@return victims emptied while collecting} */
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
