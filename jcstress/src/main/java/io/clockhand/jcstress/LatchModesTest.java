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
import org.openjdk.jcstress.infra.results.LLI_Result;

/** A reader and a writer exclude each other. */
@JCStressTest
@Outcome(id = "written, equal, 2", expect = ACCEPTABLE, desc = "One after the other.")
@Outcome(id = "written, busy, 2", expect = ACCEPTABLE, desc = "The writer kept the reader out.")
@Outcome(id = "busy, equal, 0", expect = ACCEPTABLE, desc = "The reader kept the writer out.")
@Outcome(expect = FORBIDDEN, desc = "A reader saw half a change.")
@State
public class LatchModesTest {
    private final LatchedPair pair = new CoreLatchedPair();

    @Actor
    public void writer(LLI_Result r) {
        r.r1 = pair.write();
    }

    @Actor
    public void reader(LLI_Result r) {
        r.r2 = pair.read();
    }

    @Arbiter
    public void end(LLI_Result r) {
        r.r3 = pair.sum();
    }
}
