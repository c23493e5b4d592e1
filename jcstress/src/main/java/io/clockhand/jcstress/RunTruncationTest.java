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

/** A run of pages is read by one thread, and its last page is truncated and created again by another, which uses it. */
@JCStressTest
@Outcome(id = "new, new", expect = ACCEPTABLE, desc = "The run has read the page before it was truncated, or after.")
@Outcome(expect = FORBIDDEN, desc = "A truncated page is still in the pool, or a frame or a buffer was lost.")
@State
public class RunTruncationTest {
    private final TruncatedPage page = new TruncatedPage(true);

    @Actor
    public void reader() {
        page.prefetch();
    }

    @Actor
    public void cutter(LL_Result r) {
        page.truncateAndCreate();
        r.r1 = page.use();
    }

    @Arbiter
    public void end(LL_Result r) {
        r.r2 = page.end();
    }
}
