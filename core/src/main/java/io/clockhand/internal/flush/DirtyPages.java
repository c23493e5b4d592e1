// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.internal.flush;

import io.clockhand.internal.frame.FrameStates;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The dirty page table: which log records the changes in each frame may need, if the machine crashes now.
 *
 * <p>Three numbers for each frame, all of them positions in the engine's log:
 *
 * <table>
 * <caption>The numbers, and the threads that write them</caption>
 * <tr><th>number</th><th>meaning</th><th>written by</th></tr>
 * <tr><td>{@code rec}</td><td>no change since the last copy was made has a record before it (<i>recLSN</i>); or
 * NONE</td><td>a thread that has the latch exclusively, as it begins an update; the thread that creates the page,
 * before it publishes it; the thread that writes the page, under a share in the latch; the thread that has claimed the
 * frame, when the page goes</td></tr>
 * <tr><td>{@code inFlight}</td><td>the same of the changes that are in copies only, none of which has reached the file;
 * or NONE</td><td>the thread that writes the page, of which there is one at a time; the thread that has claimed the
 * frame</td></tr>
 * <tr><td>{@code pageLsn}</td><td>the greatest LSN of a record whose change is in the page (<i>pageLSN</i>), of those
 * since the page was clean</td><td>a thread that has the latch exclusively</td></tr>
 * </table>
 *
 * <p><b>Mark, log, change.</b> An update begins with {@link #begin}: it stores the end of the log in {@code rec}, marks
 * the page as dirty, and fences. Only then does the engine append the record and change the page. A checkpoint reads
 * the end of the log, fences, then reads the numbers. So if it misses a {@code rec}, the record was appended after the
 * end that it has read.
 *
 * <p><b>From {@code rec} to {@code inFlight}.</b> A write stores {@code inFlight} before it clears {@code rec}, and a
 * checkpoint reads {@code rec} before {@code inFlight}. So it sees at least one of the two until the write has
 * succeeded. If the write fails, {@code inFlight} stays as it is, until a later write succeeds; it never moves back,
 * since a checkpoint that reads while numbers move in both directions could miss it in both places.
 *
 * <p>All accesses are volatile. Thread-safe, provided that each caller has what the methods ask for. Nothing here
 * allocates, waits or throws, except that a position that no log can have is refused.
 */
public final class DirtyPages {
    /** No position in the log; greater than any. */
    public static final long NONE = Long.MAX_VALUE;

    private static final VarHandle LSN = MethodHandles.arrayElementVarHandle(long[].class);

    private final FrameStates states;
    private final long[] rec;
    private final long[] inFlight;
    private final long[] pageLsn;
    private final AtomicInteger dirty = new AtomicInteger();

    /**
     * Creates a table without dirty pages.
     *
     * @param states the words of the frames
     * @param frames the number of frames
     */
    public DirtyPages(FrameStates states, int frames) {
        this.states = states;
        this.rec = filled(frames);
        this.inFlight = filled(frames);
        this.pageLsn = new long[frames];
    }

    private static long[] filled(int frames) {
        long[] numbers = new long[frames];
        Arrays.fill(numbers, NONE);
        return numbers;
    }

    // --- updates -----------------------------------------------------------------------------------------------------

    /**
     * Begins an update: from now on the page is dirty, and no checkpoint goes past a record that is appended later.
     *
     * @param frame a frame that the caller has pinned and latched exclusively; or has pinned, to create its page, and
     *     not published
     * @param position the end of the log; or, of an update that repeats a record, the LSN of that record
     * @throws IllegalArgumentException if that is no position; nothing has changed
     */
    public void begin(int frame, long position) {
        checkPosition(position);
        if (needed(frame) == NONE) {
            set(pageLsn, frame, 0);
        }
        if (position < get(rec, frame)) {
            set(rec, frame, position);
        }
        if (states.markDirty(frame)) {
            dirty.getAndIncrement();
        }
        VarHandle.fullFence(); // the record comes after all this
    }

    /**
     * Checks a position.
     *
     * @param position a position in a log
     * @return it
     * @throws IllegalArgumentException if it is none
     */
    public static long checkPosition(long position) {
        if (position < 0 || position == NONE) {
            throw new IllegalArgumentException(
                    position + " is no position in a log: it must not be negative, nor the greatest number");
        }
        return position;
    }

    /**
     * Raises the pageLSN.
     *
     * @param frame a frame that the caller has pinned and latched exclusively
     * @param lsn the LSN of the record that describes its change
     */
    public void raise(int frame, long lsn) {
        if (lsn > get(pageLsn, frame)) {
            set(pageLsn, frame, lsn);
        }
    }

    // --- writing -----------------------------------------------------------------------------------------------------

    /**
     * Takes the dirty mark off a page that is about to be copied.
     *
     * @param frame a frame that the caller is writing, and in whose latch it has a share
     * @return the pageLSN of the copy
     */
    public long beginCopy(int frame) {
        set(inFlight, frame, Math.min(get(inFlight, frame), get(rec, frame)));
        set(rec, frame, NONE);
        if (states.clearDirty(frame)) {
            dirty.getAndDecrement();
        }
        return get(pageLsn, frame);
    }

    /**
     * The copy has reached the file.
     *
     * @param frame a frame that the caller is writing
     */
    public void written(int frame) {
        set(inFlight, frame, NONE);
    }

    /**
     * The copy has not reached the file, or not wholly: the page is dirty again.
     *
     * @param frame a frame that the caller is writing
     */
    public void failed(int frame) {
        if (states.markDirty(frame)) {
            dirty.getAndIncrement();
        }
    }

    /**
     * Forgets the changes of a page that does not exist any more.
     *
     * @param frame a frame that the caller has claimed
     */
    public void discard(int frame) {
        set(rec, frame, NONE);
        set(inFlight, frame, NONE);
        if (states.clearDirty(frame)) {
            dirty.getAndDecrement();
        }
    }

    // --- reading -----------------------------------------------------------------------------------------------------

    /**
     * {@return the least position that a page needs whose changes may not have reached its file, or {@code logEnd} if
     * that is less}
     *
     * @param logEnd the end of the log, read before this call
     */
    public long oldest(long logEnd) {
        VarHandle.fullFence(); // the end of the log was read before
        long oldest = logEnd;
        for (int frame = 0; frame < rec.length; frame++) {
            oldest = Math.min(oldest, needed(frame));
        }
        return oldest;
    }

    /**
     * {@return the least position that the page of a frame needs, or {@link #NONE}}
     *
     * @param frame any frame
     */
    public long needed(int frame) {
        long since = get(rec, frame); // before inFlight
        return Math.min(since, get(inFlight, frame));
    }

    /** {@return the number of pages that are marked as dirty at the moment} */
    public int count() {
        return dirty.get();
    }

    private static long get(long[] numbers, int frame) {
        return (long) LSN.getVolatile(numbers, frame);
    }

    private static void set(long[] numbers, int frame, long lsn) {
        LSN.setVolatile(numbers, frame, lsn);
    }
}
