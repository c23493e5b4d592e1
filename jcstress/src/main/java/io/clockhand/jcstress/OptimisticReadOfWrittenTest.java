// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.jcstress;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.L_Result;

/** An optimistic reader sees all of a change, or nothing of it. */
@JCStressTest
@Outcome(id = "1", expect = ACCEPTABLE, desc = "Before the change.")
@Outcome(id = "2", expect = ACCEPTABLE, desc = "After the change.")
@Outcome(id = "retry", expect = ACCEPTABLE, desc = "A writer came in between.")
@Outcome(id = "gone", expect = ACCEPTABLE, desc = "A writer had the latch.")
@Outcome(expect = FORBIDDEN, desc = "Half a change was validated.")
@State
public class OptimisticReadOfWrittenTest {
    private final OptimisticRead optimistic = new OptimisticRead();

    @Actor
    public void reader(L_Result r) {
        r.r1 = optimistic.read();
    }

    @Actor
    public void writer() {
        optimistic.write();
    }
}
