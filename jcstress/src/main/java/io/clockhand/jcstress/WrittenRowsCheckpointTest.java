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
import org.openjdk.jcstress.infra.results.Z_Result;

/** A checkpoint holds back for a page of rows that is being written, or was written and not forced. */
@JCStressTest
@Outcome(id = "false", expect = ACCEPTABLE, desc = "Redo begins before the record, or the file has the change.")
@Outcome(id = "true", expect = FORBIDDEN, desc = "Redo begins behind the record of a change that is not in the file.")
@State
public class WrittenRowsCheckpointTest {
    private final StressPool pool = StressPool.take();
    private final long lsn = pool.updateRow(StressPool.LEFT);
    private long redo;

    @Actor
    public void writer() {
        pool.write();
    }

    @Actor
    public void checkpointer() {
        redo = pool.checkpoint();
    }

    @Arbiter
    public void outcome(Z_Result r) {
        r.r1 = pool.isLost(redo, StressPool.LEFT, lsn);
        pool.giveBack();
    }
}
