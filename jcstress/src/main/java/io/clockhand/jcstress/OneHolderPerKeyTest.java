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
import org.openjdk.jcstress.infra.results.LLL_Result;

/** Two misses on one key give one holder: both threads get the same, loaded once, and no frame is lost. */
@JCStressTest
@Outcome(
        id = "A, A, one box, loads: 1, intact",
        expect = ACCEPTABLE,
        desc = "One thread loaded the holder; the other waited for it, or found it.")
@Outcome(
        expect = FORBIDDEN,
        desc = "Two holders of one key, two loads of it, or a frame that is neither mapped nor free.")
@State
public class OneHolderPerKeyTest {
    private final Boxes boxes = new Boxes(2);
    private Boxes.Box first;
    private Boxes.Box second;

    @Actor
    public void first(LLL_Result r) {
        first = boxes.find(Boxes.A);
        r.r1 = first.content();
    }

    @Actor
    public void second(LLL_Result r) {
        second = boxes.find(Boxes.A);
        r.r2 = second.content();
    }

    @Arbiter
    public void compare(LLL_Result r) {
        if (first != second) {
            r.r3 = "two boxes";
            return;
        }
        boxes.release(first);
        boxes.release(second);
        r.r3 = "one box, loads: " + boxes.loads() + ", " + boxes.integrity();
    }
}
