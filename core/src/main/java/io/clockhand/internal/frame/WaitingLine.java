// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.internal.frame;

import java.util.function.BooleanSupplier;

/**
 * Places of threads in order of arrival: the list behind {@link FrameLine} and {@link BufferLine}, which say when a
 * thread enters, gets a turn, and leaves.
 *
 * <p><b>Order.</b> A place gets its number when it enters for the first time. It keeps the number, so one that enters
 * again comes before those that arrived later.
 *
 * <p>No method allocates, throws, parks or unparks. Guarded by the lock of the owner, except {@link Place#hasTurn}.
 */
final class WaitingLine {
    private static final long NOT_ARRIVED = -1;

    private Place first;
    private Place last;
    private long arrivals;

    /**
     * A thread's place, created by that thread. {@code turn}, volatile, is set under the lock of the line, cleared by
     * the thread itself or under the lock, and read by the thread before it parks.
     */
    static class Place implements BooleanSupplier {
        private final Thread thread = Thread.currentThread();
        private long number = NOT_ARRIVED;
        private Place previous;
        private Place next;
        private volatile boolean turn;

        final boolean hasTurn() {
            return turn;
        }

        final void giveTurn() {
            turn = true;
        }

        final void clearTurn() {
            turn = false;
        }

        /** {@return whether the thread has a turn: it parks until then} */
        @Override
        public final boolean getAsBoolean() {
            return turn;
        }
    }

    boolean isEmpty() {
        return first == null;
    }

    /** {@return the place that comes first, or null} */
    Place first() {
        return first;
    }

    /**
     * Adds a place that is not in the line. A new one goes to the end. One that was there before goes behind those that
     * arrived before it; since it was the first, or nearly, they are few.
     */
    void enter(Place place) {
        if (place.number == NOT_ARRIVED) {
            place.number = arrivals++;
        }
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

    /** Gives each place a turn, and unparks its thread. */
    void giveTurns() {
        for (Place place = first; place != null; place = place.next) {
            place.giveTurn();
            unpark(place);
        }
    }

    /** Removes a place that is in the line. */
    void leave(Place place) {
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

    /** Unparks the thread of a place, if there is one. To be called without the lock; never throws. */
    static void unpark(Place place) {
        if (place != null) {
            Parking.unpark(place.thread);
        }
    }
}
