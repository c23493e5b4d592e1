// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.jcstress;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressMeta;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.LL_Result;

/** Broken: whether a frame is wanted is read before the pin is dropped. */
@JCStressTest
@JCStressMeta(HandOverTest.class)
@State
public class HandOverBrokenTest extends WakeUp {
    public HandOverBrokenTest() {
        super(new TinyHandOver(SHORT_WAIT) {
            @Override
            public void change() {
                Thread waiter = wanting;
                pins.getAndAdd(-1);
                offerTo(waiter);
            }
        });
    }

    @Actor
    public void waiter(LL_Result r) {
        r.r1 = await();
    }

    @Actor
    public void waker(LL_Result r) {
        change();
    }

    @Arbiter
    public void end(LL_Result r) {
        r.r2 = end();
    }
}
