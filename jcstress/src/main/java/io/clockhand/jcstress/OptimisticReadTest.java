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

/** Bytes that an optimistic reader has validated are those of the page that it asked for. */
@JCStressTest
@Outcome(id = "1", expect = ACCEPTABLE, desc = "The page was in the pool.")
@Outcome(id = "retry", expect = ACCEPTABLE, desc = "The page was evicted during the read.")
@Outcome(id = "gone", expect = ACCEPTABLE, desc = "The page was not in the pool.")
@Outcome(expect = FORBIDDEN, desc = "Bytes of another page were validated.")
@State
public class OptimisticReadTest {
    private final OptimisticRead optimistic = new OptimisticRead();

    @Actor
    public void reader(L_Result r) {
        r.r1 = optimistic.read();
    }

    @Actor
    public void evictor() {
        optimistic.reuse();
    }
}
