// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.internal.pool;

import java.util.concurrent.atomic.AtomicLongArray;
import java.util.function.Supplier;

/**
 * Objects that threads use again, each by one thread at a time: one object for each stripe of threads.
 *
 * <p>{@code words} says of each stripe whether its object is taken. A thread takes it by an exchange, and puts it back
 * by a store with release order; the exchange pairs with that store. So no two threads have one object at once, and a
 * thread sees what the previous one wrote to it. {@code objects} is written by the first thread that takes a stripe,
 * before it puts the object back, and not changed afterwards: to take and to put back stores no reference, since such a
 * store has the barrier of the collector, which may cost more than the exchange.
 *
 * <p>A thread that finds the object of its stripe taken tries those of the other stripes. If all are taken it creates
 * one that becomes garbage.
 *
 * <p>Thread-safe.
 *
 * @param <T> the type of the objects
 */
public final class Spares<T> {
    private static final int STRIPES = 64;
    /** Longs from one stripe to the next: two cache lines, since processors prefetch lines in pairs. */
    private static final int STRIDE = 16;

    private static final long FREE = 0;
    private static final long TAKEN = 1;

    private final Supplier<T> creator;
    private final int mask;
    private final AtomicLongArray words;
    private final Object[] objects;

    /**
     * Begins without objects.
     *
     * @param creator creates one
     */
    public Spares(Supplier<T> creator) {
        this(creator, STRIPES);
    }

    /**
     * Begins without objects.
     *
     * @param creator creates one
     * @param stripes the greatest number of objects that threads use again, a power of two
     */
    Spares(Supplier<T> creator, int stripes) {
        this.creator = creator;
        this.mask = stripes - 1;
        this.words = new AtomicLongArray((stripes + 1) * STRIDE);
        this.objects = new Object[stripes];
    }

    /**
     * Takes the object of a stripe, or one of another stripe, or creates one.
     *
     * @param thread the id of the calling thread, which chooses the stripe
     * @return an object that no other thread has
     */
    public T take(long thread) {
        int stripe = stripe(thread);
        return tryTake(stripe) ? object(stripe) : takeOther(stripe);
    }

    private boolean tryTake(int stripe) {
        return words.getAndSet(word(stripe), TAKEN) == FREE;
    }

    @SuppressWarnings("unchecked")
    private T object(int stripe) {
        Object object = objects[stripe];
        return object == null ? create(stripe) : (T) object;
    }

    /** Creates the object of a stripe that the caller has taken; if that fails, the stripe is free again. */
    private T create(int stripe) {
        T created = null;
        try {
            created = creator.get();
            objects[stripe] = created;
        } finally {
            if (created == null) {
                words.setRelease(word(stripe), FREE);
            }
        }
        return created;
    }

    private T takeOther(int first) {
        for (int stripe = next(first); stripe != first; stripe = next(stripe)) {
            if (tryTake(stripe)) {
                return object(stripe);
            }
        }
        return creator.get();
    }

    /**
     * Puts an object back.
     *
     * @param thread the id of the calling thread, as it was when the object was taken
     * @param used an object that the caller has taken, and does not use any more
     */
    @SuppressWarnings("ReferenceEquality") // the very object
    public void putBack(long thread, T used) {
        int first = stripe(thread);
        int stripe = first;
        while (objects[stripe] != used) {
            stripe = next(stripe);
            if (stripe == first) {
                return; // all were taken when it was created
            }
        }
        words.setRelease(word(stripe), FREE);
    }

    private int stripe(long thread) {
        return (int) thread & mask;
    }

    private int next(int stripe) {
        return (stripe + 1) & mask;
    }

    private static int word(int stripe) {
        return (stripe + 1) * STRIDE;
    }
}
