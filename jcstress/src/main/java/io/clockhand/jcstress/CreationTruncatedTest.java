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

/** A page is created, truncated and created again, while its first creator waits for an earlier creation. */
@JCStressTest
@Outcome(id = "own, kept", expect = ACCEPTABLE, desc = "The creator filled its page, before or beside the other's.")
@Outcome(id = "truncated, kept", expect = ACCEPTABLE, desc = "The creator noticed that its page was truncated.")
@Outcome(expect = FORBIDDEN, desc = "The creator took the page of another thread for its own, or a frame was lost.")
@State
public class CreationTruncatedTest {
    private final PageCreatedTwice page = new PageCreatedTwice();

    @Actor
    public void creator(LL_Result r) {
        r.r1 = page.create();
    }

    @Actor
    public void truncator() {
        page.truncateAndCreate();
    }

    @Arbiter
    public void end(LL_Result r) {
        r.r2 = page.end();
    }
}
