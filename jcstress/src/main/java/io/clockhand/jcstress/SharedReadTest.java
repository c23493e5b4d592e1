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

/** A page with a share in its latch stays, without a pin. */
@JCStressTest
@Outcome(id = "1, stayed", expect = ACCEPTABLE, desc = "The reader was there first.")
@Outcome(id = "1, reused", expect = ACCEPTABLE, desc = "It had gone before the page went.")
@Outcome(id = "gone, reused", expect = ACCEPTABLE, desc = "The page went first.")
@Outcome(expect = FORBIDDEN, desc = "The page went while it was shared, or no thread got anything.")
@State
public class SharedReadTest {
    private final OptimisticRead read = new OptimisticRead();

    @Actor
    public void reader(LL_Result r) {
        r.r1 = read.readShared();
    }

    @Actor
    public void evictor(LL_Result r) {
        r.r2 = read.reuse();
    }
}
