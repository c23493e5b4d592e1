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

/** A page is fixed by one thread, and cut off and created again by another. */
@JCStressTest
@Outcome(id = "old, new", expect = ACCEPTABLE, desc = "It was fixed before it was cut off.")
@Outcome(id = "none, new", expect = ACCEPTABLE, desc = "It was sought while it was not there.")
@Outcome(id = "new, new", expect = ACCEPTABLE, desc = "It was fixed after it was created again.")
@Outcome(expect = FORBIDDEN, desc = "A page that was cut off is there still, or a frame or a buffer was lost.")
@State
public class TruncationTest {
    private final TruncatedPage page = new TruncatedPage();

    @Actor
    public void user(LL_Result r) {
        r.r1 = page.use();
    }

    @Actor
    public void cutter() {
        page.cutOffAndCreate();
    }

    @Arbiter
    public void end(LL_Result r) {
        r.r2 = page.end();
    }
}
