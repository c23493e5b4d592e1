// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.jcstress;

/** Two threads use the same object under a lock. */
abstract class LockUse {
    /** Guarded by the lock. */
    private int uses;

    abstract void lock();

    abstract void unlock();

    final void use() {
        lock();
        uses++;
        unlock();
    }

    /** {@return the uses that are counted} */
    final String end() {
        return uses + " uses";
    }
}
