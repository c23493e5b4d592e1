// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.jcstress;

import io.clockhand.policy.QueuedHitsWithoutOwner;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressMeta;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.L_Result;

/** Broken: the queue has no owner. */
@JCStressTest
@JCStressMeta(HitQueueTest.class)
@State
public class HitQueueBrokenTest extends HitQueue {
    private String first;
    private String second;
    private String replayed = "";

    public HitQueueBrokenTest() {
        super(new QueuedHitsWithoutOwner());
    }

    @Actor
    public void adder() {
        first = add(1);
    }

    @Actor
    public void other() {
        second = add(2);
        replayed = replay();
    }

    @Arbiter
    public void end(L_Result r) {
        r.r1 = end(first, second, replayed);
    }
}
