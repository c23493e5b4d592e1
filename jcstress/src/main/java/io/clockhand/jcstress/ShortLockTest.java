// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.jcstress;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.L_Result;

/** The lock of a file excludes: one thread at a time has it, and the next sees what it has done. */
@JCStressTest
@Outcome(id = "2 uses", expect = ACCEPTABLE, desc = "One thread came after the other.")
@Outcome(expect = FORBIDDEN, desc = "Both threads had the lock, or the second did not see the use by the first.")
@State
public class ShortLockTest {
    private final LockUse lock = new CoreLockUse();

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
