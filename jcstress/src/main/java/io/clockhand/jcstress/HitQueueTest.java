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

/** No queued hit is lost or replayed twice, whether the other thread puts one in, too, or takes all out. */
@JCStressTest
@Outcome(
        id = "each once",
        expect = ACCEPTABLE,
        desc = "The other thread went before or after, or found the queue owned.")
@Outcome(expect = FORBIDDEN, desc = "A hit is lost, or was replayed twice.")
@State
public class HitQueueTest extends HitQueue {
    private String first;
    private String second;
    private String replayed = "";

    public HitQueueTest() {
        super(new QueuedHits());
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
