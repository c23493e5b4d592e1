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
import org.openjdk.jcstress.infra.results.I_Result;

/** The twin of {@link CounterTest} without atomicity: an increment gets lost, and the harness sees it. */
@JCStressTest
@State
@Outcome(id = "2", expect = ACCEPTABLE, desc = "Both increments are there.")
@Outcome(expect = FORBIDDEN, desc = "An increment is lost.")
public class CounterBrokenTest {
    private int counter;

    @Actor
    public void first() {
        counter++;
    }

    @Actor
    public void second() {
        counter++;
    }

    @Arbiter
    public void sum(I_Result result) {
        result.r1 = counter;
    }
}
