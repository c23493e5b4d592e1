// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.jcstress;

import java.time.Duration;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.JCStressMeta;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.LL_Result;

/** The copy with no step done wrong. */
@JCStressTest
@JCStressMeta(FlusherSurplusTest.class)
@State
public class FlusherSurplusCopyTest {
    private final FlusherSurplus threads = new TinySurplus(Duration.ofSeconds(5));

    @Actor
    public void one(LL_Result r) {
        r.r1 = threads.timed(0);
    }

    @Actor
    public void other(LL_Result r) {
        r.r2 = threads.timed(1);
    }
}
