// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.internal.file;

import java.util.function.BooleanSupplier;

/** Makes the lock of a file, which is package-private, accessible to the stress tests. */
public final class FileLock {
    private final ShortLock lock = new ShortLock();

    public void lock() {
        lock.lock();
    }

    public void unlock() {
        lock.unlock();
    }

    /** Waits until a condition holds. The calling thread has the lock, here and afterwards. */
    public boolean await(BooleanSupplier holds, long nanos) {
        return lock.await(holds, nanos);
    }

    /** Makes all threads that wait test their conditions again. The calling thread has the lock. */
    public void signalAll() {
        lock.signalAll();
    }
}
