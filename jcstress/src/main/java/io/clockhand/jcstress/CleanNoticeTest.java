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

/** A search meets a dirty frame while a thread takes the frame out of the queue, since its page need not be written. */
@JCStressTest
@Outcome(id = "0, 1", expect = ACCEPTABLE, desc = "The frame was clean when the search met it.")
@Outcome(id = "1, 0", expect = ACCEPTABLE, desc = "The search passed the frame, which is the next victim.")
@Outcome(expect = FORBIDDEN, desc = "The frame is clean, and remains aside.")
@State
public class CleanNoticeTest extends CleanNotice {
    @Actor
    public void miss(II_Result r) {
        r.r1 = search();
    }

    /** Takes the frame out of the queue, since its page need not be written. */
    @Actor
    public void flusher() {
        pool.clearQueued(0);
    }

    @Arbiter
    public void end(II_Result r) {
        r.r2 = search();
    }
}
