// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.jcstress;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import io.clockhand.internal.frame.Latches;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.LLI_Result;

/** A reader and a writer exclude each other: the writer raises two plain numbers, the reader never sees them differ. */
@JCStressTest
@Outcome(id = "written, equal, 2", expect = ACCEPTABLE, desc = "One after the other.")
@Outcome(id = "written, busy, 2", expect = ACCEPTABLE, desc = "The writer kept the reader out.")
@Outcome(id = "busy, equal, 0", expect = ACCEPTABLE, desc = "The reader kept the writer out.")
@Outcome(expect = FORBIDDEN, desc = "A reader saw half a change.")
@State
public class LatchModesTest {
    private final Latches latches = new Latches(Frames.loadedPage(), 1);
    private int left;
    private int right;

    @Actor
    public void writer(LLI_Result r) {
        if (!latches.tryExclusive(0)) {
            r.r1 = "busy";
            return;
        }
        left++;
        right++;
        latches.releaseExclusive(0);
        r.r1 = "written";
    }

    @Actor
    public void reader(LLI_Result r) {
        if (!latches.tryShared(0)) {
            r.r2 = "busy";
            return;
        }
        r.r2 = left == right ? "equal" : "torn";
        latches.releaseShared(0);
    }

    @Arbiter
    public void end(LLI_Result r) {
        r.r3 = left + right;
    }
}
