// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.workbench.sharedupdate.driver;

import java.util.concurrent.locks.ReentrantLock;

/** Keeps other threads away from a page. */
interface Mutex {
    void lock();

    /** Does not wait. */
    boolean tryLock();

    void unlock();

    /** Waiters park. Not fair, and so as fast as it can be. */
    final class Parking extends ReentrantLock implements Mutex {
        private static final long serialVersionUID = 1;
    }

    /**
     * Test-and-test-and-set, alone in its lines of the processor's cache: a waiter only reads until it sees the lock
     * free. Waiters never park. {@code held} is set by CAS and cleared with release order.
     */
    final class Spinning implements Mutex {
        private static final int LEAST_BACKOFF = 4;
        private static final int GREATEST_BACKOFF = 1024;

        private final PaddedLong held = new PaddedLong(0);

        @Override
        public void lock() {
            for (int backoff = LEAST_BACKOFF; !tryLock(); backoff = Math.min(GREATEST_BACKOFF, 2 * backoff)) {
                for (int i = 0; i < backoff; i++) {
                    Thread.onSpinWait();
                }
                while (held.getOpaque() != 0) {
                    Thread.onSpinWait();
                }
            }
        }

        @Override
        public boolean tryLock() {
            return held.getOpaque() == 0 && held.compareAndSet(0, 1);
        }

        @Override
        public void unlock() {
            held.setRelease(0);
        }
    }
}
