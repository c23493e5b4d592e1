// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.jcstress;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.LL_Result;

/** Two threads that read a page at once use the same buffer, and see all of it. */
@JCStressTest
@Outcome(id = "buffer 0, buffer 0", expect = ACCEPTABLE, desc = "The first was faster.")
@Outcome(id = "buffer 1, buffer 1", expect = ACCEPTABLE, desc = "The second was faster.")
@Outcome(expect = FORBIDDEN, desc = "Two copies of one page, or bytes that had not come yet.")
@State
public class PageInTest {
    private final OnePageIn page = new CoreOnePageIn();

    @Actor
    public void first(LL_Result r) {
        r.r1 = page.pageIn(0);
    }

    @Actor
    public void second(LL_Result r) {
        r.r2 = page.pageIn(1);
    }
}
