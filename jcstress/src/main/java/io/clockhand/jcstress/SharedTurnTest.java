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
import org.openjdk.jcstress.infra.results.ZZ_Result;

/** An update that found the page dirty is missed by no checkpoint that follows a write. */
@JCStressTest
@Outcome(id = "false, false", expect = ACCEPTABLE, desc = "The page is dirty, or the file has the change.")
@Outcome(expect = FORBIDDEN, desc = "The update relied on a mark that the write has taken off.")
@State
public class SharedTurnTest {
    private final SharedPage page = SharedPage.changed(new SharedPage());

    private long lsn;
    private long redo;

    @Actor
    public void updater() {
        lsn = page.update(SharedPage.LEFT);
    }

    @Actor
    public void writer() {
        page.write();
        redo = page.checkpoint();
    }

    @Arbiter
    public void outcome(ZZ_Result r) {
        r.r1 = page.isLost(redo, SharedPage.LEFT, lsn);
        r.r2 = page.isLost(page.checkpoint(), SharedPage.LEFT, lsn);
    }
}
