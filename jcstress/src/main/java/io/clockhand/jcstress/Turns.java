// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.jcstress;

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/**
 * A latch that is held and then released, a thread that waits for it, and an impatient one that gives up so soon that
 * it may do so when the release has chosen it: core's, or the copy of its protocol.
 */
abstract class Turns implements Signal {
    private static final int MOST_SPINS = 1_000;
    private static final long MOST_NANOS_TO_MEET = 2_000_000;

    private final AtomicInteger arrived = new AtomicInteger();

    /** {@return whether the calling thread has got the latch} It keeps it. */
    abstract boolean acquire();

    /** Waits for a few microseconds, and leaves the latch to others. */
    abstract void acquireForAMoment();

    abstract void release();

    @Override
    public final boolean await() {
        arrived.incrementAndGet();
        return acquire();
    }

    final void tryImpatiently() {
        arrived.incrementAndGet();
        acquireForAMoment();
    }

    /** Releases the latch when both threads are about to wait, if they come soon. */
    @Override
    public final void change() {
        long begin = System.nanoTime();
        while (arrived.get() < 2 && System.nanoTime() - begin < MOST_NANOS_TO_MEET) {
            LockSupport.parkNanos(1_000); // there may be fewer processors than threads
        }
        spin();
        release();
    }

    static void spin() {
        for (int spins = ThreadLocalRandom.current().nextInt(MOST_SPINS); spins > 0; spins--) {
            Thread.onSpinWait();
        }
    }
}
