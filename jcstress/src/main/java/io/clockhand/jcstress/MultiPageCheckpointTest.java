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

/** Two pages are updated together while a thread writes pages, and one makes a checkpoint, which misses neither. */
@JCStressTest
@Outcome(
        id = "false, false",
        expect = ACCEPTABLE,
        desc = "Redo begins before the record, or the files have the change.")
@Outcome(expect = FORBIDDEN, desc = "Redo begins behind the record of a change that a file lacks.")
@State
public class MultiPageCheckpointTest {
    private final StressPool pool = StressPool.take();
    private long lsn;
    private long redo;

    @Actor
    public void updater() {
        lsn = pool.updateBoth();
    }

    @Actor
    public void writer() {
        pool.write();
    }

    @Actor
    public void checkpointer() {
        redo = pool.checkpoint();
    }

    @Arbiter
    public void outcome(ZZ_Result r) {
        r.r1 = pool.isLost(redo, lsn);
        r.r2 = pool.isLost(redo, StressPool.LEFT, lsn);
        pool.giveBack();
    }
}
