// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.jcstress;

import java.util.concurrent.atomic.AtomicBoolean;

/** The protocol in its smallest form: a lock that spins. */
class TinyLockUse extends LockUse {
    final AtomicBoolean held = new AtomicBoolean();

    @Override
    final void lock() {
        while (!tryLock()) {
            Thread.onSpinWait();
        }
    }

    boolean tryLock() {
        return held.compareAndSet(false, true);
    }

    @Override
    final void unlock() {
        held.setRelease(false);
    }
}
