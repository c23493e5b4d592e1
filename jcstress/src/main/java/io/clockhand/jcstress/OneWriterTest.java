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
import org.openjdk.jcstress.infra.results.L_Result;

/** A page is changed while it is written: no image is torn, none replaces a newer one, and no change is forgotten. */
@JCStressTest
@Outcome(id = "written", expect = ACCEPTABLE, desc = "The newest image is in the file.")
@Outcome(
        expect = FORBIDDEN,
        desc = "The file has an older image or a part of a change, two threads wrote it, or the page is still dirty.")
@State
public class OneWriterTest {
    private final StressPool pool = StressPool.take();
    private long lsn = pool.update();

    @Actor
    public void writer() {
        pool.write();
    }

    @Actor
    public void updater() {
        lsn = pool.update();
        pool.write();
    }

    @Arbiter
    public void outcome(L_Result r) {
        r.r1 = pool.outcome(lsn);
        pool.giveBack();
    }
}
