// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.internal.frame;

/**
 * The threads that wait for a buffer, in order of arrival.
 *
 * <p><b>The first takes.</b> A thread that returns a buffer puts it back among the free ones, and then gives the first
 * thread of the line a <i>turn</i>: that thread tries to take a buffer. A turn is a hint: it binds no thread, so no
 * buffer can be lost with a thread that gives up. Threads that are not in the line yet, and would take a buffer that
 * another has waited for, ask {@link #isWanted} first.
 *
 * <p><b>Shared words.</b> {@code wanted}, volatile, is written under the lock of the line, by the thread that enters
 * the empty line and the one that leaves it empty, and read by any thread. The {@code turn} of a place, volatile, is
 * set under the lock: by a thread that returns a buffer or leaves the line, for the first place; or by its owner, who
 * enters the line as the first. It is cleared by its owner, before it tries. The places and their order are read and
 * written under the lock.
 *
 * <p><b>No wake-up is lost.</b> Invariant: while a buffer is free and the line is not empty, the first thread has a
 * turn, or is trying; or some thread is about to give it a turn. It holds since
 * <ul>
 * <li>a thread that enters sets {@code wanted}, then tries if it is the first; one that returns a buffer first makes
 * it free, then reads {@code wanted}. All these accesses are volatile, so at least one sees the other;
 * <li>the owner of a turn clears it, then tries. A buffer that becomes free after the attempt comes with another turn;
 * <li>a thread that leaves, for whatever reason, gives the next one a turn if a buffer is free.
 * </ul>
 *
 * <p>To return a buffer takes constant time, allocates nothing and cannot throw, as does leaving the line. The lock is
 * held for a few steps; no thread parks under it. Thread-safe, by platform and virtual threads.
 */
public final class BufferLine {
    /** Returned by {@link #await} when the time is over. */
    public static final int NONE = FrameMemory.NONE;

    private final FrameMemory memory;
    private final WaitingLine places = new WaitingLine();
    private volatile boolean wanted;
    /** Set by {@link #endWaits} before it locks the line; read by each thread before it parks. */
    private volatile boolean ended;

    /** A thread's place in the line: the same one each time that the thread waits for this buffer. */
    public static final class Place extends WaitingLine.Place {}

    /**
     * Creates an empty line.
     *
     * @param memory has the buffers
     */
    public BufferLine(FrameMemory memory) {
        this.memory = memory;
    }

    /** {@return whether a thread waits for a buffer, so that one that arrives later must not take it} */
    public boolean isWanted() {
        return wanted;
    }

    /**
     * Waits for a buffer. A place that has waited before comes before those that arrived later.
     *
     * @param place the caller's
     * @param nanos the longest time to wait
     * @return a buffer that the caller owns now, or {@link #NONE} if the time is over
     * @throws OutOfMemoryError if there is no direct memory for the buffer; the next thread tries then
     */
    public int await(Place place, long nanos) {
        long deadline = System.nanoTime() + nanos;
        enter(place);
        try {
            while (!ended && Parking.parkUntil(place, deadline)) {
                place.clearTurn();
                int buffer = memory.poll();
                if (buffer != FrameMemory.NONE) {
                    return buffer;
                }
            }
            return NONE;
        } finally {
            leave(place);
        }
    }

    /** Ends all waits, now and later, as if their time were over: the pool has failed. */
    public void endWaits() {
        ended = true;
        synchronized (this) {
            places.giveTurns();
        }
    }

    /** Gives the first thread of the line a turn. To be called when a buffer has become free. */
    public void onFree() {
        if (wanted) {
            WaitingLine.Place woken;
            synchronized (this) {
                woken = giveTurn();
            }
            WaitingLine.unpark(woken);
        }
    }

    /** Lines up; {@link #leave} follows. */
    void enter(Place place) {
        synchronized (this) {
            wanted = true;
            places.enter(place);
            if (places.first() == place) {
                place.giveTurn();
            }
        }
    }

    /** Leaves the line, with a buffer or without. */
    void leave(Place place) {
        WaitingLine.Place woken = null;
        synchronized (this) {
            places.leave(place);
            wanted = !places.isEmpty();
            if (!memory.isEmpty()) {
                woken = giveTurn();
            }
        }
        WaitingLine.unpark(woken);
    }

    /**
     * Gives the first place a turn, under the lock; {@return it, to be unparked without the lock; null if the line is
     * empty}
     */
    private WaitingLine.Place giveTurn() {
        WaitingLine.Place first = places.first();
        if (first != null) {
            first.giveTurn();
        }
        return first;
    }
}
