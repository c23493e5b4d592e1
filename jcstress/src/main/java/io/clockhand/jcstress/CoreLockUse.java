// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.jcstress;

import io.clockhand.internal.file.FileLock;

/** Of the lock of a file. */
final class CoreLockUse extends LockUse {
    private final FileLock lock = new FileLock();

    @Override
    void lock() {
        lock.lock();
    }

    @Override
    void unlock() {
        lock.unlock();
    }
}
