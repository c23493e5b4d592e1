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

/** A release by hint takes off the caller's own pin, whatever other threads noted. */
@JCStressTest
@Outcome(id = "released, released, intact", expect = ACCEPTABLE, desc = "Each thread released its own box.")
@Outcome(expect = FORBIDDEN, desc = "A release took a pin off another frame.")
@State
public class HintedReleaseTest extends HintedRelease {
    public HintedReleaseTest() {
        super(new CoreBoxes(new Store(), 2));
    }

    @Actor
    public void first(LLL_Result r) {
        r.r1 = use(Store.A);
    }

    @Actor
    public void second(LLL_Result r) {
        r.r2 = use(Store.B);
    }

    @Arbiter
    public void end(LLL_Result r) {
        r.r3 = end();
    }
}
