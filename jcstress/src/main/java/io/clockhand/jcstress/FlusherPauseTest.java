// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.jcstress;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.L_Result;

/** A thread of the flusher does a step, while another thread pauses the flusher. */
@JCStressTest
@Outcome(id = "quiet", expect = ACCEPTABLE, desc = "The step came before the pause or after it.")
@Outcome(expect = FORBIDDEN, desc = "A step was under way in a pause.")
@State
public class FlusherPauseTest {
    private final FlusherPause pause = new CorePause();

    @Actor
    public void flusher() {
        pause.work();
    }

    @Actor
    public void pauser(L_Result r) {
        r.r1 = pause.pauseAndLook();
    }
}
