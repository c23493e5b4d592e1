// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.jcstress;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.JCStressMeta;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZZ_Result;

/** Broken: a thread maps a page in the overflow without a note in the directory. */
@JCStressTest
@JCStressMeta(OverflowTest.class)
@State
public class OverflowBrokenTest {
    private final OverflowedPage page = new TinyOverflowedPage() {
        @Override
        boolean tryEnterOverflow(int now) {
            return true;
        }
    };

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
