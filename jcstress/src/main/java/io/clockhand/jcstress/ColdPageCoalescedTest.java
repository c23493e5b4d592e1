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
import org.openjdk.jcstress.infra.results.LLL_Result;

/** Two threads fix a page whose first read fails: one reads, the other waits. */
@JCStressTest
@Outcome(id = "right, right, whole", expect = ACCEPTABLE, desc = "The read that failed was not needed.")
@Outcome(
        id = "failed, right, whole",
        expect = ACCEPTABLE,
        desc = "The second tried again, or had read the page itself.")
@Outcome(id = "right, failed, whole", expect = ACCEPTABLE, desc = "The first tried again, or had read the page itself.")
@Outcome(id = "failed, failed, whole", expect = ACCEPTABLE, desc = "The failure reached both.")
@Outcome(expect = FORBIDDEN, desc = "Wrong bytes, or a frame or a buffer was lost.")
@State
public class ColdPageCoalescedTest {
    private final ColdPage cold = new ColdPage(false, 1);

    @Actor
    public void first(LLL_Result r) {
        r.r1 = cold.use(ColdPage.PAGE);
    }

    @Actor
    public void second(LLL_Result r) {
        r.r2 = cold.share(ColdPage.PAGE);
    }

    @Arbiter
    public void end(LLL_Result r) {
        r.r3 = cold.end();
    }
}
