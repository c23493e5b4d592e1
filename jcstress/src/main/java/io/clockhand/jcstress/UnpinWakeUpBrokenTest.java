// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.jcstress;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressMeta;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.LL_Result;

/** Broken: whether anybody waits is read before the change, not by it. */
@JCStressTest
@JCStressMeta(UnpinWakeUpTest.class)
@State
public class UnpinWakeUpBrokenTest extends WakeUp {
    public UnpinWakeUpBrokenTest() {
        super(new TinySignal(SHORT_WAIT) {
            @Override
            public void change() {
                boolean waited = (word.get() & WAITED) != 0;
                word.set(CHANGED);
                if (waited) {
                    wakeAll();
                }
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
