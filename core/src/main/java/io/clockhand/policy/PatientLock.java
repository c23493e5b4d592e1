// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.policy;

import java.util.concurrent.locks.ReentrantLock;

/**
 * A lock whose waiters look at it for a few microseconds before they park: for sections that are shorter than it takes to park a thread and
 * to wake it. Thread-safe.
 */
final class PatientLock extends ReentrantLock {
    private static final long serialVersionUID = 1L;

    private static final int LOOKS = 64;
    /** On one processor the holder cannot go on while others look. */
    private static final boolean WORTH_LOOKING = Runtime.getRuntime().availableProcessors() > 1;

    @Override
    public void lock() {
        for (int i = 0; WORTH_LOOKING && i < LOOKS; i++) {
            if (!isLocked() && tryLock()) {
                return;
            }
            Thread.onSpinWait();
        }
        super.lock();
    }
}
