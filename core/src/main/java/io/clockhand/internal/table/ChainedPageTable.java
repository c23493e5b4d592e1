// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.internal.table;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntToLongFunction;

/**
 * A page table of fixed size without objects: the chains of its buckets run through the frame numbers. It never resizes,
 * leaves nothing behind when a page goes, and makes no garbage.
 *
 * <p>The id of a page is not stored here: it is read where the frame has it, in a word that a hit must touch anyway. So a
 * look-up that succeeds at once touches one word of the table.
 *
 * <pre>
 *  bucket:  63         33   32   31          0
 *          +-------------+------+-------------+      version: changed by each change of the chain
 *          |   version   | held | frame + 1   |      held:    a thread removes from the middle of the chain
 *          +-------------+------+-------------+      frame:   the first of the chain, or none
 * </pre>
 *
 * <p><b>Shared words.</b> A <i>bucket</i> is changed by CAS by anybody while it is not held: to insert in front, to remove the
 * first, or to hold it; and by the thread that holds it, with release order, when it lets it go. It is read with acquire order.
 * The <i>next</i> word of a frame is written with release order by the thread that inserts the frame, before it is
 * published; later by a thread that holds the bucket, to skip the frame behind it. It is read with acquire order.
 *
 * <p><b>Why it is right.</b> A frame that leaves a chain is used again for another page at once, so a walk that stands on it may
 * go on in a foreign chain, miss frames of its own, or see an id that is not mapped yet. So whatever a walk has found
 * counts only if the bucket has the same version after it: then no frame came or went meanwhile, and the walk has seen the
 * chain as it was at that moment. The same CAS that inserts a frame proves that no other thread has inserted the id since the
 * walk. A version comes again after 2³¹ changes of one bucket within one walk.
 *
 * <p><b>Progress.</b> A find walks again when its chain has changed meanwhile, so some thread has gone on. A find that finds nothing, and
 * the changes, wait for a thread that removes from the middle of the same chain, which takes a few loads: some of the removals,
 * since there are two to four buckets for each frame.
 */
public final class ChainedPageTable implements PageTable {
    private static final VarHandle BUCKET = MethodHandles.arrayElementVarHandle(long[].class);
    private static final VarHandle NEXT = MethodHandles.arrayElementVarHandle(int[].class);

    /** 2⁶⁴ divided by the golden ratio: spreads ids that follow each other. */
    private static final long SPREAD = 0x9E37_79B9_7F4A_7C15L;

    private static final int LEAST_BITS = 4;
    private static final int GREATEST_BITS = 29;
    private static final long FRAME = 0xFFFF_FFFFL;
    private static final long HELD = 1L << 32;
    private static final long VERSION_ONE = 1L << 33;
    /** A walk of so many steps has probably gone astray, and looks whether its chain is the same still. */
    private static final int LONG_WALK = 16;

    private static final int SPINS = 64;
    private static final int LEAST_PAUSE_BITS = 10;
    private static final int GREATEST_PAUSE_BITS = 20;
    /** A minute, or more, of pauses of a millisecond: longer than any thread is kept from its processor. */
    private static final int GREATEST_TRIES = 60_000;

    private final long[] buckets;
    private final int shift;
    /** By frame: the next frame of the chain + 1, or 0. */
    private final int[] next;

    private final IntToLongFunction idOf;

    /**
     * Makes an empty table.
     *
     * @param frames frames 0 to {@code frames − 1} may be mapped
     * @param idOf reads the id that a frame was bound to; the thread that maps a frame has bound it before
     */
    public ChainedPageTable(int frames, IntToLongFunction idOf) {
        int bits = Long.SIZE - Long.numberOfLeadingZeros(2L * frames - 1);
        bits = Math.max(LEAST_BITS, Math.min(bits, GREATEST_BITS));
        this.buckets = new long[1 << bits];
        this.shift = Long.SIZE - bits;
        this.next = new int[frames];
        this.idOf = idOf;
    }

    @Override
    public int find(long id) {
        int bucket = bucketOf(id);
        for (int tries = 0; ; tries++) {
            long head = head(bucket);
            int frame = walk(bucket, head, id);
            if (head(bucket) == head && (frame != NONE || (head & HELD) == 0)) {
                return frame;
            }
            pauseOrFail(tries);
        }
    }

    /** The first of the chain, which is the only one as a rule. */
    @Override
    public int peek(long id) {
        return frameIn(head(bucketOf(id)));
    }

    /** {@return the frame of the id in the chain, or NONE; or anything, if the chain changes meanwhile} */
    private int walk(int bucket, long head, long id) {
        int frame = frameIn(head);
        for (int steps = 0; frame != NONE && idOf.applyAsLong(frame) != id; steps++) {
            frame = next(frame);
            if (steps == LONG_WALK) {
                if (head(bucket) != head) {
                    return NONE;
                }
                steps = 0;
            }
        }
        // the loads of the walk come before the one of the bucket that confirms them
        VarHandle.acquireFence();
        return frame;
    }

    @Override
    public int putIfAbsent(long id, int frame) {
        int bucket = bucketOf(id);
        for (int tries = 0; ; tries++) {
            long head = head(bucket);
            int found = walk(bucket, head, id);
            if (found != NONE) {
                if (head(bucket) == head) {
                    return found;
                }
            } else if ((head & HELD) == 0) {
                NEXT.setRelease(next, frame, (int) (head & FRAME));
                if (BUCKET.compareAndSet(buckets, bucket, head, changed(head, frame + 1))) {
                    return NONE;
                }
            }
            pauseOrFail(tries);
        }
    }

    @Override
    public boolean remove(long id, int frame) {
        if (idOf.applyAsLong(frame) != id) {
            return false;
        }
        int bucket = bucketOf(id);
        // never given up: a frame that was used for another page while it is in this chain would make it a circle
        for (int tries = 0; ; tries++) {
            long head = head(bucket);
            if ((head & HELD) == 0) {
                if (frameIn(head) == frame) {
                    // the next frame read here is right if the bucket has not changed when the CAS comes
                    if (BUCKET.compareAndSet(buckets, bucket, head, changed(head, next(frame) + 1))) {
                        return true;
                    }
                } else if (BUCKET.compareAndSet(buckets, bucket, head, head | HELD)) {
                    boolean found = skip(frameIn(head), frame);
                    BUCKET.setRelease(buckets, bucket, changed(head, frameIn(head) + 1));
                    return found;
                }
            }
            pause(tries);
        }
    }

    /** Takes a frame out of a chain that the caller holds. */
    private boolean skip(int first, int frame) {
        for (int before = first; before != NONE; before = next(before)) {
            if (next(before) == frame) {
                NEXT.setRelease(next, before, next(frame) + 1);
                return true;
            }
        }
        return false;
    }

    @Override
    public int size() {
        int size = 0;
        for (int bucket = 0; bucket < buckets.length; bucket++) {
            for (int frame = frameIn(head(bucket)); frame != NONE; frame = next(frame)) {
                size++;
            }
        }
        return size;
    }

    private long head(int bucket) {
        return (long) BUCKET.getAcquire(buckets, bucket);
    }

    private static int frameIn(long head) {
        return (int) (head & FRAME) - 1;
    }

    private static long changed(long head, int link) {
        return ((head & ~(FRAME | HELD)) + VERSION_ONE) | link;
    }

    private int next(int frame) {
        return (int) NEXT.getAcquire(next, frame) - 1;
    }

    private int bucketOf(long id) {
        return (int) ((id * SPREAD) >>> shift);
    }

    /** As {@link #pause}, for a bounded wait. */
    private static void pauseOrFail(int tries) {
        if (tries == GREATEST_TRIES) {
            throw new IllegalStateException(
                    "a bucket of the page table is held, or changes, all the time: " + tries + " tries");
        }
        pause(tries);
    }

    /**
     * The thread that holds the bucket may have lost its processor, to this very thread perhaps: so the pauses become longer, or
     * those who wait would keep it from going on.
     */
    private static void pause(int tries) {
        if (tries < SPINS) {
            Thread.onSpinWait();
            return;
        }
        long nanos = 1L << Math.min(GREATEST_PAUSE_BITS, LEAST_PAUSE_BITS + tries - SPINS);
        long deadline = System.nanoTime() + nanos;
        boolean interrupted = false;
        // an interrupt ends a park, and so does the one that is set again after a pause before
        for (long left = nanos; left > 0; left = deadline - System.nanoTime()) {
            interrupted |= Thread.interrupted();
            LockSupport.parkNanos(left);
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
