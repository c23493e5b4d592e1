// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.jcstress;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressMeta;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.L_Result;

/** The copy with no step done wrong. */
@JCStressTest
@JCStressMeta(ShortLockTest.class)
@State
public class ShortLockCopyTest {
    private final LockUse lock = new TinyLockUse();

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
