// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.jcstress;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressMeta;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.L_Result;

/** Broken: the lock is taken by a load and a store. */
@JCStressTest
@JCStressMeta(ShortLockTest.class)
@State
public class ShortLockBrokenTest {
    private final LockUse lock = new TinyLockUse() {
        @Override
        boolean tryLock() {
            if (held.get()) {
                return false;
            }
            held.set(true);
            return true;
        }
    };

    @Actor
    public void first() {
        lock.use();
    }

    @Actor
    public void second() {
        lock.use();
    }

    @Arbiter
    public void end(L_Result r) {
        r.r1 = lock.end();
    }
}
