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
import org.openjdk.jcstress.infra.results.L_Result;

/** A spare object, such as the scan of a search for a victim, is used by one thread at a time. */
@JCStressTest
@Outcome(id = "2 uses", expect = ACCEPTABLE, desc = "Each thread had an object to itself, or one after the other.")
@Outcome(expect = FORBIDDEN, desc = "Both used one object at once, or the second did not see the use by the first.")
@State
public class SpareTest {
    private final SpareUse spare = new CoreSpareUse();

    @Actor
    public void first() {
        spare.useFirst();
    }

    @Actor
    public void second() {
        spare.useSecond();
    }

    @Arbiter
    public void end(L_Result r) {
        r.r1 = spare.end();
    }
}
