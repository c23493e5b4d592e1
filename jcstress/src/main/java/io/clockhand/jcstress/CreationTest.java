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
import org.openjdk.jcstress.infra.results.LL_Result;

/** A page is created by one thread, and changed by another as soon as it exists. */
@JCStressTest
@Outcome(id = "none, zero", expect = ACCEPTABLE, desc = "It was sought before it existed.")
@Outcome(id = "changed, changed", expect = ACCEPTABLE, desc = "It was changed after it existed.")
@Outcome(expect = FORBIDDEN, desc = "A change was lost, or a frame.")
@State
public class CreationTest {
    private final CreatedPage page = new CreatedPage();

    @Actor
    public void creator() {
        page.create();
    }

    @Actor
    public void user(LL_Result r) {
        r.r1 = page.change();
    }

    @Arbiter
    public void end(LL_Result r) {
        r.r2 = page.end();
    }
}
