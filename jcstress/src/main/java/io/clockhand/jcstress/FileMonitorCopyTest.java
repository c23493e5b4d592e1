// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.jcstress;

import java.time.Duration;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressMeta;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.LL_Result;

/** The copy with no step done wrong. */
@JCStressTest
@JCStressMeta(FileMonitorTest.class)
@State
public class FileMonitorCopyTest extends WakeUp {
    public FileMonitorCopyTest() {
        super(new TinyMonitorSignal(Duration.ofSeconds(5)));
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
