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

/**
 * A dirty page is never lost: an updater changes A twice while a miss on B takes the frame from it. There is always a
 * second frame, into which the updater can load A again while the first is being emptied.
 */
@JCStressTest
@Outcome(id = "12, B, 13 after 1 loads", expect = ACCEPTABLE, desc = "A was evicted after its last change.")
@Outcome(id = "12, B, 13 after 2 loads", expect = ACCEPTABLE, desc = "A was evicted before a change, and loaded again.")
@Outcome(
        id = "12, B, 13 after 3 loads",
        expect = ACCEPTABLE,
        desc = "A was evicted twice: the cache had grown and shrank.")
@Outcome(expect = FORBIDDEN, desc = "The updater did not see its own first change, or a change is lost.")
@State
public class DirtyEvictionTest extends DirtyEviction {
    public DirtyEvictionTest() {
        super(store -> new CoreBoxes(store, 1));
    }

    @Actor
    public void updater(LLL_Result r) {
        r.r1 = updateAndReadAgain();
    }

    @Actor
    public void evicter(LLL_Result r) {
        r.r2 = findOther();
    }

    @Arbiter
    public void end(LLL_Result r) {
        r.r3 = end();
    }
}
