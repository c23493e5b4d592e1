// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.internal.page;

import io.clockhand.internal.frame.BufferWord;
import io.clockhand.internal.frame.FrameStates;
import io.clockhand.internal.pool.FramePool;
import io.clockhand.internal.table.PageTable;
import java.util.function.LongFunction;

/**
 * Which page each frame holds: the identity and the buffer in the words of the frame, and the entry of the page in the
 * table. A miss changes all three by one call, {@link #map}; if the page cannot be read, {@link #tryFail} takes them
 * back.
 *
 * <p>{@code failures} holds the exception of a frame until the frame is bound anew: it is stored before the CAS of the
 * state that gives the frame up, and read after an acquire load of that state.
 *
 * <p>If a page cannot be unmapped, the pool has failed. Thread-safe, provided that each frame has the owner that a step
 * needs.
 */
final class PageFrames {
    private final FramePool pool;
    private final FrameStates states;
    private final PageBuffers buffers;
    private final PageTable table;
    private final HiddenPages hidden;
    /** Created once, see {@link io.clockhand.internal.pool.BoundedWait}: the thread has claimed a frame. */
    private final LongFunction<String> describe;

    private final Throwable[] failures;

    PageFrames(FramePool pool, PageBuffers buffers, PageTable table, PageSource source, HiddenPages hidden) {
        this.pool = pool;
        this.states = pool.states();
        this.buffers = buffers;
        this.table = table;
        this.hidden = hidden;
        this.describe = source::describe;
        this.failures = new Throwable[pool.frames()];
    }

    boolean isMapped(long id) {
        return table.find(id) != PageTable.NONE;
    }

    // --- map ---------------------------------------------------------------------------------------------------------

    /**
     * Unmaps the page of a claimed frame, if it has one; binds the frame to the next page, and gives it a buffer, while
     * no other thread sees it; publishes it with one pin and no content; maps the page to it.
     *
     * @return the frame, or LOST if another thread has mapped the page first: then the frame was given up
     */
    int map(int frame, long id) {
        unmapVictim(frame);
        states.setIdentity(frame, id);
        reserve(frame, true);
        pool.publishPinned(frame);
        return tryMap(frame, id);
    }

    /**
     * The first half of {@link #map}, for a page of a run: the frame keeps its claim.
     *
     * @return false if there is no buffer for the frame: then the frame is free
     */
    boolean tryPrepare(int frame) {
        unmapVictim(frame);
        return reserve(frame, false);
    }

    /** The second half of {@link #map}, for a page of a run; {@code ahead}: nobody needs the page yet. */
    int mapInRun(int frame, long id, boolean ahead) {
        states.setIdentity(frame, id);
        if (ahead) {
            pool.publishAhead(frame);
        } else {
            pool.publishPinned(frame);
        }
        return tryMap(frame, id);
    }

    /** Gives a claimed frame a buffer, if it has none, and frees the frame if that fails. Only a single page waits. */
    private boolean reserve(int frame, boolean single) {
        boolean reserved = false;
        try {
            boolean has = BufferWord.hasBuffer(states.buffer(frame));
            if (!has) {
                failures[frame] = null;
                has = buffers.reserve(frame, single ? describe : null);
            }
            if (has) {
                buffers.setInRun(frame, !single);
                reserved = true;
            }
        } finally {
            if (!reserved) {
                pool.release(frame);
            }
        }
        return reserved;
    }

    /** {@return the frame, or LOST if another thread has mapped the page first} */
    private int tryMap(int frame, long id) {
        boolean mapped = false;
        try {
            mapped = table.putIfAbsent(id, frame) == PageTable.NONE;
        } catch (Throwable failure) {
            if (tryFail(frame, failure)) {
                throw failure;
            }
            mapped = true; // the table has run out of memory after that, and another thread has loaded the page by now
        }
        if (mapped) {
            return frame;
        }
        giveUp(frame);
        return FramePool.LOST;
    }

    // --- unmap -------------------------------------------------------------------------------------------------------

    /** Unmaps the page of a claimed frame, if it has one, which is clean. Its buffer stays with the frame. */
    private void unmapVictim(int frame) {
        if (!states.isEmpty(frame)) {
            unmap(frame, true);
        }
    }

    private void unmap(int frame, boolean keepsBuffer) {
        try {
            if (keepsBuffer) {
                buffers.recycle(frame);
            }
            table.remove(states.identity(frame), frame);
        } catch (RuntimeException | Error e) {
            pool.failure().fail(e);
            throw e;
        }
    }

    /** Frees a claimed frame, whose page, if it has one, is clean. */
    void free(int frame) {
        unmapVictim(frame);
        pool.release(frame);
    }

    /**
     * Gives up a frame whose page cannot be read, and returns its reserved buffer; unless another thread has loaded the
     * page, into another buffer.
     *
     * @param failure for the threads that wait for the page
     * @return false if another thread has loaded the page: then that page is in the frame
     */
    boolean tryFail(int frame, Throwable failure) {
        failures[frame] = failure;
        boolean failed;
        try {
            long word = states.buffer(frame);
            failed = !BufferWord.isLoaded(word) && states.casBuffer(frame, word, BufferWord.FAILED);
            if (failed) {
                buffers.giveBack(buffers.reserved(frame));
            }
        } catch (VirtualMachineError e) {
            throw pool.failure().fail(e);
        }
        if (failed) {
            states.markUnmapped(frame); // other threads may be reading the page, too
            hidden.count();
            giveUp(frame);
        } else {
            failures[frame] = null;
        }
        return failed;
    }

    private void giveUp(int frame) {
        unmap(frame, false);
        pool.giveUp(frame);
    }

    /** {@return why the page of a frame could not be read, or null} */
    Throwable failure(int frame) {
        return failures[frame];
    }
}
