// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.jcstress;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import io.clockhand.policy.SharedRing;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.L_Result;

/** No token of a ring is lost or taken twice, whether the ring is full, empty or neither. */
@JCStressTest
@Outcome(id = "each once", expect = ACCEPTABLE, desc = "In any order, or the ring was full or empty.")
@Outcome(expect = FORBIDDEN, desc = "A token is lost, or was taken twice.")
@State
public class TokenRingTest {
    private final SharedRing ring = new SharedRing();
    private String added = "";
    private String first = "";
    private String second = "";

    @Actor
    public void exchanger() {
        String token = ring.offer(1);
        added = token + ring.offer(2);
        first = ring.poll();
    }

    @Actor
    public void taker() {
        second = ring.poll() + ring.poll();
    }

    @Arbiter
    public void end(L_Result r) {
        r.r1 = ring.end(added, first + second);
    }
}
