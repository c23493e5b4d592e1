// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.jcstress;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressMeta;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZL_Result;

/** The copy with no step done wrong. */
@JCStressTest
@JCStressMeta(DirtyCheckAgainstUseTest.class)
@State
public class DirtyCheckAgainstUseCopyTest {
    private final DirtyCheck check = new TinyDirtyCheck();

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
