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
import org.openjdk.jcstress.infra.results.J_Result;

/** Two updates that begin together have one dirty page context, with the lesser LSN. */
@JCStressTest
@Outcome(id = "1", expect = ACCEPTABLE, desc = "The first LSN.")
@Outcome(expect = FORBIDDEN, desc = "The first LSN is in a context that nobody finds.")
@State
public class UpdateContextTest {
    private final FirstUpdates updates = new FirstUpdates();

    @Actor
    public void first() {
        updates.update();
    }

    @Actor
    public void second() {
        updates.update();
    }

    @Arbiter
    public void outcome(J_Result r) {
        r.r1 = updates.oldest();
    }
}
