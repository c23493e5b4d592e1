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

/** An update that found the page dirty is missed by no checkpoint that follows a write. */
@JCStressTest
@Outcome(id = "false, false", expect = ACCEPTABLE, desc = "The page is dirty, or the file has the change.")
@Outcome(expect = FORBIDDEN, desc = "The update relied on a mark that the write has taken off.")
@State
public class SharedTurnTest {
    private final StressPool pool = StressPool.take();
    private long lsn = pool.updateRow(StressPool.RIGHT);
    private long redo;

    @Actor
    public void updater() {
        lsn = pool.updateRow(StressPool.LEFT);
    }

    @Actor
    public void writer() {
        pool.write();
        redo = pool.checkpoint();
    }

    @Arbiter
    public void outcome(ZZ_Result r) {
        r.r1 = pool.isLost(redo, StressPool.LEFT, lsn);
        r.r2 = pool.isLost(pool.checkpoint(), StressPool.LEFT, lsn);
        pool.giveBack();
    }
}
