// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.internal.frame;

import static io.clockhand.internal.frame.FrameState.CLAIMED;
import static io.clockhand.internal.frame.FrameState.DIRTY;
import static io.clockhand.internal.frame.FrameState.DOOMED;
import static io.clockhand.internal.frame.FrameState.FREE;
import static io.clockhand.internal.frame.FrameState.PINS;
import static io.clockhand.internal.frame.FrameState.QUEUED;
import static io.clockhand.internal.frame.FrameState.WAITED;
import static io.clockhand.internal.frame.FrameState.WEIGHT;
import static io.clockhand.internal.frame.FrameState.WEIGHT_ONE;
import static io.clockhand.internal.frame.FrameState.isVictim;

import java.lang.invoke.VarHandle;

/**
 * Claims on frames. A claim makes the calling thread the owner of a frame: no other thread can pin, share or claim it.
 *
 * <p><b>Two words, one claim.</b> A frame without a latch is claimed by one CAS of its state word, from a state
 * without pins. A page may also be in use through a share in its latch, without a pin. So the claim on a page takes a
 * second CAS, which closes the latch: CLOSED and a new version replace a latch that no thread holds. If a reader has a
 * share, the claim is taken back at once, and the threads that waited for its end are woken; the caller sees a frame
 * that could not be claimed. The same if a reader came and went between the two and has updated a row: the page is
 * dirty now. That is read after the latch was closed, when no thread can mark the page any more. {@link #revoke} ends
 * a claim and opens the latch again. A frame that is bound anew keeps its latch closed until {@link
 * FrameStates#ready}.
 *
 * <p><b>Memory order.</b> The CAS of the state comes first. It keeps new pins out, and a thread needs a pin to hold the
 * latch in update or exclusive mode or to wait for it. So only readers can race with the CAS of the latch: a reader's
 * CAS from the word that it has seen (see {@link FrameRef}) either comes first, and the claim fails, or meets CLOSED or
 * another version. The CAS that closes the latch is followed by a store-store fence, so an optimistic reader that sees
 * a byte or a word of the next page sees the new version, too.
 */
abstract class FrameClaims extends FrameRows {
    private final FrameWaiters waiters = new FrameWaiters(new FrameWaiters.WaitedWord() {
        @Override
        public long read(int frame) {
            return state(frame);
        }

        @Override
        public boolean trySetWaited(int frame, long seen) {
            return cas(frame, seen, seen | WAITED);
        }

        @Override
        public boolean isWaited(long seen) {
            return FrameState.isWaited(seen);
        }
    });

    private final FrameLine line;
    /** Whether a thread waits for a frame; written by {@link FrameLine} only, which says how it is ordered. */
    private volatile boolean frameWanted;

    FrameClaims(int frames, boolean pages) {
        super(frames, pages);
        this.line = new FrameLine(this, frames);
    }

    /** {@return the threads that wait for any frame} */
    public final FrameLine line() {
        return line;
    }

    /** {@return whether a thread waits for any frame} */
    public final boolean isFrameWanted() {
        return frameWanted;
    }

    final void setFrameWanted(boolean wanted) {
        frameWanted = wanted;
    }

    /** {@return whether a frame is free, or could be claimed; if not, the thread that changes that will offer it} */
    final boolean mayBeHad(int frame) {
        VarHandle.fullFence(); // of two threads that drop a pin and a share, one sees that neither is left
        long s = state(frame);
        return FrameState.isFree(s) || (isVictim(s) && !isShared(words(frame), at(frame)));
    }

    /**
     * {@return whether an unpin concerns another thread, so that {@link FrameStates#completeUnpin} must follow: one is
     * parked on the frame, the frame is doomed, or it was the last pin and a thread waits for any frame}
     *
     * @param before the state before the unpin
     */
    public final boolean concernsOthers(long before) {
        return !FrameState.isQuiet(before) || ((before & PINS) == 1 && frameWanted);
    }

    /** {@return the threads that wait for a change of a state word} */
    public final FrameWaiters waiters() {
        return waiters;
    }

    /**
     * Reads the word with acquire order.
     *
     * @param frame any frame
     * @return its state
     */
    public final long state(int frame) {
        return (long) WORD.getAcquire(words(frame), at(frame));
    }

    /**
     * Takes one off the weight of an unused frame, and claims the frame if no weight is left, in one CAS. A dirty page
     * keeps its last weight, and is skipped; see {@link #tryQueueDirty}.
     *
     * @param frame any frame
     * @return what happened to the frame
     */
    public final Sweep ageOrClaim(int frame) {
        long[] words = words(frame);
        int at = at(frame);
        for (; ; ) {
            long s = (long) WORD.getAcquire(words, at);
            if (!isVictim(s & ~DIRTY) || isShared(words, at)) {
                return Sweep.SKIPPED;
            }
            boolean last = (s & WEIGHT) <= WEIGHT_ONE;
            if (last && (s & DIRTY) != 0) {
                return Sweep.SKIPPED;
            }
            long next = last ? (s & ~WEIGHT) | CLAIMED : s - WEIGHT_ONE;
            if (WORD.compareAndSet(words, at, s, next)) {
                if (!last) {
                    return Sweep.AGED;
                }
                return completeClaim(frame, words, at, s, 0) ? Sweep.CLAIMED : Sweep.SKIPPED;
            }
        }
    }

    /**
     * Takes one off the weight of an unused frame if that is above one. Never claims the frame.
     *
     * @param frame any frame
     * @return AGED, SPENT or SKIPPED
     */
    public final Sweep age(int frame) {
        long[] words = words(frame);
        int at = at(frame);
        for (; ; ) {
            long s = (long) WORD.getAcquire(words, at);
            if (!FrameState.isUnused(s) || isShared(words, at)) {
                return Sweep.SKIPPED;
            }
            if ((s & WEIGHT) <= WEIGHT_ONE) {
                return Sweep.SPENT;
            }
            if (WORD.compareAndSet(words, at, s, s - WEIGHT_ONE)) {
                return Sweep.AGED;
            }
        }
    }

    /**
     * Claims an unused, loaded frame that is not queued for write-back, whatever its weight.
     *
     * @param frame any frame
     * @return whether the caller owns the frame now
     */
    public final boolean tryClaim(int frame) {
        long[] words = words(frame);
        int at = at(frame);
        for (; ; ) {
            long s = (long) WORD.getAcquire(words, at);
            if (!isVictim(s) || isShared(words, at)) {
                return false;
            }
            if (WORD.compareAndSet(words, at, s, s | CLAIMED)) {
                return completeClaim(frame, words, at, s, 0);
            }
        }
    }

    /**
     * Claims an unused, loaded frame even if it is queued for write-back, and clears that mark.
     *
     * @param frame any frame
     * @return whether the caller owns the frame now; if not, this has not changed the mark
     */
    public final boolean tryClaimQueued(int frame) {
        return tryClaimDespite(frame, QUEUED);
    }

    /**
     * Claims an unused, loaded frame even if it is queued for write-back or holds a dirty page, which stays marked as
     * dirty.
     *
     * @param frame any frame
     * @return whether the caller owns the frame now
     */
    public final boolean tryClaimUnused(int frame) {
        return tryClaimDespite(frame, QUEUED | DIRTY);
    }

    private boolean tryClaimDespite(int frame, long marks) {
        long[] words = words(frame);
        int at = at(frame);
        for (; ; ) {
            long s = (long) WORD.getAcquire(words, at);
            if (!isVictim(s & ~marks) || isShared(words, at)) {
                return false;
            }
            if (WORD.compareAndSet(words, at, s, claimed(s))) {
                return completeClaim(frame, words, at, s, 0);
            }
        }
    }

    /**
     * Turns the caller's pin into a claim if it is the only pin.
     *
     * @param frame a frame that the caller has pinned
     * @return whether the caller owns the frame now, and has no pin any more; if not, it still has its pin
     */
    public final boolean tryClaimLastPin(int frame) {
        long[] words = words(frame);
        int at = at(frame);
        for (; ; ) {
            long s = (long) WORD.getAcquire(words, at);
            expect((s & PINS) != 0, frame, s, "claimed through a pin");
            if ((s & PINS) != 1 || (s & DOOMED) != 0) {
                return false;
            }
            if (WORD.compareAndSet(words, at, s, claimed(s - 1))) {
                return completeClaim(frame, words, at, s, 1);
            }
        }
    }

    /**
     * The first step of a claim. Without a latch the frame is claimed then, and the queued mark goes with the same CAS.
     * The mark of a page stays until its latch is closed. If the latch cannot be closed, a mark that had been cleared
     * would have to be set again, although another thread may have taken the frame out of the queue meanwhile.
     */
    private long claimed(long s) {
        return pages ? s | CLAIMED : (s | CLAIMED) & ~QUEUED;
    }

    /** The second step of a claim, which began in the state {@code seen}; if it fails, {@code pin} replaces it. */
    private boolean completeClaim(int frame, long[] words, int at, long seen, int pin) {
        if (!pages) {
            return true;
        }
        if (tryCloseLatch(words, at)) {
            if (((long) WORD.getAcquire(words, at) & ~seen & DIRTY) == 0) {
                if ((seen & QUEUED) != 0) {
                    clearQueued(frame);
                }
                return true;
            }
            openLatch(words, at, 0);
        }
        takeBackClaim(frame, pin);
        return false;
    }

    private void takeBackClaim(int frame, int pin) {
        long s;
        do {
            s = state(frame);
        } while (!cas(frame, s, (s & ~(CLAIMED | WAITED)) | pin));
        waiters.wake(frame, s);
        line.offer(frame); // the reader may have gone meanwhile
    }

    /**
     * Marks a dirty page as waiting to be written, so that no search for a victim meets it again.
     *
     * @param frame any frame
     * @return whether this call has marked it: the caller must add it to the write-back queue; false if it is clean, in
     *     use, or queued
     */
    public final boolean tryQueueDirty(int frame) {
        if (!pages) {
            return false;
        }
        for (; ; ) {
            long s = state(frame);
            if (!FrameState.isUnqueuedDirty(s)) {
                return false;
            }
            if (cas(frame, s, s | QUEUED)) {
                return true;
            }
        }
    }

    /**
     * Clears the mark of a frame that is not in the write-back queue any more, so that it can be a victim again.
     *
     * @param frame any frame
     */
    public final void clearQueued(int frame) {
        long s = state(frame);
        while ((s & QUEUED) != 0 && !cas(frame, s, s & ~QUEUED)) {
            s = state(frame);
        }
    }

    /**
     * Ends a claim and leaves the content in the frame.
     *
     * @param frame a frame that the caller has claimed
     * @param queued whether the content is dirty and goes to the write-back queue
     * @return the state before
     */
    public final long revoke(int frame, boolean queued) {
        expectClaimed(frame, state(frame));
        openLatch(frame, 0);
        for (; ; ) {
            long s = state(frame);
            if (cas(frame, s, (s & ~(CLAIMED | WAITED)) | (queued ? QUEUED : 0))) {
                return s;
            }
        }
    }

    static void expectClaimed(int frame, long s) {
        expect((s & (CLAIMED | FREE | PINS)) == CLAIMED, frame, s, "released from a claim");
    }

    static void expect(boolean holds, int frame, long s, String what) {
        if (!holds) {
            throw new IllegalStateException("frame " + frame + " cannot be " + what + ": " + FrameState.toString(s));
        }
    }
}
