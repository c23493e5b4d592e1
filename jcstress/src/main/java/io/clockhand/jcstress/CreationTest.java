// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.jcstress;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import io.clockhand.page.StressPool;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.LJ_Result;

/** A page is created by one thread, and changed by another as soon as it exists. */
@JCStressTest
@Outcome(id = "none, 0", expect = ACCEPTABLE, desc = "It was sought before it existed.")
@Outcome(id = "changed, 1", expect = ACCEPTABLE, desc = "It was changed after it existed.")
@Outcome(expect = FORBIDDEN, desc = "A change was lost.")
@State
public class CreationTest {
    private final StressPool pool = StressPool.take();

    @Actor
    public void creator(LJ_Result r) {
        pool.create(0);
    }

    @Actor
    public void user(LJ_Result r) {
        r.r1 = pool.fill(0, 1) ? "changed" : "none";
    }

    @Arbiter
    public void end(LJ_Result r) {
        r.r2 = pool.value(0);
        pool.giveBack();
    }
}
