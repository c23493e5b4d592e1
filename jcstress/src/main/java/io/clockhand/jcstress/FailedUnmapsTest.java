// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.jcstress;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/** A frame whose unmapping failed is taken once, by one thread, and a frame that was added is not overlooked. */
@JCStressTest
@Outcome(
        id = {"1, 2", "2, 1"},
        expect = ACCEPTABLE,
        desc = "Each thread took a frame, its own or that of the other.")
@Outcome(expect = FORBIDDEN, desc = "A frame was taken twice, or a thread found none although its own was there.")
@State
public class FailedUnmapsTest {
    private final FailedFrames frames = new CoreFailedFrames();

    @Actor
    public void first(II_Result r) {
        r.r1 = frames.addAndTake(1);
    }

    @Actor
    public void second(II_Result r) {
        r.r2 = frames.addAndTake(2);
    }
}
