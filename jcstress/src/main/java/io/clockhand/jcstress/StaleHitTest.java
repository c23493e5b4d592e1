// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.jcstress;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import io.clockhand.policy.QueuedHits;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.L_Result;

/** A hit never counts for a content that came into the frame after it, and otherwise always. */
@JCStressTest
@Outcome(id = "right", expect = ACCEPTABLE, desc = "The hit was replayed if its content was still in the frame.")
@Outcome(expect = FORBIDDEN, desc = "A hit on the old content was replayed as one on the new, or a hit is lost.")
@State
public class StaleHitTest extends StaleHit {
    private String hit;
    private String there;

    public StaleHitTest() {
        super(new QueuedHits());
    }

    @Actor
    public void finder() {
        hit = hit();
    }

    @Actor
    public void evicter() {
        there = replace();
    }

    @Arbiter
    public void end(L_Result r) {
        r.r1 = end(hit, there);
    }
}
