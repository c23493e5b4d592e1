// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.internal.file;

import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A lock that is acquired even if there is no memory for a place in its queue, since a change may have to be made under
 * it that ends another. Held for a few steps only.
 */
final class ReliableLock extends ReentrantLock {
    private static final long serialVersionUID = 1;
    private static final long RETRY_NANOS = 10_000;

    @Override
    public void lock() {
        try {
            super.lock();
        } catch (OutOfMemoryError e) {
            while (!tryLock()) {
                LockSupport.parkNanos(RETRY_NANOS);
            }
        }
    }
}
