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
import org.openjdk.jcstress.infra.results.LIL_Result;

/** A segment of a log is deleted while a thread begins to read a record in it. */
@JCStressTest
@Outcome(id = "read, 0, tidy", expect = ACCEPTABLE, desc = "The reader was in the segment, so it stayed.")
@Outcome(id = "read, 1, tidy", expect = ACCEPTABLE, desc = "The reader had left the segment.")
@Outcome(id = "reclaimed, 1, tidy", expect = ACCEPTABLE, desc = "The reader is told that the record was reclaimed.")
@Outcome(expect = FORBIDDEN, desc = "The reader reads wrong bytes or a closed file, or a store or a segment stays.")
@State
public class LogReclaimTest {
    private final StressLog log = StressLog.takeWithOldSegment();

    @Actor
    public void reader(LIL_Result r) {
        r.r1 = log.readOld();
    }

    @Actor
    public void reclaimer(LIL_Result r) {
        r.r2 = log.reclaim();
    }

    @Arbiter
    public void outcome(LIL_Result r) {
        r.r3 = log.end();
        log.giveBack();
    }
}
