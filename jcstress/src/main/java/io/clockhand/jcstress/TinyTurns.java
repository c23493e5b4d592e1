// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.jcstress;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.locks.LockSupport;

/**
 * The protocol of core's latch in its smallest form: a release chooses the thread that has waited longest, and no
 * other; one that was chosen and gives up passes its turn on.
 */
class TinyTurns extends Turns {
    private final long waitNanos;
    private final Queue<Place> queue = new ArrayDeque<>();
    private boolean held = true;

    private static final class Place {
        final Thread thread = Thread.currentThread();
        volatile boolean chosen;
    }

    TinyTurns(Duration wait) {
        waitNanos = wait.toNanos();
    }

    @Override
    public final long waitNanos() {
        return waitNanos;
    }

    @Override
    final boolean acquire() {
        long deadline = System.nanoTime() + waitNanos;
        for (; ; ) {
            Place place = acquireOrQueue();
            if (place == null) {
                return true;
            }
            while (!place.chosen) {
                long remaining = deadline - System.nanoTime();
                if (remaining > 0) {
                    LockSupport.parkNanos(this, remaining);
                } else if (dequeue(place)) {
                    return acquireOrQueue() == null;
                }
            }
        }
    }

    @Override
    final void acquireForAMoment() {
        Place place = acquireOrQueue();
        if (place == null) {
            release();
            return;
        }
        spin();
        if (!dequeue(place)) {
            passOn();
        }
    }

    @Override
    final void release() {
        Place chosen;
        synchronized (this) {
            held = false;
            chosen = choose();
        }
        unpark(chosen);
    }

    /** Chooses another thread instead of the caller. */
    void passOn() {
        Place chosen;
        synchronized (this) {
            chosen = held ? null : choose();
        }
        unpark(chosen);
    }

    /** {@return null if the caller has the latch} */
    private synchronized Place acquireOrQueue() {
        if (!held) {
            held = true;
            return null;
        }
        Place place = new Place();
        queue.add(place);
        return place;
    }

    private synchronized boolean dequeue(Place place) {
        return queue.remove(place);
    }

    private Place choose() {
        Place place = queue.poll();
        if (place != null) {
            place.chosen = true;
        }
        return place;
    }

    private static void unpark(Place place) {
        if (place != null) {
            LockSupport.unpark(place.thread);
        }
    }
}
