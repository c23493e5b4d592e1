// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.internal.frame;

import static io.clockhand.internal.frame.FrameState.CLAIMED;
import static io.clockhand.internal.frame.FrameState.CONTENT;
import static io.clockhand.internal.frame.FrameState.CONTENT_FAILED;
import static io.clockhand.internal.frame.FrameState.CONTENT_READY;
import static io.clockhand.internal.frame.FrameState.DIRTY;
import static io.clockhand.internal.frame.FrameState.DIRTY_CHECK;
import static io.clockhand.internal.frame.FrameState.DOOMED;
import static io.clockhand.internal.frame.FrameState.FREE;
import static io.clockhand.internal.frame.FrameState.GENERATION;
import static io.clockhand.internal.frame.FrameState.GENERATION_ONE;
import static io.clockhand.internal.frame.FrameState.PINS;
import static io.clockhand.internal.frame.FrameState.QUEUED;
import static io.clockhand.internal.frame.FrameState.UNMAPPED;
import static io.clockhand.internal.frame.FrameState.WAITED;
import static io.clockhand.internal.frame.FrameState.WEIGHT;
import static io.clockhand.internal.frame.FrameState.WEIGHT_ONE;
import static io.clockhand.internal.frame.FrameState.WEIGHT_SHIFT;
import static io.clockhand.internal.frame.FrameState.WRITING;
import static io.clockhand.internal.frame.FrameState.freed;
import static io.clockhand.internal.frame.FrameState.isUsable;
import static io.clockhand.internal.frame.FrameState.isVictim;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;

/**
 * The words of frames, a header for each: the state, with pins, weight, claim and content in one {@code long}, so that
 * one CAS decides between a pin and an eviction; beside it the identity of the content, and for a page its buffer and
 * its latch.
 *
 * <p>Frames are numbered from 0. {@link FrameState} draws the layout of a state and says which thread writes which
 * field when; {@link BufferWord} and {@link LatchWord} do so for theirs. A reader of a page may have a share in its
 * latch instead of a pin.
 *
 * <p><b>Layout.</b> The words of a frame are neighbours. In a small pool each frame has eight longs (64 bytes), so
 * that no two state words share a cache line; in a large one two longs, or four where the frames hold pages, since
 * there the words that fit into the processor's caches count for more than several frames in a line. The numbers of
 * holders' frames in a line lie far apart. The words of the frames that a pool begins with lie in one array, those of
 * later ones in chunks that are added as the pool grows and never go away.
 *
 * <p><b>Memory order.</b> Every change of a state is a CAS ({@link VarHandle#compareAndSet}, a full fence on the JVM),
 * except an unpin, which is an atomic add of the same strength. Every first read is an acquire load. The identity is
 * opaque: it is written under a claim, and read between an acquire load of the state and a CAS from that state. Plain
 * data of the owner of a frame (its binding, its content) become visible through the CAS that ends the ownership:
 * {@link #publishPinned} and {@link #ready} pair with the CAS of {@link #tryPin} or with the acquire load of a waiter.
 * {@link #ready} opens the latch of a page by a release store, which pairs with the acquire load of a reader ({@link
 * FrameRef}). A word is never stored plainly after its chunk was published, since a late finder may pin or unpin at any
 * moment.
 *
 * <p><b>Claims.</b> A claim makes the calling thread the owner of a frame: no other thread can pin, share or claim it.
 * A frame without a latch is claimed by one CAS of its state, from a state without pins. A page may also be in use
 * through a share in its latch, without a pin. So the claim on a page takes a second CAS, which closes the latch:
 * CLOSED and a new version replace a latch that no thread holds. If a reader has a share, the claim is taken back at
 * once, and the threads that waited for its end are woken; the caller sees a frame that could not be claimed. The same
 * if a reader came and went between the two and has updated a row: the page is dirty now. That is read after the latch
 * was closed, when no thread can mark the page any more. {@link #revoke} ends a claim and opens the latch again. A
 * frame that is bound anew keeps its latch closed until {@link #ready}.
 *
 * <p>The CAS of the state comes first. It keeps new pins out, and a thread needs a pin to hold the latch in update or
 * exclusive mode or to wait for it. So only readers can race with the CAS of the latch: a reader's CAS from the word
 * that it has seen (see {@link FrameRef}) either comes first, and the claim fails, or meets CLOSED or another version.
 * The CAS that closes the latch is followed by a store-store fence, so an optimistic reader that sees a byte or a word
 * of the next page sees the new version, too.
 *
 * <p><b>Dirt.</b> Only a holder knows whether it is dirty. A page is dirty if its frame has the mark:
 *
 * <table>
 * <caption>The marks of a page</caption>
 * <tr><th>dirty</th><th>writing</th><th>the page is</th><th>left by</th></tr>
 * <tr><td>no</td><td>no</td><td>clean: may be claimed</td><td>{@link #markDirty}</td></tr>
 * <tr><td>yes</td><td>no</td><td>dirty</td><td>{@link #tryPinToWrite}</td></tr>
 * <tr><td>yes</td><td>yes</td><td>about to be copied; or being written, and dirty again since the copy</td>
 * <td>{@link #clearDirty} by the thread that copies it; {@link #endWriting}</td></tr>
 * <tr><td>no</td><td>yes</td><td>being written, from a copy</td><td>{@link #endWriting}; {@link #markDirty} by the next
 * update, or if the write has failed</td></tr>
 * </table>
 *
 * <p>The dirty mark is set and cleared by a thread that has the latch, so that it says exactly which changes the copy
 * has: an update sets it in exclusive mode, before it changes a byte (a creation sets it before other threads find the
 * page), and the writing thread clears it under a share, before it copies the bytes. An update of a row sets it under a
 * share; then the writing thread clears it in exclusive mode. The mark of a page that is written is set and cleared
 * with a pin, so a frame that is being written, or that is dirty, is never claimed as a victim: the CAS of a claim
 * compares pins and dirty mark at once. Under a share, the mark may be set between the two steps of a claim, which then
 * fails: it cannot close the latch, or sees the mark after it has closed it.
 *
 * <p>Nothing here waits, allocates (except for growth) or knows what the frames hold. Thread-safe.
 */
public final class FrameStates {
    /** Returned by {@link #tryPin} when the frame cannot be pinned; no pinned frame has this state. */
    public static final long NOT_PINNED = 0L;

    /** The least number of initial headers, as a power of two. */
    private static final int LEAST_HEADERS_BITS = 5;
    /** The greatest number of headers that are added at a time, as a power of two. */
    private static final int MOST_ADDED_BITS = 12;
    /** Up to this number of frames, each has a cache line of its own: 64 KiB of them. */
    private static final int PADDED_FRAMES = 1024;

    private static final int PADDED_HEADER_SHIFT = 3;
    private static final int HOLDER_HEADER_SHIFT = 1;
    private static final int PAGE_HEADER_SHIFT = 2;
    /**
     * The distance in headers between neighbours, more than two lines; odd, so that every header is used. Those of
     * pages are neighbours: two share a line in a large pool, and a hit of a page finds its header by a shift and an
     * addition.
     */
    private static final int HOLDER_SPREAD = 9;

    private static final int PAGE_SPREAD = 1;

    /** The second long of a frame in use is its identity, that of a free one its link. */
    private static final int IDENTITY = 1;

    private static final int LINK = 1;
    /**
     * The third long of a page's frame says which buffer holds the page, see {@link BufferWord}; the fourth is its
     * latch.
     */
    static final int BUFFER = 2;

    static final int LATCH = 3;

    /**
     * Longs in front of the first header: with what the JVM puts before the array they fill a cache line, where the
     * array begins with one, as large ones do; so a header of four longs does not lie in two lines.
     */
    private static final int ORIGIN = 6;

    static final VarHandle WORD = MethodHandles.arrayElementVarHandle(long[].class);

    /** The headers of the frames that the pool began with, a power of two. */
    private final long[] first;

    private final int firstMask;
    final boolean pages;
    private final int headerShift;
    private final int spread;
    private final int addedBits;

    /**
     * The headers of later frames. Grows by copying; a frame that another thread hands over is within what it can see.
     */
    private volatile long[][] added = new long[0][];

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
        int bits = Integer.SIZE - Integer.numberOfLeadingZeros(Math.max(1, frames) - 1);
        this.headerShift =
                frames <= PADDED_FRAMES ? PADDED_HEADER_SHIFT : pages ? PAGE_HEADER_SHIFT : HOLDER_HEADER_SHIFT;
        this.spread = pages ? PAGE_SPREAD : HOLDER_SPREAD;
        int firstBits = Math.max(LEAST_HEADERS_BITS, bits);
        this.firstMask = (1 << firstBits) - 1;
        this.pages = pages;
        this.first = freeHeaders(firstBits);
        this.addedBits = Math.min(MOST_ADDED_BITS, firstBits);
        this.line = new FrameLine(this, frames);
    }

    // --- where the words lie -----------------------------------------------------------------------------------------

    private long[] freeHeaders(int bits) {
        long[] words = new long[ORIGIN + (1 << bits << headerShift)];
        for (int at = ORIGIN; at < words.length; at += 1 << headerShift) {
            words[at] = CLAIMED | FREE;
            if (pages) {
                words[at + LATCH] = LatchWord.CLOSED;
            }
        }
        return words;
    }

    /**
     * Adds headers until there are at least {@code frames}; a new frame is claimed and free.
     *
     * @param frames the number of frames that must exist
     */
    public synchronized void ensureFrames(int frames) {
        int have = added.length;
        int need = (frames - first() + (1 << addedBits) - 1) >> addedBits;
        if (need <= have) {
            return;
        }
        long[][] grown = Arrays.copyOf(added, need);
        for (int i = have; i < need; i++) {
            grown[i] = freeHeaders(addedBits);
        }
        added = grown;
    }

    private int first() {
        return firstMask + 1;
    }

    long[] words(int frame) {
        return frame <= firstMask ? first : added[(frame - first()) >> addedBits];
    }

    /** {@return the headers of the frames that the pool began with: all of a page pool} */
    long[] firstHeaders() {
        return first;
    }

    int headerShift() {
        return headerShift;
    }

    /** {@return where the header of a page's frame lies} */
    static int pageHeader(int frame, int headerShift) {
        return ORIGIN + (frame << headerShift);
    }

    /** {@return the frame of a page whose header this is} */
    static int pageFrame(int at, int headerShift) {
        return (at - ORIGIN) >> headerShift;
    }

    int at(int frame) {
        return frame <= firstMask
                ? ORIGIN + ((frame * spread & firstMask) << headerShift)
                : ORIGIN + (((frame - first()) * spread & ((1 << addedBits) - 1)) << headerShift);
    }

    // --- the words ---------------------------------------------------------------------------------------------------

    /**
     * Reads the word with acquire order.
     *
     * @param frame any frame
     * @return its state
     */
    public long state(int frame) {
        return (long) WORD.getAcquire(words(frame), at(frame));
    }

    /**
     * {@return whether a claimed frame was free, or was loaded by nobody}
     *
     * @param frame a frame that the caller has claimed
     */
    public boolean isEmpty(int frame) {
        return FrameState.content(state(frame)) == FrameState.EMPTY;
    }

    boolean cas(int frame, long expected, long next) {
        return WORD.compareAndSet(words(frame), at(frame), expected, next);
    }

    /**
     * Reads the identity of the content. It is the identity of the frame's content only to a thread that has pinned the
     * frame and found the content ready, or has a share in its latch; to others it is a hint, and of a free frame it is
     * nothing. Opaque, since the CAS on the state or the latch orders it.
     *
     * @param frame any frame
     * @return the identity
     */
    public long identity(int frame) {
        return identity(words(frame), at(frame));
    }

    static long identity(long[] words, int at) {
        return (long) WORD.getOpaque(words, at + IDENTITY);
    }

    /**
     * Sets the identity of the content that the frame will hold.
     *
     * @param frame a frame that the caller has claimed, before it is {@linkplain FrameStates#publishPinned published}
     * @param identity the identity
     */
    public void setIdentity(int frame, long identity) {
        WORD.setRelease(
                words(frame), at(frame) + IDENTITY, identity); // a walk that reads it has passed what went before
    }

    /** The link word of a free frame, for {@link FreeFrames}; opaque, since the stack's tagged head validates it. */
    int link(int frame) {
        return (int) (long) WORD.getOpaque(words(frame), at(frame) + LINK);
    }

    void setLink(int frame, int next) {
        WORD.setOpaque(words(frame), at(frame) + LINK, (long) next);
    }

    /**
     * Reads which buffer holds the page of a frame, with acquire order: a thread that sees a {@linkplain BufferWord
     * loaded} buffer sees the bytes that were read into it.
     *
     * @param frame any frame of a page pool
     * @return a {@link BufferWord}
     */
    public long buffer(int frame) {
        return (long) WORD.getAcquire(words(frame), at(frame) + BUFFER);
    }

    /**
     * Sets the buffer of a frame, with release order.
     *
     * @param frame a frame that the caller has claimed
     * @param word a {@link BufferWord}
     */
    public void setBuffer(int frame, long word) {
        WORD.setRelease(words(frame), at(frame) + BUFFER, word);
    }

    /**
     * Marks the buffer of a frame as {@linkplain BufferWord reserved}.
     *
     * @param frame a frame that the caller has claimed, and that has a buffer
     * @return the buffer
     */
    public int reserveBuffer(int frame) {
        long[] words = words(frame);
        int at = at(frame) + BUFFER;
        int buffer = BufferWord.buffer((long) WORD.getAcquire(words, at));
        WORD.setRelease(words, at, BufferWord.reserved(buffer));
        return buffer;
    }

    /**
     * Changes the buffer of a frame by CAS.
     *
     * @param frame a frame that the caller has pinned
     * @param expected the {@link BufferWord} that the caller has seen
     * @param word the new one
     * @return whether the frame has it now
     */
    public boolean casBuffer(int frame, long expected, long word) {
        return WORD.compareAndSet(words(frame), at(frame) + BUFFER, expected, word);
    }

    /** {@return whether a reader has a share in the latch: a hint, which {@link #tryCloseLatch} confirms} */
    boolean isShared(long[] words, int at) {
        return pages && LatchWord.sharers((long) WORD.getOpaque(words, at + LATCH)) != 0;
    }

    /**
     * {@return the number of shares in the latch of a frame at the moment; 0 if it holds no page}
     *
     * @param frame any frame
     */
    public int sharers(int frame) {
        return pages ? LatchWord.sharers(latch(frame)) : 0;
    }

    /**
     * {@return whether a thread holds the latch of a frame at the moment, in any mode; false if it holds no page}
     *
     * @param frame any frame
     */
    public boolean isLatched(int frame) {
        return pages && LatchWord.isHeld(latch(frame));
    }

    /**
     * Closes the latch of a claimed frame, if no thread holds it: no reader comes in, and no optimistic read that has
     * begun validates. So the owner may write to the buffer afterwards. Clears the mark of the waiters, since a waiter
     * has a pin.
     *
     * @return false, with nothing changed, if the page is latched; always true for frames without a latch
     */
    boolean tryCloseLatch(int frame) {
        return !pages || tryCloseLatch(words(frame), at(frame));
    }

    /** As {@link #tryCloseLatch(int)}, for the header of a page that the caller has located. */
    static boolean tryCloseLatch(long[] words, int at) {
        for (; ; ) {
            long word = (long) WORD.getAcquire(words, at + LATCH);
            if (LatchWord.isHeld(word)) {
                return false;
            }
            if (WORD.compareAndSet(words, at + LATCH, word, LatchWord.closed(word))) {
                VarHandle.storeStoreFence(); // the version comes before the words and bytes of the next page
                return true;
            }
        }
    }

    /**
     * Opens a closed latch, with shares for the caller. A release store is enough: a closed latch has no other writer,
     * since a thread needs a pin on a published page to change it.
     */
    void openLatch(int frame, int shares) {
        if (pages) {
            openLatch(words(frame), at(frame), shares);
        }
    }

    /** As {@link #openLatch(int, int)}, for the header of a page that the caller has located. */
    static void openLatch(long[] words, int at, int shares) {
        long word = (long) WORD.getAcquire(words, at + LATCH);
        WORD.setRelease(words, at + LATCH, LatchWord.version(word) << LatchWord.VERSION_SHIFT | shares);
    }

    long latch(int frame) {
        return (long) WORD.getAcquire(words(frame), at(frame) + LATCH);
    }

    boolean casLatch(int frame, long expected, long word) {
        return WORD.compareAndSet(words(frame), at(frame) + LATCH, expected, word);
    }

    long addToLatch(int frame, long delta) {
        return (long) WORD.getAndAdd(words(frame), at(frame) + LATCH, delta);
    }

    /**
     * {@return the number of users of a frame at the moment: its pins and, of a page, the shares in its latch}
     *
     * @param frame any frame
     */
    public int users(int frame) {
        return FrameState.pins(state(frame)) + sharers(frame);
    }

    // --- waiting -----------------------------------------------------------------------------------------------------

    /** {@return the threads that wait for any frame} */
    public FrameLine line() {
        return line;
    }

    /** {@return whether a thread waits for any frame} */
    public boolean isFrameWanted() {
        return frameWanted;
    }

    void setFrameWanted(boolean wanted) {
        frameWanted = wanted;
    }

    /** {@return whether a frame is free, or could be claimed; if not, the thread that changes that will offer it} */
    boolean mayBeHad(int frame) {
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
    public boolean concernsOthers(long before) {
        return !FrameState.isQuiet(before) || ((before & PINS) == 1 && frameWanted);
    }

    /** {@return the threads that wait for a change of a state word} */
    public FrameWaiters waiters() {
        return waiters;
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
        return tryPinIf(frame, CLAIMED | DOOMED, 0, weightCap);
    }

    /**
     * Pins the frame as {@link #tryPin} does, but only in this generation: for a thread that has seen what the frame
     * is bound to. A pin of a later binding, although it went soon, could keep another thread from evicting that.
     *
     * @param frame the frame
     * @param generation the generation of the state that the caller has read before it read the binding
     * @param weightCap the weight at which a hit stops adding; 0 leaves the weight alone
     * @return the state with the pin; {@link #NOT_PINNED} also if the frame has another generation
     */
    public long tryPinIn(int frame, int generation, int weightCap) {
        return tryPinIf(
                frame, CLAIMED | DOOMED | GENERATION, (long) generation << FrameState.GENERATION_SHIFT, weightCap);
    }

    /** Pins the frame if the bits of the mask are these. */
    private long tryPinIf(int frame, long mask, long bits, int weightCap) {
        long[] words = words(frame);
        int at = at(frame);
        long cap = (long) weightCap << WEIGHT_SHIFT;
        for (; ; ) {
            long s = (long) WORD.getAcquire(words, at);
            if ((s & mask) != bits || (s & PINS) == PINS) {
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

    // --- claims ------------------------------------------------------------------------------------------------------

    /**
     * Takes one off the weight of an unused frame, and claims the frame if no weight is left, in one CAS. A dirty page
     * keeps its last weight, and is skipped; see {@link #tryQueueDirty}.
     *
     * @param frame any frame
     * @return what happened to the frame
     */
    public FrameOutcome ageOrClaim(int frame) {
        long[] words = words(frame);
        int at = at(frame);
        for (; ; ) {
            long s = (long) WORD.getAcquire(words, at);
            if (!isVictim(s & ~DIRTY) || isShared(words, at)) {
                return FrameOutcome.SKIPPED;
            }
            boolean last = (s & WEIGHT) <= WEIGHT_ONE;
            if (last && (s & DIRTY) != 0) {
                return FrameOutcome.SKIPPED;
            }
            long next = last ? (s & ~WEIGHT) | CLAIMED : s - WEIGHT_ONE;
            if (WORD.compareAndSet(words, at, s, next)) {
                if (!last) {
                    return FrameOutcome.AGED;
                }
                return completeClaim(frame, words, at, s, 0) ? FrameOutcome.CLAIMED : FrameOutcome.SKIPPED;
            }
        }
    }

    /**
     * Takes one off the weight of an unused frame if that is above one. Never claims the frame.
     *
     * @param frame any frame
     * @return AGED, SPENT or SKIPPED
     */
    public FrameOutcome age(int frame) {
        long[] words = words(frame);
        int at = at(frame);
        for (; ; ) {
            long s = (long) WORD.getAcquire(words, at);
            if (!FrameState.isUnused(s) || isShared(words, at)) {
                return FrameOutcome.SKIPPED;
            }
            if ((s & WEIGHT) <= WEIGHT_ONE) {
                return FrameOutcome.SPENT;
            }
            if (WORD.compareAndSet(words, at, s, s - WEIGHT_ONE)) {
                return FrameOutcome.AGED;
            }
        }
    }

    /**
     * Claims an unused, loaded frame that is not queued for write-back, whatever its weight.
     *
     * @param frame any frame
     * @return whether the caller owns the frame now
     */
    public boolean tryClaim(int frame) {
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
    public boolean tryClaimQueued(int frame) {
        return tryClaimDespite(frame, QUEUED);
    }

    /**
     * Claims an unused, loaded frame even if it is queued for write-back or holds a dirty page, which stays marked as
     * dirty.
     *
     * @param frame any frame
     * @return whether the caller owns the frame now
     */
    public boolean tryClaimUnused(int frame) {
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
    public boolean tryClaimLastPin(int frame) {
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
    public boolean tryQueueDirty(int frame) {
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
    public void clearQueued(int frame) {
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
    public long revoke(int frame, boolean queued) {
        expectClaimed(frame, state(frame));
        openLatch(frame, 0);
        for (; ; ) {
            long s = state(frame);
            if (cas(frame, s, (s & ~(CLAIMED | WAITED)) | (queued ? QUEUED : 0))) {
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

    // --- invalidated pages -------------------------------------------------------------------------------------------

    /**
     * Marks a page as unmapped: a thread that looks into its header from now on does not find it there.
     *
     * @param frame a frame that the caller has pinned
     */
    public void markUnmapped(int frame) {
        long s;
        do {
            s = state(frame);
            expect((s & PINS) != 0, frame, s, "marked as unmapped");
        } while (!cas(frame, s, s | UNMAPPED));
    }

    /**
     * Lowers the weight of a frame to the greatest that a policy gives.
     *
     * @param frame a frame that the caller has pinned
     * @param weightCap the greatest weight; 0 leaves the weight alone
     */
    public void limitWeight(int frame, int weightCap) {
        long cap = (long) weightCap << WEIGHT_SHIFT;
        for (long s = state(frame); cap != 0 && (s & WEIGHT) > cap; s = state(frame)) {
            if (cas(frame, s, (s & ~WEIGHT) | cap)) {
                return;
            }
        }
    }

    // --- dirty pages -------------------------------------------------------------------------------------------------

    /**
     * Marks a page as dirty. Stores nothing if it is already.
     *
     * @param frame a frame that the caller has pinned and latched exclusively; or has pinned, to create its page, and
     *     not published; or in whose latch it has a share, to update rows of its page; or that it is writing, after the
     *     write has failed
     * @return whether the page was not marked before
     */
    public boolean markDirty(int frame) {
        for (; ; ) {
            long s = state(frame);
            if ((s & DIRTY) != 0) {
                return false;
            }
            expect(
                    ((s & (PINS | WRITING)) != 0 || sharers(frame) > 0) && (s & CONTENT) != CONTENT_FAILED,
                    frame,
                    s,
                    "marked as dirty");
            if (cas(frame, s, s | DIRTY)) {
                return true;
            }
        }
    }

    /**
     * Pins a dirty page and marks it as being written, unless another thread writes it.
     *
     * @param frame any frame
     * @return whether the caller writes it now: {@link #endWriting} and an unpin must follow
     */
    public boolean tryPinToWrite(int frame) {
        for (; ; ) {
            long s = state(frame);
            if ((s & (CLAIMED | DOOMED | WRITING | DIRTY | CONTENT)) != (DIRTY | CONTENT_READY) || (s & PINS) == PINS) {
                return false;
            }
            if (cas(frame, s, (s + 1) | WRITING)) {
                return true;
            }
        }
    }

    /**
     * Takes the dirty mark off a page: of what is marked later, the copy that the caller is about to make has nothing;
     * or the page does not exist any more.
     *
     * @param frame a frame that the caller is writing, and has latched; or has claimed
     * @return whether it was marked
     */
    public boolean clearDirty(int frame) {
        for (; ; ) {
            long s = state(frame);
            expect((s & WRITING) != 0 || (s & (CLAIMED | FREE)) == CLAIMED, frame, s, "marked as clean");
            if ((s & DIRTY) == 0) {
                return false;
            }
            if (cas(frame, s, s & ~DIRTY)) {
                return true;
            }
        }
    }

    // --- write-back --------------------------------------------------------------------------------------------------

    /**
     * Marks the frame as being written back.
     *
     * @param frame a frame that the caller has pinned or claimed
     * @return false if another thread is writing it back already
     */
    public boolean tryBeginWriting(int frame) {
        for (; ; ) {
            long s = state(frame);
            expect((s & (PINS | CLAIMED)) != 0 && (s & FREE) == 0, frame, s, "written back");
            if ((s & WRITING) != 0) {
                return false;
            }
            if (cas(frame, s, s | WRITING)) {
                return true;
            }
        }
    }

    /**
     * Marks a claimed frame as being written back or cleared. Unlike {@link #tryBeginWriting} it is something to wait
     * for: a claim without the mark is short, see {@link FrameState#isDirtyCheck}.
     *
     * @param frame a frame that the caller has claimed
     * @return the state before
     */
    public long beginOwnedWriting(int frame) {
        for (; ; ) {
            long s = state(frame);
            expectClaimed(frame, s);
            if (cas(frame, s, (s | WRITING) & ~WAITED)) {
                return s;
            }
        }
    }

    /**
     * Ends what {@link #tryBeginWriting} or {@link #beginOwnedWriting} began; the frame is no longer queued for
     * write-back either.
     *
     * @param frame a frame that the caller is writing back
     * @return the state before
     */
    public long endWriting(int frame) {
        for (; ; ) {
            long s = state(frame);
            expect((s & WRITING) != 0, frame, s, "finished writing back");
            if (cas(frame, s, s & ~(WRITING | QUEUED | WAITED))) {
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
     * Sets the weight to 0.
     *
     * @param frame a frame that the caller uses
     * @return false if it was 0
     */
    public boolean tryClearWeight(int frame) {
        long[] words = words(frame);
        int at = at(frame);
        for (; ; ) {
            long s = (long) WORD.getAcquire(words, at);
            if ((s & WEIGHT) == 0) {
                return false;
            }
            if (WORD.compareAndSet(words, at, s, s & ~WEIGHT)) {
                return true;
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

    // --- checks ------------------------------------------------------------------------------------------------------

    static void expectClaimed(int frame, long s) {
        expect((s & (CLAIMED | FREE | PINS)) == CLAIMED, frame, s, "released from a claim");
    }

    static void expect(boolean holds, int frame, long s, String what) {
        if (!holds) {
            throw new IllegalStateException("frame " + frame + " cannot be " + what + ": " + FrameState.toString(s));
        }
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
