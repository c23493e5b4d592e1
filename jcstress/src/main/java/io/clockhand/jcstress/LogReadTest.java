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

/** A reader stands at the end of a log while a record is appended and forced, which may begin a segment. */
@JCStressTest
@Outcome(id = "durable, read, tidy", expect = ACCEPTABLE, desc = "The reader has read the durable record.")
@Outcome(id = "durable, nothing, tidy", expect = ACCEPTABLE, desc = "The record was not durable yet.")
@Outcome(
        expect = FORBIDDEN,
        desc = "The reader reads what is not durable, misses what is, or looks into the wrong segment.")
@State
public class LogReadTest {
    private final StressLog log = StressLog.takeWithReader();

    @Actor
    public void appender(LLL_Result r) {
        r.r1 = log.appendAndForce();
    }

    @Actor
    public void reader(LLL_Result r) {
        r.r2 = log.readOn();
    }

    @Arbiter
    public void outcome(LLL_Result r) {
        r.r3 = log.end();
        log.giveBack();
    }
}
