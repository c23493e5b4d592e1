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
import org.openjdk.jcstress.infra.results.L_Result;

/**
 * A thread looks a key up in the table, again and again, while another discards its holder, loads that of another key,
 * into the same frame perhaps, and discards it, too. The finder pins nothing but what it looks for, so nothing keeps
 * the other key's holder from its discard.
 */
@JCStressTest
@Outcome(id = "discarded", expect = ACCEPTABLE, desc = "Each holder of the other key was discarded.")
@Outcome(expect = FORBIDDEN, desc = "A pin of the finder let the other key's holder outlive a discard.")
@State
public class LaterBindingTest {
    private static final int ROUNDS = 50;

    private final Boxes boxes = new Boxes(1, false);
    private volatile boolean ends;

    @Actor
    public void finder() {
        while (!ends) {
            boxes.contentIfCached(Boxes.A);
        }
    }

    @Actor
    public void discarding(L_Result r) {
        int left = 0;
        try {
            for (int i = 0; i < ROUNDS; i++) {
                boxes.contentOf(Boxes.A);
                boxes.discard(Boxes.A); // not if the finder has pinned it
                boxes.contentOf(Boxes.B);
                left += boxes.discard(Boxes.B) ? 0 : 1;
            }
        } finally {
            ends = true;
        }
        r.r1 = left == 0 ? "discarded" : left + " left";
    }

    @Arbiter
    public void end(L_Result r) {
        String integrity = boxes.integrity();
        if (!integrity.equals("intact")) {
            r.r1 = integrity;
        }
    }
}
