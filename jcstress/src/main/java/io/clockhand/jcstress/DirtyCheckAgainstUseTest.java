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
import org.openjdk.jcstress.infra.results.ZL_Result;

/** A thread that uses a frame is never taken for one that only checks whether it is dirty. */
@JCStressTest
@Outcome(id = "false, nothing left", expect = ACCEPTABLE, desc = "The use was distinguished from the dirty check.")
@Outcome(expect = FORBIDDEN, desc = "A frame in use was taken for one that is only checked.")
@State
public class DirtyCheckAgainstUseTest {
    private final DirtyCheck check = new CoreDirtyCheck();

    @Actor
    public void checker() {
        check.check();
    }

    @Actor
    public void user(ZL_Result r) {
        r.r1 = check.useIsTakenForADirtyCheck();
    }

    @Arbiter
    public void end(ZL_Result r) {
        r.r2 = check.end();
    }
}
