// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.jcstress;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressMeta;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZL_Result;

/** Broken: the pin goes before the mark. */
@JCStressTest
@JCStressMeta(DirtyCheckAgainstUseTest.class)
@State
public class DirtyCheckAgainstUseBrokenTest {
    private final DirtyCheck check = new TinyDirtyCheck() {
        @Override
        void endDirtyCheck() {
            word.getAndDecrement();
            word.getAndAdd(-DIRTY_CHECK);
        }
    };

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
