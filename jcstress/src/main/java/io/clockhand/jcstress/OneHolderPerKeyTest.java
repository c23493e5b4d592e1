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
public class OneHolderPerKeyTest extends OneHolderPerKey {
    public OneHolderPerKeyTest() {
        super(store -> new CoreBoxes(store, 2));
    }

    @Actor
    public void first(LLL_Result r) {
        r.r1 = findFirst();
    }

    @Actor
    public void second(LLL_Result r) {
        r.r2 = findSecond();
    }

    @Arbiter
    public void compare(LLL_Result r) {
        r.r3 = compare();
    }
}
