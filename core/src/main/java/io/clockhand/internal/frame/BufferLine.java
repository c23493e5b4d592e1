// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.internal.frame;

import java.util.function.BooleanSupplier;

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

    private static final long NOT_ARRIVED = -1;

    private final FrameMemory memory;
    private volatile boolean wanted;
    private Place first;
    private Place last;
    private long arrivals;

    /** A thread's place in the line: the same one each time that the thread waits for this buffer. */
    public static final class Place implements BooleanSupplier {
        private final Thread thread = Thread.currentThread();
        private long number = NOT_ARRIVED;
        private Place previous;
        private Place next;
        private volatile boolean turn;

        @Override
        public boolean getAsBoolean() {
            return turn;
        }
    }

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
            while (Parking.parkUntil(place, deadline)) {
                place.turn = false;
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

    /** Gives the first thread of the line a turn. To be called when a buffer has become free. */
    public void onFree() {
        if (wanted) {
            Place woken;
            synchronized (this) {
                woken = giveTurn();
            }
            unpark(woken);
        }
    }

    /** Lines up; {@link #leave} follows. */
    void enter(Place place) {
        synchronized (this) {
            if (place.number == NOT_ARRIVED) {
                place.number = arrivals++;
            }
            wanted = true;
            insert(place);
            if (place.previous == null) {
                place.turn = true;
            }
        }
    }

    /** Leaves the line, with a buffer or without. */
    void leave(Place place) {
        Place woken = null;
        synchronized (this) {
            remove(place);
            wanted = first != null;
            if (!memory.isEmpty()) {
                woken = giveTurn();
            }
        }
        unpark(woken);
    }

    // --- under the lock ----------------------------------------------------------------------------------------------

    /** A new place goes to the end. One that has waited before goes behind those that arrived before it: a few. */
    private void insert(Place place) {
        Place after = last == null || last.number < place.number ? null : first;
        while (after != null && after.number < place.number) {
            after = after.next;
        }
        Place before = after == null ? last : after.previous;
        place.previous = before;
        place.next = after;
        if (before == null) {
            first = place;
        } else {
            before.next = place;
        }
        if (after == null) {
            last = place;
        } else {
            after.previous = place;
        }
    }

    private void remove(Place place) {
        if (place.previous == null) {
            first = place.next;
        } else {
            place.previous.next = place.next;
        }
        if (place.next == null) {
            last = place.previous;
        } else {
            place.next.previous = place.previous;
        }
        place.previous = null;
        place.next = null;
    }

    /** {@return the first place, to be unparked without the lock; null if the line is empty} */
    private Place giveTurn() {
        Place place = first;
        if (place != null) {
            place.turn = true;
        }
        return place;
    }

    private static void unpark(Place place) {
        if (place != null) {
            Parking.unpark(place.thread);
        }
    }
}
