// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.jcstress;

import java.util.concurrent.atomic.AtomicLong;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.JCStressMeta;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.I_Result;

/** Broken: what a walk has found is believed without a check whether its chain has changed. */
@JCStressTest
@JCStressMeta(PageTableMiddleTest.class)
@State
public class PageTableMiddleBrokenTest {
    private final RecycledFrame table = new TinyRecycledFrame(true) {
        @Override
        boolean isConfirmed(AtomicLong chain, long head) {
            return true;
        }
    };

    @Actor
    public void finder(I_Result r) {
        r.r1 = table.findA();
    }

    @Actor
    public void owner() {
        table.recycle();
    }
}
