// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.jcstress;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import io.clockhand.internal.pool.Spares;
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
    private static final long STRIPE = 3;

    /** An object for one thread at a time: its counter has no synchronization. */
    private static final class Counter {
        int uses;
    }

    private final Spares<Counter> spares = new Spares<>(Counter::new);
    private Counter first;
    private Counter second;

    public SpareTest() {
        spares.putBack(STRIPE, spares.take(STRIPE)); // so that it is there
    }

    @Actor
    public void first() {
        first = use();
    }

    @Actor
    public void second() {
        second = use();
    }

    private Counter use() {
        Counter counter = spares.take(STRIPE);
        counter.uses++;
        spares.putBack(STRIPE, counter);
        return counter;
    }

    @Arbiter
    public void end(L_Result r) {
        r.r1 = (first == second ? first.uses : first.uses + second.uses) + " uses";
    }
}
