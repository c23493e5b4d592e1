// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.policy;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;

/**
 * Queues of hits that wait for the policy's lock. A queue belongs to no thread: a thread owns the one that its id chooses for as long as it
 * puts an entry in or takes all out, so none is left behind by a thread that dies, and virtual threads need none of their own. As long
 * as there are no more threads than queues a thread hardly ever finds its queue owned, and its entries stay in their order.
 *
 * <p>An entry is a frame and the generation that its content had when it was hit. One whose frame has another content when it is replayed
 * is dropped.
 *
 * <h2>Words</h2>
 *
 * Each queue is one row of longs, padded at both ends by two cache lines.
 *
 * <ul>
 *   <li><i>owner</i>: 0 or 1. Set by CAS with acquire order by the thread that becomes the owner; cleared with release order by the
 *       owner. So an owner sees what those before it did.
 *   <li><i>length</i> and the <i>entries</i>: plain, read and written by the owner only; but {@link #isEmpty} looks at the length with opaque
 *       order, and may be wrong by what others put in meanwhile.
 *   <li><i>generations</i>, by frame: written with opaque order under the policy's lock by {@link #onLoad}, before the content is published;
 *       read with opaque order by who has pinned the frame, which follows the publication, and by the replay, under the lock. Who took its
 *       pin before that, or sees the array as it was before it grew, reads an older one: its entry is dropped.
 * </ul>
 */
final class HitQueues {
    private static final VarHandle LONGS = MethodHandles.arrayElementVarHandle(long[].class);
    private static final VarHandle INTS = MethodHandles.arrayElementVarHandle(int[].class);

    /** No queue. */
    static final int NONE_FREE = -1;

    /** How many queues a thread looks at that finds its own owned. */
    private static final int PROBES = 4;

    private static final int STRIPES = Integer.highestOneBit(
            Math.max(64, Math.min(1024, 8 * Runtime.getRuntime().availableProcessors())));
    /** Longs of two cache lines: processors fetch them in pairs. */
    private static final int PADDING = 16;

    private static final int OWNER = PADDING;
    private static final int LENGTH = OWNER + 1;
    private static final int ENTRIES = OWNER + 2;

    private final int capacity;
    private final long[][] queues;
    private volatile int[] generations = {};

    /**
     * Makes empty queues.
     *
     * @param capacity how many hits each of them holds
     */
    HitQueues(int capacity) {
        this.capacity = capacity;
        this.queues = new long[STRIPES][ENTRIES + capacity + PADDING];
    }

    /** {@return how many hits a queue holds} */
    int capacity() {
        return capacity;
    }

    /** {@return the number of the queue that the id of the current thread chooses} */
    static int mine() {
        return (int) Thread.currentThread().getId() & (STRIPES - 1);
    }

    /**
     * Makes the current thread the owner of its queue, or of one of the next if another thread owns that.
     *
     * @return its number, or {@link #NONE_FREE}
     */
    int own() {
        int mine = mine();
        for (int i = 0; i < PROBES; i++) {
            int queue = (mine + i) & (STRIPES - 1);
            if (tryOwn(queue)) {
                return queue;
            }
        }
        return NONE_FREE;
    }

    /** Makes the current thread the owner of a queue; {@return false if another thread is} */
    boolean tryOwn(int queue) {
        long[] row = queues[queue];
        return (long) LONGS.getOpaque(row, OWNER) == 0 && LONGS.compareAndSet(row, OWNER, 0L, 1L);
    }

    /** Ends the ownership. */
    void disown(int queue) {
        LONGS.setRelease(queues[queue], OWNER, 0L);
    }

    /** {@return how many entries there are in a queue that the current thread owns} */
    int length(int queue) {
        return (int) queues[queue][LENGTH];
    }

    /** {@return whether a queue looks empty, to a thread that need not own it} */
    boolean isEmpty(int queue) {
        return (long) LONGS.getOpaque(queues[queue], LENGTH) == 0;
    }

    /** Puts a hit into a queue that the current thread owns, and that is not full; {@return its length now} */
    int add(int queue, int frame) {
        long[] row = queues[queue];
        int length = (int) row[LENGTH];
        row[ENTRIES + length] = entry(frame, generation(frame));
        LONGS.setOpaque(row, LENGTH, length + 1L);
        return length + 1;
    }

    /** {@return a number made of what the policy will read when the queue, which the current thread owns, is replayed} */
    int touch(int queue, ReplacementPolicy policy) {
        long[] row = queues[queue];
        int touched = 0;
        for (int i = 0, length = (int) row[LENGTH]; i < length; i++) {
            touched += policy.touch(frameOf(row[ENTRIES + i]));
        }
        return touched;
    }

    /** Tells the policy, whose lock the current thread holds, of all hits in a queue that it owns, and empties it. */
    void replay(int queue, ReplacementPolicy policy) {
        long[] row = queues[queue];
        int[] now = generations;
        int length = (int) row[LENGTH];
        LONGS.setOpaque(row, LENGTH, 0L);
        for (int i = 0; i < length; i++) {
            int frame = frameOf(row[ENTRIES + i]);
            if ((int) INTS.getOpaque(now, frame) == generationOf(row[ENTRIES + i])) {
                policy.onHit(frame);
            }
        }
    }

    private int generation(int frame) {
        int[] now = generations;
        return frame < now.length ? (int) INTS.getOpaque(now, frame) : 0;
    }

    /** Notes the generation of a content before it is published: for who holds the policy's lock. */
    void onLoad(int frame, int generation) {
        INTS.setOpaque(generations, frame, generation);
    }

    /** Makes room for frames 0 to {@code frames − 1}: for who holds the policy's lock. */
    void ensureFrames(int frames) {
        if (frames > generations.length) {
            generations = Arrays.copyOf(generations, frames);
        }
    }

    private static long entry(int frame, int generation) {
        return (long) generation << 32 | frame;
    }

    private static int frameOf(long entry) {
        return (int) entry;
    }

    private static int generationOf(long entry) {
        return (int) (entry >>> 32);
    }
}
