// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.jcstress;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.JCStressMeta;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.I_Result;

/** The copy with no step done wrong. */
@JCStressTest
@JCStressMeta(PageTableTest.class)
@State
public class PageTableCopyTest {
    private final RecycledFrame table = new TinyRecycledFrame(false);

    @Actor
    public void finder(I_Result r) {
        r.r1 = table.findA();
    }

    @Actor
    public void owner() {
        table.recycle();
    }
}
