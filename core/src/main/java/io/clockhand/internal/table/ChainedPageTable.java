// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.internal.table;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntToLongFunction;

/**
 * A page table of fixed size: a hash table whose chains link frame numbers. It never resizes, leaves nothing behind
 * when a page is removed, and creates no objects.
 *
 * <p>The page table stores no page ids: a lookup compares the id in the frame header and accepts the match only if
 * the bucket version is unchanged. A hit reads the frame header anyway, so a lookup that succeeds at once reads one
 * word of the table.
 *
 * <pre>
 *  bucket:  63         33   32   31          0
 *          +-------------+------+-------------+      version: incremented by each change of the chain
 *          |   version   | held | frame + 1   |      held:    a thread removes from the middle of the chain
 *          +-------------+------+-------------+      frame:   the first frame of the chain, or 0
 * </pre>
 *
 * <p><b>Shared words.</b> A <i>bucket</i> changes by CAS while it is not held: any thread may insert a first frame,
 * remove the first frame, or hold the bucket. The holder releases it with a release store. Readers load it with
 * acquire order. The <i>next</i> word of a frame is written with release order: by the inserting thread before it
 * publishes the frame, and later by the thread that holds the bucket, to unlink the following frame. Readers load it
 * with acquire order.
 *
 * <p><b>Correctness.</b> A removed frame may be mapped again at once, so a walk that stands on it may continue in
 * another chain, miss frames of its own chain, or read an id that is not mapped yet. A walk therefore counts only if
 * the bucket version is the same afterwards: then the chain did not change during the walk. An insertion checks this
 * with the CAS that publishes the frame, so no other thread has inserted the id since the walk. A version repeats
 * after 2³¹ changes of one bucket during one walk.
 *
 * <p><b>Progress.</b> A find repeats its walk only if the chain changed, so another thread made progress. An
 * unsuccessful find, an insertion and a removal also wait while another thread removes from the middle of the same
 * chain, which takes a few stores. Such removals are rare, since there are two to four buckets per frame. A thread that
 * has waited for about a minute gives up.
 *
 * <p><b>Failures.</b> A call may overflow the stack, so a removal searches the chain before it holds the bucket. The
 * CAS that holds the bucket proves that the chain is still the same. Then two words are stored. If the stack does not
 * even suffice for the call that stores with release order, a plain store releases the bucket.
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
    /** After this many steps a walk has probably left its chain, so it checks whether the bucket has changed. */
    private static final int LONG_WALK = 16;

    private static final int SPINS = 64;
    private static final int LEAST_PAUSE_BITS = 10;
    private static final int GREATEST_PAUSE_BITS = 20;
    /** At least a minute of pauses of one millisecond: longer than any thread waits for a processor. */
    private static final int GREATEST_TRIES = 60_000;

    private final long[] buckets;
    private final int shift;
    /** By frame: the next frame of the chain + 1, or 0. */
    private final int[] next;

    private final IntToLongFunction idOf;

    /**
     * Creates an empty table.
     *
     * @param frames frames 0 to {@code frames − 1} may be mapped
     * @param idOf reads the id that a frame is bound to; a thread binds a frame before it maps it
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

    /** Returns the first frame of the chain: most chains have one. */
    @Override
    public int peek(long id) {
        return frameIn(head(bucketOf(id)));
    }

    /** {@return the frame of the id in the chain, or NONE; if the chain changes during the walk, any value} */
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
        // orders the loads of the walk before the load of the bucket that validates them
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
        for (int tries = 0; ; tries++) {
            long head = head(bucket);
            if ((head & HELD) == 0) {
                if (frameIn(head) == frame) {
                    // if the CAS succeeds, the bucket has not changed, so the next frame is still right
                    if (BUCKET.compareAndSet(buckets, bucket, head, changed(head, next(frame) + 1))) {
                        return true;
                    }
                } else {
                    int before = before(bucket, head, frame);
                    if (before == NONE) {
                        if (head(bucket) == head) {
                            return false;
                        }
                    } else if (tryUnlink(bucket, head, before, frame)) {
                        return true;
                    }
                }
            }
            pauseOrFail(tries); // the frame must not be mapped again: while it is in this chain, that would be a cycle
        }
    }

    /** {@return the frame whose next one this is, or NONE; if the chain changes during the walk, any value} */
    private int before(int bucket, long head, int frame) {
        int before = frameIn(head);
        for (int steps = 0; before != NONE && next(before) != frame; steps++) {
            before = next(before);
            if (steps == LONG_WALK) {
                if (head(bucket) != head) {
                    return NONE;
                }
                steps = 0;
            }
        }
        // orders the loads of the walk before the CAS, or the load, of the bucket that validates them
        VarHandle.acquireFence();
        return before;
    }

    /** Unlinks a frame that is not the first of its chain; false if the chain has changed. */
    private boolean tryUnlink(int bucket, long head, int before, int frame) {
        int link = next(frame) + 1;
        long released = changed(head, frameIn(head) + 1);
        if (!BUCKET.compareAndSet(buckets, bucket, head, head | HELD)) {
            return false;
        }
        try {
            NEXT.setRelease(next, before, link);
            BUCKET.setRelease(buckets, bucket, released);
        } catch (VirtualMachineError overflow) {
            synchronized (next) { // the monitor is the fence, and needs no call
                buckets[bucket] = released; // whether the frame is unlinked or not
            }
            throw overflow;
        }
        return true;
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

    @Override
    public long bytes() {
        return (long) buckets.length * Long.BYTES + (long) next.length * Integer.BYTES;
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

    /** Pauses as {@link #pause} does; throws after {@link #GREATEST_TRIES} pauses. */
    private static void pauseOrFail(int tries) {
        if (tries == GREATEST_TRIES) {
            throw new IllegalStateException(
                    "a bucket of the page table stays held, or changes constantly: gave up after " + tries + " tries");
        }
        pause(tries);
    }

    /**
     * Waits before the next try. The pauses become longer, since the thread that holds the bucket may be waiting for
     * the processor that this thread uses.
     */
    private static void pause(int tries) {
        if (tries < SPINS) {
            Thread.onSpinWait();
            return;
        }
        long nanos = 1L << Math.min(GREATEST_PAUSE_BITS, LEAST_PAUSE_BITS + tries - SPINS);
        long deadline = System.nanoTime() + nanos;
        boolean interrupted = false;
        // parkNanos returns at once while the thread is interrupted, so the flag is cleared, and restored at the end
        for (long left = nanos; left > 0; left = deadline - System.nanoTime()) {
            interrupted |= Thread.interrupted();
            LockSupport.parkNanos(left);
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
