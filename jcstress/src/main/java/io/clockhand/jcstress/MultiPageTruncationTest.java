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

/** A page is created and another one updated together with it, while the file is truncated to nothing. */
@JCStressTest
@Outcome(
        id = "true, true",
        expect = ACCEPTABLE,
        desc = "The page has the update, and so has the new one, if it is there.")
@Outcome(expect = FORBIDDEN, desc = "A page lacks the update, or half of it.")
@State
public class MultiPageTruncationTest {
    private final StressPool pool = StressPool.take();
    private long lsn;

    @Actor
    public void updater() {
        lsn = pool.updateAndCreate();
    }

    @Actor
    public void truncator() {
        pool.truncate();
    }

    @Arbiter
    public void outcome(ZZ_Result r) {
        long created = pool.value(0);
        r.r1 = pool.value() == lsn;
        r.r2 = created == lsn || created == -1;
        pool.giveBack();
    }
}
