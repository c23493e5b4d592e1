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
 * A dirty page is never lost: an updater changes A, which is dirty, twice while a miss on B takes the frame from it.
 * There is always a second frame, into which the updater can load A again while the first is being emptied.
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
public class DirtyEvictionTest {
    private final Boxes boxes = new Boxes(1);

    public DirtyEvictionTest() {
        update();
    }

    /** {@return the value before} */
    private int update() {
        Boxes.Box box = boxes.find(Boxes.A);
        int before = box.value;
        box.value = before + 1;
        box.dirty = true;
        boxes.release(box);
        return before;
    }

    @Actor
    public void updater(LLL_Result r) {
        update();
        r.r1 = String.valueOf(update());
    }

    @Actor
    public void evicter(LLL_Result r) {
        r.r2 = boxes.contentOf(Boxes.B);
    }

    @Arbiter
    public void end(LLL_Result r) {
        int loads = boxes.loads();
        Boxes.Box box = boxes.find(Boxes.A);
        r.r3 = box.value + " after " + loads + " loads";
        boxes.release(box);
    }
}
