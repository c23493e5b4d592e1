// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.jcstress;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZZ_Result;

/** An image that is written has all of a change, or nothing. */
@JCStressTest
@Outcome(id = "true, true", expect = ACCEPTABLE, desc = "The image is whole.")
@Outcome(expect = FORBIDDEN, desc = "The image has a part of the change.")
@State
public class FrozenCopyTest {
    private final ChangedPage page = ChangedPage.changed(new ChangedPage());

    @Actor
    public void updater() {
        page.update(2);
    }

    @Actor
    public void writer(ZZ_Result r) {
        page.write();
        r.r1 = page.fileLeft == page.fileRight;
        r.r2 = page.fileLeft <= 2;
    }
}
