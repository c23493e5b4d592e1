// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.jcstress;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressMeta;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.LL_Result;

/** Broken: the waiter releases the lock before it adds itself. */
@JCStressTest
@JCStressMeta(FileMonitorTest.class)
@State
public class FileMonitorBrokenTest extends WakeUp {
    public FileMonitorBrokenTest() {
        super(new TinyMonitorSignal(SHORT_WAIT) {
            @Override
            void addAndUnlock(Thread waiter) {
                unlock();
                add(waiter);
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
