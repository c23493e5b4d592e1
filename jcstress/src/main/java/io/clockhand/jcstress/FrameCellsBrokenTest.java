// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.jcstress;

import io.clockhand.policy.SharedCells;
import io.clockhand.policy.SharedCellsOverwritten;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressMeta;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.L_Result;

/** Broken: a thread fills a cell that another has filled meanwhile. */
@JCStressTest
@JCStressMeta(FrameCellsTest.class)
@State
public class FrameCellsBrokenTest {
    private final SharedCells cells = new SharedCellsOverwritten();

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
