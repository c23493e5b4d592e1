// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.internal.frame;

import static io.clockhand.internal.frame.FrameState.CLAIMED;
import static io.clockhand.internal.frame.FrameState.CONTENT;
import static io.clockhand.internal.frame.FrameState.CONTENT_FAILED;
import static io.clockhand.internal.frame.FrameState.CONTENT_READY;
import static io.clockhand.internal.frame.FrameState.DIRTY_CHECK;
import static io.clockhand.internal.frame.FrameState.DOOMED;
import static io.clockhand.internal.frame.FrameState.FREE;
import static io.clockhand.internal.frame.FrameState.GENERATION;
import static io.clockhand.internal.frame.FrameState.GENERATION_ONE;
import static io.clockhand.internal.frame.FrameState.PINS;
import static io.clockhand.internal.frame.FrameState.QUEUED;
import static io.clockhand.internal.frame.FrameState.WAITED;
import static io.clockhand.internal.frame.FrameState.WEIGHT;
import static io.clockhand.internal.frame.FrameState.WEIGHT_ONE;
import static io.clockhand.internal.frame.FrameState.WEIGHT_SHIFT;
import static io.clockhand.internal.frame.FrameState.freed;
import static io.clockhand.internal.frame.FrameState.isUsable;

import java.lang.invoke.VarHandle;

/**
 * The atomic state words of frames: pins, weight, claim and content of a frame in one {@code long}, so that one CAS
 * decides between a pin and an eviction. A reader of a page may have a share in its latch instead of a pin; {@link
 * FrameClaims} says how a claim excludes both.
 *
 * <p>Frames are numbered from 0. {@link FrameRows} says where the words lie; {@link FrameState} draws the layout of a
 * word and says which thread writes which field when.
 *
 * <p><b>Memory order.</b> Every change is a CAS ({@link VarHandle#compareAndSet}, a full fence on the JVM), except an
 * unpin, which is an atomic add of the same strength. Every first read is an acquire load. The identity is opaque: it
 * is written under a claim, and read between an acquire load of the state and a CAS from that state. Plain data of the
 * owner of a frame (its binding, its content) become visible through the CAS that ends the ownership: {@link
 * #publishPinned} and {@link #ready} pair with the CAS of {@link #tryPin} or with the acquire load of a waiter. {@link
 * #ready} opens the latch of a page by a release store, which pairs with the acquire load of a reader ({@link
 * FrameRef}). A word is never stored plainly after its chunk was published, since a late finder may pin or unpin at any
 * moment.
 *
 * <p>Nothing here waits, allocates (except for growth) or knows what the frames hold. Thread-safe.
 */
public final class FrameStates extends FrameWrites {
    /** Returned by {@link #tryPin} when the frame cannot be pinned; no pinned frame has this state. */
    public static final long NOT_PINNED = 0L;

    /**
     * Creates words for frames 0 to {@code frames − 1}; every new frame is claimed and free.
     *
     * @param frames the number of frames
     */
    public FrameStates(int frames) {
        this(frames, false);
    }

    /**
     * Creates words for frames 0 to {@code frames − 1}; every new frame is claimed and free, and has no buffer.
     *
     * @param frames the number of frames
     * @param pages whether they hold pages: if not, they have neither a buffer nor a latch
     */
    public FrameStates(int frames, boolean pages) {
        super(frames, pages);
    }

    // --- the hit -----------------------------------------------------------------------------------------------------

    /**
     * Pins the frame and adds one to its weight while that is below {@code weightCap}, in one CAS.
     *
     * @param frame the frame
     * @param weightCap the weight at which a hit stops adding; 0 leaves the weight alone
     * @return the state with the pin, or {@link #NOT_PINNED} if the frame is claimed or doomed, or has 65,535 pins
     */
    public long tryPin(int frame, int weightCap) {
        long[] words = words(frame);
        int at = at(frame);
        long cap = (long) weightCap << WEIGHT_SHIFT;
        for (; ; ) {
            long s = (long) WORD.getAcquire(words, at);
            if ((s & (CLAIMED | DOOMED)) != 0 || (s & PINS) == PINS) {
                return NOT_PINNED;
            }
            long next = (s & WEIGHT) < cap ? s + (WEIGHT_ONE + 1) : s + 1;
            if (WORD.compareAndSet(words, at, s, next)) {
                return next;
            }
        }
    }

    /**
     * Pins the frame as {@link #tryPin} does, if its content is ready and of this identity; otherwise changes nothing.
     * The identity is read between the state and the CAS from it, so it is that of the binding whose generation the CAS
     * has confirmed; but for the case that 65,536 bindings went by, for which the caller must read it again.
     *
     * @param frame the frame
     * @param identity what the content must belong to
     * @param weightCap the weight at which a hit stops adding; 0 leaves the weight alone
     * @return whether the frame is pinned now
     */
    public boolean tryPinReady(int frame, long identity, int weightCap) {
        long[] words = words(frame);
        int at = at(frame);
        long cap = (long) weightCap << WEIGHT_SHIFT;
        for (; ; ) {
            long s = (long) WORD.getAcquire(words, at);
            if (!isUsable(s) || identity(words, at) != identity || (s & PINS) == PINS) {
                return false;
            }
            long next = (s & WEIGHT) < cap ? s + (WEIGHT_ONE + 1) : s + 1;
            if (WORD.compareAndSet(words, at, s, next)) {
                return true;
            }
        }
    }

    /**
     * Takes one pin off, in one atomic add. If the state that is returned {@linkplain #concernsOthers concerns
     * others} the caller must call {@link #completeUnpin}.
     *
     * <p>A thread that takes off a pin that it has not gets an exception before anything changes, unless the last pin
     * goes at the same moment: then the word is wrong until the exception is thrown.
     *
     * @param frame a frame that the caller has pinned
     * @return the state before
     * @throws IllegalStateException if the frame has no pin
     */
    public long unpin(int frame) {
        long[] words = words(frame);
        int at = at(frame);
        expectAPin(frame, (long) WORD.getAcquire(words, at)); // before the add, which must not borrow from other fields
        long before = (long) WORD.getAndAdd(words, at, -1L);
        if ((before & PINS) == 0) {
            WORD.getAndAdd(words, at, 1L);
            expectAPin(frame, before);
        }
        return before;
    }

    /**
     * Follows an unpin that others wait for, or that took a pin off a doomed frame: takes the mark of the waiters off,
     * and leaves a doomed frame that {@linkplain FrameState#isLastOfDoomed has no pin now} claimed by the caller and
     * free, to be handed to the free frames. No other thread can: no pin is added to a doomed frame, so one thread took
     * the last one.
     *
     * <p>If the caller has not freed the frame another may have, and the frame may be bound anew and waited for anew:
     * so the caller must wake by the state that is returned, not by the one before the unpin.
     *
     * @param frame a frame that the caller has unpinned
     * @param before what {@link #unpin} returned
     * @return the state before
     */
    public long completeUnpin(int frame, long before) {
        boolean frees = FrameState.isLastOfDoomed(before);
        for (; ; ) {
            long s = state(frame);
            if ((!frees && (s & WAITED) == 0) || cas(frame, s, frees ? freed(s) : s & ~WAITED)) {
                return s;
            }
        }
    }

    // --- dirty checks ------------------------------------------------------------------------------------------------

    /**
     * Pins the frame for a dirty check, without a change of its weight. Other threads can tell such a pin from one of a
     * user ({@link FrameState#isDirtyCheck}).
     *
     * @param frame any frame
     * @return the state with the pin, or {@link #NOT_PINNED} if the frame is claimed, doomed, has a dirty check
     *     already, or has 65,535 pins
     */
    public long tryPinForDirtyCheck(int frame) {
        for (; ; ) {
            long s = state(frame);
            if ((s & (CLAIMED | DOOMED | DIRTY_CHECK)) != 0 || (s & PINS) == PINS) {
                return NOT_PINNED;
            }
            long next = (s + 1) | DIRTY_CHECK;
            if (cas(frame, s, next)) {
                return next;
            }
        }
    }

    /**
     * Ends a dirty check. The frame is no longer queued for write-back: it is clean, or the caller writes it. If the
     * last pin of a doomed frame goes, the frame is claimed by the caller and free.
     *
     * @param frame a frame that the caller has pinned by {@link #tryPinForDirtyCheck}
     * @param staysPinned whether the pin stays, now as one of a user
     * @return the state before
     */
    public long endDirtyCheck(int frame, boolean staysPinned) {
        for (; ; ) {
            long s = state(frame);
            expect((s & DIRTY_CHECK) != 0 && (s & PINS) != 0, frame, s, "released after a dirty check");
            long next = (staysPinned ? s : s - 1) & ~(DIRTY_CHECK | QUEUED | WAITED);
            if (!staysPinned && (s & (DOOMED | PINS)) == (DOOMED | 1)) {
                next = freed(s);
            }
            if (cas(frame, s, next)) {
                return s;
            }
        }
    }

    // --- the life of a frame -----------------------------------------------------------------------------------------

    /**
     * Ends the claim: the frame is bound anew, with one pin (the caller's), no content, and the next generation.
     *
     * @param frame a frame that the caller has claimed and bound to its new identity
     * @param weight the weight to start with
     * @return the state before
     */
    public long publishPinned(int frame, int weight) {
        long[] words = words(frame);
        int at = at(frame);
        for (; ; ) {
            long s = (long) WORD.getAcquire(words, at);
            expectClaimed(frame, s);
            long next = ((s & GENERATION) + GENERATION_ONE) | ((long) weight << WEIGHT_SHIFT) | 1;
            if (WORD.compareAndSet(words, at, s, next)) {
                return s;
            }
        }
    }

    /**
     * Publishes the content. The caller keeps its pin.
     *
     * @param frame an empty frame that the caller has pinned and loaded
     * @return the state before
     */
    public long ready(int frame) {
        return ready(frame, false);
    }

    /**
     * Publishes the content and opens the latch of a page. The latch opens first: a waiter for the content is woken
     * when it can latch the page.
     *
     * @param frame an empty frame that the caller has pinned and loaded
     * @param share whether a share in the latch replaces the caller's pin
     * @return the state before
     */
    public long ready(int frame, boolean share) {
        long[] words = words(frame);
        int at = at(frame);
        int pin = share ? 1 : 0;
        long s = (long) WORD.getAcquire(words, at);
        expectEmpty(frame, s, "made ready");
        if (pages) {
            openLatch(words, at, pin);
        }
        while (!WORD.compareAndSet(words, at, s, ((s & ~WAITED) | CONTENT_READY) - pin)) {
            s = (long) WORD.getAcquire(words, at);
        }
        return s;
    }

    /**
     * Gives up a pinned frame whose content never became ready and whose identity is unmapped: frees it if the caller's
     * pin is the only one, else dooms it, and the last unpin frees it.
     *
     * @param frame an empty frame that the caller has pinned
     * @return the state before; the frame is free if it had one pin
     */
    public long giveUp(int frame) {
        for (; ; ) {
            long s = state(frame);
            expectEmpty(frame, s, "given up");
            long next = (s & PINS) == 1 ? freed(s) : ((s - 1) & ~WAITED) | DOOMED | CONTENT_FAILED;
            if (cas(frame, s, next)) {
                return s;
            }
        }
    }

    /**
     * Frees a claimed frame.
     *
     * @param frame a frame that the caller has claimed and unmapped
     * @return the state before
     */
    public long free(int frame) {
        for (; ; ) {
            long s = state(frame);
            expectClaimed(frame, s);
            if (cas(frame, s, freed(s))) {
                return s;
            }
        }
    }

    /**
     * Takes a free frame: it stays claimed, now by the caller.
     *
     * @param frame any frame
     * @return whether it was free and is the caller's now
     */
    public boolean tryTakeFree(int frame) {
        for (; ; ) {
            long s = state(frame);
            if ((s & FREE) == 0) {
                return false;
            }
            if (cas(frame, s, s & ~FREE)) {
                return true;
            }
        }
    }

    // --- reading -----------------------------------------------------------------------------------------------------

    /**
     * {@return the number of users of a frame at the moment: its pins and, of a page, the shares in its latch}
     *
     * @param frame any frame
     */
    public int users(int frame) {
        return FrameState.pins(state(frame)) + sharers(frame);
    }

    private static void expectEmpty(int frame, long s, String what) {
        expect((s & PINS) != 0 && (s & (CONTENT | CLAIMED | DOOMED)) == 0, frame, s, what);
    }

    private static void expectAPin(int frame, long s) {
        if ((s & PINS) == 0) {
            throw new IllegalStateException(
                    "unpin of frame " + frame + ", which is not pinned: " + FrameState.toString(s));
        }
    }
}
