// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.internal.page;

import io.clockhand.internal.frame.BufferWord;
import io.clockhand.internal.frame.FrameMemory;
import io.clockhand.internal.frame.FrameStates;
import io.clockhand.internal.frame.PageMemory;
import io.clockhand.internal.pool.PoolOptions;
import io.clockhand.internal.pool.WaitedBuffers;
import java.lang.ref.WeakReference;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongFunction;

/**
 * The buffers of a page pool: as many as frames, and a few spare ones.
 *
 * <p>A frame keeps its buffer from page to page. {@code reserved} says which one it had when it was bound; it is
 * written by the owner of the frame, under its claim, and read by the thread that has mapped the page. A spare buffer
 * is taken by a thread that reads a page concurrently with the thread that has mapped it. If its read is published, the
 * frame has the spare and the first thread returns the reserved buffer. So there is always a buffer for a frame in the
 * end: more buffers than frames are taken by reads in progress only. A thread that finds none waits in line ({@link
 * WaitedBuffers}), and is served, in order of arrival, by the threads that return buffers after their reads; a
 * concurrent reader takes no spare buffer meanwhile. To return a buffer cannot fail.
 *
 * <p>A buffer is written to while the latch of its frame is closed: from the claim on the frame until the bytes are
 * there. So no reader has a share, and an optimistic read that has begun before fails to validate.
 *
 * <p>Thread-safe.
 */
final class PageBuffers {
    private static final int MOST_SPARES = 64;
    private static final int LEAST_SPARES = 2;
    private static final int FRAMES_PER_SPARE = 4;
    /** The greatest number of buffers that have a view for good: 64 bytes each, 4 MiB of heap. */
    private static final int MOST_VIEWS = 1 << 16;

    private final FrameStates states;
    private final FrameMemory memory;
    private final WaitedBuffers buffers;
    private final int spares;
    private final int[] reserved;
    /**
     * A view of each buffer, made by the first thread that reads into it: so a page-in allocates none. Written and read
     * by the owner of the buffer. Null in a pool of more buffers, whose views would take much of the heap.
     */
    private final ByteBuffer[] views;
    /** The number of concurrent readers that have, or seek, a spare buffer; changed by atomic adds. */
    private final AtomicInteger helpers = new AtomicInteger();

    PageBuffers(FrameStates states, PoolOptions options, int pageBytes, boolean hugePages) {
        int frames = options.hardFrames();
        this.states = states;
        this.spares = spares(frames);
        this.memory = new FrameMemory(
                pageBytes,
                options.softFrames() + spares,
                frames + spares,
                PageMemory.of(hugePages, pageBytes, frames + spares));
        this.buffers = new WaitedBuffers(options, memory);
        this.reserved = new int[frames];
        this.views = frames + spares <= MOST_VIEWS ? new ByteBuffer[frames + spares] : null;
    }

    /** {@return the number of buffers in addition to those of the frames} */
    static int spares(int frames) {
        return Math.max(LEAST_SPARES, Math.min(MOST_SPARES, frames / FRAMES_PER_SPARE));
    }

    FrameMemory memory() {
        return memory;
    }

    // --- the number of buffers ---------------------------------------------------------------------------------------

    /** Sets how many buffers are used: those of as many frames, and the spare ones. One thread at a time. */
    void setFrames(int frames) {
        memory.setLimit(frames + spares);
        buffers.onFree(); // there may be more now
    }

    /** {@return whether every surplus buffer is retired} */
    boolean isShrunk() {
        try {
            return memory.isShrunk();
        } finally {
            buffers.onFree(); // a thread that has found no free buffer meanwhile may wait
        }
    }

    /** {@return whether a frame has a buffer that no frame is to have any more} */
    boolean hasSurplus(int frame) {
        long word = states.buffer(frame);
        return BufferWord.hasBuffer(word) && BufferWord.buffer(word) >= memory.limit();
    }

    /** Takes the buffer off a free frame that the caller owns. */
    void takeOff(int frame) {
        long word = states.buffer(frame);
        if (BufferWord.hasBuffer(word)) {
            states.setBuffer(frame, BufferWord.FAILED);
            giveBack(BufferWord.buffer(word));
        }
    }

    /**
     * Moves a page out of a surplus buffer into another one.
     *
     * @param frame a frame with a loaded page, which the caller has pinned and latched exclusively
     * @return false if no buffer is free at the moment
     */
    boolean tryMove(int frame) {
        int target = pollBeforeOthers();
        if (target == FrameMemory.NONE) {
            return false;
        }
        int source = BufferWord.buffer(states.buffer(frame));
        memory.copy(target, 0, source, 0, memory.pageBytes());
        states.setBuffer(frame, BufferWord.loaded(target));
        giveBack(source);
        return true;
    }

    /** {@return a free buffer, or NONE} Those who wait could wait for the surplus one, which nobody gets. */
    private int pollBeforeOthers() {
        try {
            return memory.poll();
        } catch (Throwable failure) { // the memory of a buffer that is free again: a thread may have found none
            buffers.onFree();
            throw failure;
        }
    }

    /** Gives the memory of the surplus buffers back, all of which are retired; {@return the number of bytes} */
    long release() {
        for (int buffer = memory.limit(); views != null && buffer < views.length; buffer++) {
            views[buffer] = null; // it refers to the slab
        }
        return memory.release();
    }

    // --- the buffer of a frame ---------------------------------------------------------------------------------------

    /** {@return the buffer that a frame had when it was bound} */
    int reserved(int frame) {
        return reserved[frame];
    }

    /** As {@link FrameMemory#hide}. */
    void hide() {
        if (views != null) {
            Arrays.fill(views, null); // they refer to the slabs
        }
        memory.hide();
    }

    /** As {@link FrameMemory#giveBack}. */
    List<WeakReference<ByteBuffer>> giveBack(boolean inUse) {
        return memory.giveBack(inUse);
    }

    /** {@return the bytes of a buffer that the caller owns, all of which remain} The caller must not hand it on. */
    ByteBuffer bytes(int buffer) {
        if (views == null) {
            return memory.bytes(buffer);
        }
        ByteBuffer view = views[buffer];
        if (view == null) {
            view = memory.bytes(buffer);
            views[buffer] = view;
        }
        return view.clear().order(ByteOrder.BIG_ENDIAN); // a store may have left it otherwise
    }

    /** Sets the targets of a run, one for all buffers that are neighbours; {@return how many there are} */
    int targets(PageRun run) {
        int count = 0;
        for (int from = 0, end; from < run.mapped(); from = end) {
            int first = reserved[run.frame(from)];
            end = from + 1;
            while (end < run.mapped() && memory.isNext(reserved[run.frame(end - 1)], reserved[run.frame(end)])) {
                end++;
            }
            run.setTarget(count, end == from + 1 ? bytes(first) : memory.bytes(first, end - from));
            count++;
        }
        return count;
    }

    /**
     * Takes a buffer for a claimed frame that has none; {@return false if there is none, and the thread does not wait}
     *
     * @param describe names a page by its id, for the message of a wait; null if the thread does not wait
     */
    boolean reserve(int frame, LongFunction<String> describe) {
        int buffer = describe == null
                ? buffers.poll()
                : buffers.take(
                        "a buffer",
                        () -> "a buffer for " + describe.apply(states.identity(frame))
                                + ", since all are in use by reads");
        if (buffer == FrameMemory.NONE) {
            return false;
        }
        reserved[frame] = buffer;
        states.setBuffer(frame, BufferWord.reserved(buffer));
        return true;
    }

    /** Notes of a claimed frame whether its page is read together with others, so that other threads wait for it. */
    void setInRun(int frame, boolean inRun) {
        if (BufferWord.isInRun(states.buffer(frame)) != inRun) {
            int buffer = reserved[frame];
            states.setBuffer(frame, inRun ? BufferWord.reservedInRun(buffer) : BufferWord.reserved(buffer));
        }
    }

    /** Reserves the buffer of a claimed frame whose page is evicted. */
    void recycle(int frame) {
        reserved[frame] = states.reserveBuffer(frame);
    }

    /** Returns a buffer that no frame refers to. */
    void giveBack(int buffer) {
        buffers.giveBack(buffer);
    }

    /** {@return a buffer for a concurrent reader, or NONE if there are as many of those as spare buffers} */
    int takeSpare() {
        int spare = FrameMemory.NONE;
        try {
            if (helpers.getAndIncrement() < spares) {
                spare = buffers.poll();
            }
        } finally {
            if (spare == FrameMemory.NONE) {
                helpers.getAndDecrement();
            }
        }
        return spare;
    }

    /** Ends the use of a spare buffer by a concurrent reader. */
    void endSpare() {
        helpers.getAndDecrement();
    }
}
