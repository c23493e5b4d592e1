// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.jcstress;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.JCStressMeta;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZZ_Result;

/** The copy with no step done wrong. */
@JCStressTest
@JCStressMeta(OverflowTest.class)
@State
public class OverflowCopyTest {
    private final OverflowedPage page = new TinyOverflowedPage();

    @Actor
    public void early(ZZ_Result r) {
        r.r1 = page.map(1);
    }

    @Actor
    public void late(ZZ_Result r) {
        page.makeSpace();
        r.r2 = page.map(2);
    }
}
