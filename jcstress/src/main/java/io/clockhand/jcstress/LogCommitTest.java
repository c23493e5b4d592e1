// Copyright the Clockhand authors.
// SPDX-License-Identifier: Apache-2.0
package io.clockhand.jcstress;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import io.clockhand.wal.StressLog;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.LLL_Result;

/**
 * Two threads append to a log and make their records durable. One force may serve both: then the other thread waits,
 * and is woken when the turn ends.
 */
@JCStressTest
@Outcome(id = "durable, durable, both", expect = ACCEPTABLE, desc = "Both records were forced, and can be read.")
@Outcome(
        expect = FORBIDDEN,
        desc = "A record is lost, was not forced, or lies where the other does; or a wait never ends.")
@State
public class LogCommitTest {
    private final StressLog log = StressLog.take();

    @Actor
    public void first(LLL_Result r) {
        r.r1 = log.commit(0);
    }

    @Actor
    public void second(LLL_Result r) {
        r.r2 = log.commit(1);
    }

    @Arbiter
    public void outcome(LLL_Result r) {
        r.r3 = log.records();
        log.end();
        log.giveBack();
    }
}
