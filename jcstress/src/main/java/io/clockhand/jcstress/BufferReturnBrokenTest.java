// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.jcstress;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressMeta;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.LL_Result;

/** Broken: the waiter tries before it says that a buffer is wanted. */
@JCStressTest
@JCStressMeta(BufferReturnTest.class)
@State
public class BufferReturnBrokenTest extends WakeUp {
    public BufferReturnBrokenTest() {
        super(new TinyBufferReturn(SHORT_WAIT) {
            @Override
            boolean enter() {
                boolean taken = tryTake();
                wanting = Thread.currentThread();
                return taken;
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
