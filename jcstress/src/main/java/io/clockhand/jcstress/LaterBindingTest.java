// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.jcstress;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.LL_Result;

/**
 * A thread looks a key up in the table, while another discards its holder, loads that of another key, into the same
 * frame perhaps, and discards it, too. The finder pins nothing but what it looks for, so nothing keeps the second
 * discard from its holder.
 */
@JCStressTest
@Outcome(
        id = "A, discarded",
        expect = ACCEPTABLE,
        desc = "The holder was found before it was discarded, or kept from it.")
@Outcome(id = "null, discarded", expect = ACCEPTABLE, desc = "The holder was discarded before it was found.")
@Outcome(expect = FORBIDDEN, desc = "A pin of the finder let the other key's holder outlive a discard.")
@State
public class LaterBindingTest {
    private final Boxes boxes = new Boxes(1, false);

    public LaterBindingTest() {
        boxes.contentOf(Boxes.A);
    }

    @Actor
    public void finder(LL_Result r) {
        r.r1 = boxes.contentIfCached(Boxes.A);
    }

    @Actor
    public void discarding(LL_Result r) {
        boxes.discard(Boxes.A);
        boxes.contentOf(Boxes.B);
        r.r2 = boxes.discard(Boxes.B) ? "discarded" : "left";
    }

    @Arbiter
    public void end(LL_Result r) {
        String integrity = boxes.integrity();
        if (!integrity.equals("intact")) {
            r.r2 = integrity;
        }
    }
}
