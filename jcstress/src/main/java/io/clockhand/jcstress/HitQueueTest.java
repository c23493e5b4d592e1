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

/**
 * Two threads whose ids choose the same queue of hits: no hit is lost or replayed twice, whether the other thread puts
 * one in, too, or takes all out.
 */
@JCStressTest
@Outcome(
        id = "each once",
        expect = ACCEPTABLE,
        desc = "The other thread went before or after, or found the queue owned.")
@Outcome(expect = FORBIDDEN, desc = "A hit is lost, or was replayed twice.")
@State
public class HitQueueTest {
    private final QueuedHits queue = new QueuedHits();
    private String first;
    private String second;
    private String replayed;

    public HitQueueTest() {
        queue.tryAdd(0);
    }

    @Actor
    public void adder() {
        first = queue.tryAdd(1) ? "1" : "";
    }

    @Actor
    public void other() {
        second = queue.tryAdd(2) ? "2" : "";
        replayed = queue.tryReplay();
    }

    @Arbiter
    public void end(L_Result r) {
        String out = replayed + queue.tryReplay();
        String in = "0" + first + second;
        boolean same = out.length() == in.length() && in.chars().allMatch(frame -> out.indexOf(frame) >= 0);
        r.r1 = same ? "each once" : "in: " + in + ", out: " + out;
    }
}
