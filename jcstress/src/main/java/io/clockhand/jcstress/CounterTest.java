// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.jcstress;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import java.util.concurrent.atomic.AtomicInteger;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.I_Result;

/** Shows that the harness works: two atomic increments add up to two. */
@JCStressTest
@State
@Outcome(id = "2", expect = ACCEPTABLE, desc = "Both increments are there.")
@Outcome(expect = FORBIDDEN, desc = "An increment is lost.")
public class CounterTest {
    private final AtomicInteger counter = new AtomicInteger();

    @Actor
    public void first() {
        counter.incrementAndGet();
    }

    @Actor
    public void second() {
        counter.incrementAndGet();
    }

    @Arbiter
    public void sum(I_Result result) {
        result.r1 = counter.get();
    }
}
