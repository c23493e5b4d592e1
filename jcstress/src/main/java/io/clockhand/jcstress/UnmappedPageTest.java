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
import org.openjdk.jcstress.infra.results.LI_Result;

/** A page that was unmapped while a thread uses it is not found any more, not even by a stale hint. */
@JCStressTest
@Outcome(id = "mapped, used, 1", expect = ACCEPTABLE, desc = "The finder came before the mark.")
@Outcome(id = "mapped, refused, 1", expect = ACCEPTABLE, desc = "The page was marked, or unmapped, meanwhile.")
@Outcome(id = "unmapped, refused, 1", expect = ACCEPTABLE, desc = "The finder came after the page was unmapped.")
@Outcome(expect = FORBIDDEN, desc = "The finder used a page that was not mapped, or a pin was lost or left.")
@State
public class UnmappedPageTest {
    private final UnmappedPage page = new CoreUnmappedPage();

    @Actor
    public void finder(LI_Result r) {
        r.r1 = page.find();
    }

    @Actor
    public void invalidator() {
        page.invalidate();
    }

    @Arbiter
    public void end(LI_Result r) {
        r.r2 = page.pins();
    }
}
