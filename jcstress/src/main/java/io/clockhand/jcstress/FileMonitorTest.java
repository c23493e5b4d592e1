// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.jcstress;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.LL_Result;

/** No signal is lost: a thread waits for a condition while another makes it true, both under the lock of a file. */
@JCStressTest
@Outcome(id = "seen, in time", expect = ACCEPTABLE, desc = "The waiter was woken by the signal.")
@Outcome(expect = FORBIDDEN, desc = "The waiter slept on after the signal, or gave up before its time.")
@State
public class FileMonitorTest extends WakeUp {
    public FileMonitorTest() {
        super(new CoreMonitorSignal());
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
