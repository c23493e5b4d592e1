// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.policy;

import java.util.concurrent.locks.ReentrantLock;

/**
 * A reentrant lock whose waiters spin for a few microseconds before they park: for critical sections that are shorter
 * than it takes to park and wake a thread. Unfair. Thread-safe.
 */
final class SpinThenParkLock extends ReentrantLock {
    private static final long serialVersionUID = 1L;

    private static final int SPINS = 64;
    /** On one processor the holder cannot go on while another thread spins. */
    private static final boolean SPINNING_PAYS = Runtime.getRuntime().availableProcessors() > 1;

    @Override
    public void lock() {
        for (int i = 0; SPINNING_PAYS && i < SPINS; i++) {
            if (!isLocked() && tryLock()) {
                return;
            }
            Thread.onSpinWait();
        }
        super.lock();
    }
}
