// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.jcstress;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import io.clockhand.page.StressPool;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZZ_Result;

/** A checkpoint misses no update that has not contributed its LSN. */
@JCStressTest
@Outcome(id = "false, false", expect = ACCEPTABLE, desc = "Redo begins before both records, or behind its end.")
@Outcome(expect = FORBIDDEN, desc = "Redo begins behind the record of a change that is not in the file.")
@State
public class SharedCheckpointTest {
    private final StressPool pool = StressPool.take();
    private long left;
    private long right;
    private long redo;

    @Actor
    public void first() {
        left = pool.updateRow(StressPool.LEFT);
    }

    @Actor
    public void second() {
        right = pool.updateRow(StressPool.RIGHT);
        redo = pool.checkpoint();
    }

    @Arbiter
    public void outcome(ZZ_Result r) {
        r.r1 = pool.isLost(redo, StressPool.LEFT, left);
        r.r2 = pool.isLost(redo, StressPool.RIGHT, right);
        pool.giveBack();
    }
}
