// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.jcstress;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressMeta;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.LI_Result;

/** The copy with no step done wrong. */
@JCStressTest
@JCStressMeta(UnmappedPageTest.class)
@State
public class UnmappedPageCopyTest {
    private final UnmappedPage page = new TinyUnmappedPage();

    @Actor
    public void finder(LI_Result r) {
        r.r1 = page.find();
    }

    @Actor
    public void invalidator() {
        page.invalidate();
    }

    @Arbiter
    public void end(LI_Result r) {
        r.r2 = page.pins();
    }
}
