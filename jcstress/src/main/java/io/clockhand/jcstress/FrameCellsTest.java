// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.jcstress;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import io.clockhand.policy.SharedCells;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.L_Result;

/** Frames that two threads put into the cells of a ring, while one of them empties a cell, have a cell each. */
@JCStressTest
@Outcome(id = "123", expect = ACCEPTABLE, desc = "Each frame has a cell.")
@Outcome(expect = FORBIDDEN, desc = "A frame is lost, or has two cells.")
@State
public class FrameCellsTest {
    private final SharedCells cells = new SharedCells();

    @Actor
    public void replacing() {
        cells.replaceFirst();
    }

    @Actor
    public void putting() {
        cells.putTwo();
    }

    @Arbiter
    public void end(L_Result r) {
        r.r1 = cells.end();
    }
}
