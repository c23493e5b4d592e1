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
import org.openjdk.jcstress.infra.results.L_Result;

/** A change that comes after the copy keeps the page dirty. */
@JCStressTest
@Outcome(id = "dirty", expect = ACCEPTABLE, desc = "The change came after the copy, or nothing was written.")
@Outcome(id = "written", expect = ACCEPTABLE, desc = "The copy has the change.")
@Outcome(expect = FORBIDDEN, desc = "The end of the write has taken the mark of a later change off.")
@State
public class DirtyMarkTest {
    private final ChangedPage page = ChangedPage.changed(new ChangedPage());

    @Actor
    public void updater() {
        page.update(2);
    }

    @Actor
    public void writer() {
        page.write();
    }

    @Arbiter
    public void outcome(L_Result r) {
        r.r1 = page.outcome();
    }
}
