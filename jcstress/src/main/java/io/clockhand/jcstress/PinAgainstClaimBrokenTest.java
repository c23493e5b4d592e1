// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.jcstress;

import java.util.concurrent.atomic.AtomicInteger;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.JCStressMeta;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZZ_Result;

/** Broken: the pin is a load, a test and a store. */
@JCStressTest
@JCStressMeta(PinAgainstClaimTest.class)
@State
public class PinAgainstClaimBrokenTest {
    private static final int CLAIMED = 1 << 16;

    private final AtomicInteger word = new AtomicInteger();

    @Actor
    public void finder(ZZ_Result r) {
        int seen = word.get();
        if ((seen & CLAIMED) == 0) {
            word.set(seen + 1);
            r.r1 = true;
        }
    }

    @Actor
    public void claimer(ZZ_Result r) {
        r.r2 = word.compareAndSet(0, CLAIMED);
    }
}
