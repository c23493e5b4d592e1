// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.jcstress;

import io.clockhand.policy.QueuedHitsWithoutGenerations;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressMeta;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.L_Result;

/** Broken: the queue does not notice that the content has changed. */
@JCStressTest
@JCStressMeta(StaleHitTest.class)
@State
public class StaleHitBrokenTest extends StaleHit {
    private String hit;
    private String there;

    public StaleHitBrokenTest() {
        super(new QueuedHitsWithoutGenerations());
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
