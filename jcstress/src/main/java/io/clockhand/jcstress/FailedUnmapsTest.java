// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.jcstress;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import io.clockhand.internal.pool.FramesToUnmap;
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
    private final FramesToUnmap frames = new FramesToUnmap();

    @Actor
    public void first(II_Result r) {
        r.r1 = addAndTake(1);
    }

    @Actor
    public void second(II_Result r) {
        r.r2 = addAndTake(2);
    }

    private int addAndTake(int frame) {
        frames.add(frame);
        return frames.count() > 0 ? frames.poll() : FramesToUnmap.NONE;
    }
}
