// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.jcstress;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import io.clockhand.policy.CleanedFrame;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.L_Result;

/** A frame that is cleaned while a search marks it as dirty is claimed, or is tried again. */
@JCStressTest
@Outcome(id = "claimed", expect = ACCEPTABLE, desc = "The search has seen the clean page.")
@Outcome(id = "tried", expect = ACCEPTABLE, desc = "The search has seen the dirty page only.")
@Outcome(expect = FORBIDDEN, desc = "The frame is clean, and no search tries it.")
@State
public class RingCleanTest {
    private final CleanedFrame frame = new CleanedFrame();

    @Actor
    public void search() {
        frame.search();
    }

    @Actor
    public void cleaner() {
        frame.clean();
    }

    @Arbiter
    public void end(L_Result r) {
        r.r1 = frame.end();
    }
}
