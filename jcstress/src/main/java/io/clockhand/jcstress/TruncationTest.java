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

/** A page is fixed by one thread, and truncated and created again by another. */
@JCStressTest
@Outcome(id = "old, new", expect = ACCEPTABLE, desc = "It was fixed before it was truncated.")
@Outcome(id = "none, new", expect = ACCEPTABLE, desc = "It was sought while it did not exist.")
@Outcome(id = "new, new", expect = ACCEPTABLE, desc = "It was fixed after it was created again.")
@Outcome(expect = FORBIDDEN, desc = "A truncated page is still in the pool, or a frame or a buffer was lost.")
@State
public class TruncationTest {
    private final TruncatedPage page = new TruncatedPage(false);

    @Actor
    public void user(LL_Result r) {
        r.r1 = page.use();
    }

    @Actor
    public void cutter() {
        page.truncateAndCreate();
    }

    @Arbiter
    public void end(LL_Result r) {
        r.r2 = page.end();
    }
}
