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

/** An older image never lands after a newer one. */
@JCStressTest
@Outcome(id = "dirty", expect = ACCEPTABLE, desc = "The other thread was writing the older image.")
@Outcome(id = "written", expect = ACCEPTABLE, desc = "The newer image is in the file.")
@Outcome(expect = FORBIDDEN, desc = "The page counts as clean, but its file has the older image.")
@State
public class OneWriterTest {
    private final ChangedPage page = ChangedPage.changed(new ChangedPage());

    @Actor
    public void writer() {
        page.write();
    }

    @Actor
    public void updater() {
        page.update(2);
        page.write();
    }

    @Arbiter
    public void outcome(L_Result r) {
        r.r1 = page.outcome();
    }
}
