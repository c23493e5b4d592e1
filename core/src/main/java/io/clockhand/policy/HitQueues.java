// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.policy;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;

/**
 * Striped queues of hits that wait for the policy's lock. No queue is bound to a thread: a thread owns the queue that
 * its id selects while it adds an entry or replays all, so a thread that ends leaves nothing behind, and virtual
 * threads need no queues of their own. While there are at most as many threads as queues, a thread rarely finds its
 * queue owned, and its hits stay in order.
 *
 * <p>An entry is a frame and the generation that it had when it was hit. Replaying drops an entry whose frame has
 * another generation by then. Generations repeat after 65,536 bindings; then one hit too many is recorded.
 *
 * <p>No thread waits for a queue. The owner of a queue may wait for the policy's lock.
 *
 * <h2>Words</h2>
 *
 * Each queue is one row of longs, padded at both ends by two cache lines.
 *
 * <ul>
 *   <li><i>owner</i>: 0 or 1. Set by CAS by the thread that becomes the owner; cleared with release order by the
 *       owner. So an owner sees what earlier owners did.
 *   <li><i>length</i> and <i>entries</i>: accessed by the owner only. {@link #isEmpty} alone reads the length without
 *       owning the queue, with opaque order; its answer may be stale.
 *   <li><i>generations</i>, by frame: written with opaque order under the policy's lock by {@link #onLoad}, before
 *       the content is published; read with opaque order by a thread that has pinned the frame, hence after the
 *       publication, and by the replay, under the lock. A thread that pinned the frame earlier, or reads the array as
 *       it was before it grew, reads an older generation: its entry is dropped.
 * </ul>
 */
final class HitQueues {
    private static final VarHandle LONGS = MethodHandles.arrayElementVarHandle(long[].class);
    private static final VarHandle INTS = MethodHandles.arrayElementVarHandle(int[].class);

    /** No queue. */
    static final int NONE_FREE = -1;

    /** The number of queues that a thread tries to own. */
    private static final int PROBES = 4;

    private static final int STRIPES = Integer.highestOneBit(
            Math.max(64, Math.min(1024, 8 * Runtime.getRuntime().availableProcessors())));
    /** The generation of a frame that does not exist now; those of contents are not negative. */
    private static final int NO_GENERATION = -1;

    /** Longs of two cache lines: processors prefetch lines in pairs. */
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
     * @param capacity the number of hits that each holds
     */
    HitQueues(int capacity) {
        this.capacity = capacity;
        this.queues = new long[STRIPES][ENTRIES + capacity + PADDING];
        if (tryOwn(0)) {
            disown(0); // the JVM needs memory to link its call, and may have none when a queue must be disowned
        }
    }

    /** {@return the number of hits that a queue holds} */
    int capacity() {
        return capacity;
    }

    /** {@return the number of the queue that the id of the current thread selects} */
    static int mine() {
        return (int) Thread.currentThread().getId() & (STRIPES - 1);
    }

    /**
     * Makes the current thread the owner of its queue, or of one of the next if another thread owns that one.
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

    /** Makes the current thread the owner of a queue; {@return false if another thread owns it} */
    boolean tryOwn(int queue) {
        long[] row = queues[queue];
        return (long) LONGS.getOpaque(row, OWNER) == 0 && LONGS.compareAndSet(row, OWNER, 0L, 1L);
    }

    /** Ends the ownership. */
    void disown(int queue) {
        LONGS.setRelease(queues[queue], OWNER, 0L);
    }

    /** {@return the number of entries in a queue that the current thread owns} */
    int length(int queue) {
        return (int) queues[queue][LENGTH];
    }

    /** {@return whether a queue is probably empty; the current thread need not own it} */
    boolean isEmpty(int queue) {
        return (long) LONGS.getOpaque(queues[queue], LENGTH) == 0;
    }

    /** Adds a hit to a queue that the current thread owns and that is not full; {@return the new length} */
    int add(int queue, int frame) {
        long[] row = queues[queue];
        int length = (int) row[LENGTH];
        row[ENTRIES + length] = entry(frame, generation(frame));
        LONGS.setOpaque(row, LENGTH, length + 1L);
        return length + 1;
    }

    /** Prefetches for all hits in a queue that the current thread owns; {@return a number made of what was read} */
    int prefetch(int queue, PrefetchablePolicy policy) {
        long[] row = queues[queue];
        int read = 0;
        for (int i = 0, length = (int) row[LENGTH]; i < length; i++) {
            read += policy.prefetch(frameOf(row[ENTRIES + i]));
        }
        return read;
    }

    /**
     * Records all hits of a queue in the policy, and empties the queue. The current thread owns the queue and holds the
     * policy's lock. If the policy throws, the remaining hits are lost.
     */
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

    /** Sets the generation of a frame before its content is published. The current thread holds the policy's lock. */
    void onLoad(int frame, int generation) {
        INTS.setOpaque(generations, frame, generation);
    }

    /**
     * Adds generations for frames 0 to {@code frames − 1}, and makes queued hits on all other frames stale. The current
     * thread holds the policy's lock.
     */
    void onCapacity(int frames) {
        int[] now = generations;
        if (frames > now.length) {
            generations = Arrays.copyOf(now, frames);
        }
        for (int frame = frames; frame < now.length; frame++) {
            INTS.setOpaque(now, frame, NO_GENERATION);
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
