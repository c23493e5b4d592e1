// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.internal.pool;

import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.Supplier;

/**
 * Objects that threads use again, each by one thread at a time: one spare object for each stripe of threads.
 *
 * <p>A thread takes the spare object of its stripe by an exchange with null, or creates one, and puts it back with
 * release order; the exchange pairs with that store. So no two threads have one object at once, and a thread sees what
 * the previous one wrote to it. If two threads of a stripe put theirs back, one object becomes garbage.
 *
 * <p>Thread-safe.
 *
 * @param <T> the type of the objects
 */
public final class Spares<T> {
    private static final int STRIPES = 64;
    /** References from one stripe to the next: a cache line or two. */
    private static final int STRIDE = 16;

    private final Supplier<T> creator;
    private final AtomicReferenceArray<T> spares = new AtomicReferenceArray<>(STRIPES * STRIDE);

    /**
     * Begins without objects.
     *
     * @param creator creates one
     */
    public Spares(Supplier<T> creator) {
        this.creator = creator;
    }

    /**
     * Takes the spare object of a stripe, or creates one.
     *
     * @param thread the id of the calling thread, which chooses the stripe
     * @return an object that no other thread has
     */
    public T take(long thread) {
        T spare = spares.getAndSet(stripe(thread), null);
        return spare == null ? creator.get() : spare;
    }

    /**
     * Makes an object the spare one of its stripe.
     *
     * @param thread the id of the calling thread
     * @param used an object that the caller has taken, and does not use any more
     */
    public void putBack(long thread, T used) {
        spares.setRelease(stripe(thread), used);
    }

    private static int stripe(long thread) {
        return ((int) thread & (STRIPES - 1)) * STRIDE;
    }
}
