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

/** Two pages are updated together, and an update that fails is undone; a reader of both sees neither half. */
@JCStressTest
@Outcome(id = "true, true", expect = ACCEPTABLE, desc = "Both pages have the same update, and no failed one.")
@Outcome(expect = FORBIDDEN, desc = "One page has an update that the other one lacks.")
@State
public class MultiPageReadTest {
    private final StressPool pool = StressPool.take();
    private long lsn;

    @Actor
    public void updater() {
        lsn = pool.updateBoth();
        pool.failToUpdateBoth();
    }

    @Actor
    public void reader(ZZ_Result r) {
        r.r1 = pool.valueOfBoth() >= 0;
    }

    @Arbiter
    public void outcome(ZZ_Result r) {
        r.r2 = pool.valueOfBoth() == lsn;
        pool.giveBack();
    }
}
