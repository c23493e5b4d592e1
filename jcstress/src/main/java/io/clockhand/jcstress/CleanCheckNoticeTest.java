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
import org.openjdk.jcstress.infra.results.II_Result;

/** A search meets a dirty frame while a dirty check finds its content clean. */
@JCStressTest
@Outcome(id = "0, 1", expect = ACCEPTABLE, desc = "The frame was clean when the search met it.")
@Outcome(id = "1, 0", expect = ACCEPTABLE, desc = "The search passed the frame, which is the next victim.")
@Outcome(expect = FORBIDDEN, desc = "The frame is clean, and remains aside.")
@State
public class CleanCheckNoticeTest extends CleanNotice {
    @Actor
    public void miss(II_Result r) {
        r.r1 = search();
    }

    /** Finds the content clean. */
    @Actor
    public void flusher() {
        pool.pinForDirtyCheck(0);
        pool.endDirtyCheck(0, false);
    }

    @Arbiter
    public void end(II_Result r) {
        r.r2 = search();
    }
}
