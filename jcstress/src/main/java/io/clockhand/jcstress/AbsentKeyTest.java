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

/** A late unpin against a frame going free, through the cache: two finders of a key that there is nothing for. */
@JCStressTest
@Outcome(id = "null, null, intact", expect = ACCEPTABLE, desc = "Both got null, and every frame is free again.")
@Outcome(expect = FORBIDDEN, desc = "A finder got something, or a frame is lost.")
@State
public class AbsentKeyTest {
    private final Boxes boxes = new Boxes(new Store(), 2);

    @Actor
    public void first(LLL_Result r) {
        r.r1 = boxes.find(Store.NOWHERE);
    }

    @Actor
    public void second(LLL_Result r) {
        r.r2 = boxes.find(Store.NOWHERE);
    }

    @Arbiter
    public void end(LLL_Result r) {
        r.r3 = boxes.integrity();
    }
}
