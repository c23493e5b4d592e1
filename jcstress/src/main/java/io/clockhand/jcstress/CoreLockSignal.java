// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.jcstress;

import io.clockhand.internal.file.FileLock;
import java.util.concurrent.TimeUnit;

/** A condition of the lock of a file. */
final class CoreLockSignal implements Signal {
    private final FileLock lock = new FileLock();
    /** Guarded by the lock. */
    private boolean changed;

    @Override
    public long waitNanos() {
        return TimeUnit.SECONDS.toNanos(5);
    }

    @Override
    public boolean await() {
        lock.lock();
        try {
            return lock.await(() -> changed, waitNanos());
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void change() {
        lock.lock();
        try {
            changed = true;
            lock.signalAll();
        } finally {
            lock.unlock();
        }
    }
}
