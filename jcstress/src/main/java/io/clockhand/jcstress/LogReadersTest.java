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

/** Two threads read a record in a segment of a log; the last one that leaves closes it. */
@JCStressTest
@Outcome(id = "read, read, tidy", expect = ACCEPTABLE, desc = "Both have read the record.")
@Outcome(expect = FORBIDDEN, desc = "A reader reads wrong bytes or a closed file, or a store or a segment stays.")
@State
public class LogReadersTest {
    private final StressLog log = StressLog.takeWithOldSegment();

    @Actor
    public void first(LLL_Result r) {
        r.r1 = log.readOld();
    }

    @Actor
    public void second(LLL_Result r) {
        r.r2 = log.readOld();
    }

    @Arbiter
    public void outcome(LLL_Result r) {
        r.r3 = log.end();
        log.giveBack();
    }
}
